package infer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/audit"
)

const (
	ms         = time.Millisecond
	probeNoise = 5 * ms
)

// layer is one of a nest that a test makes hits with: after attempt k it rests rests[k−1].
type layer struct {
	attempts int
	rest     func(k int) time.Duration
}

func fixedRest(d time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return d }
}

func growing(d time.Duration) func(int) time.Duration {
	return func(k int) time.Duration { return d << (k - 1) }
}

// nest makes the hits of one request: each layer tries the ones inside it.
type nest struct {
	layers []layer
	noise  func() time.Duration
	now    time.Duration
	hits   []audit.Hit
}

func (n *nest) call(l int) {
	if l == len(n.layers) {
		n.now += n.noise()
		n.hits = append(n.hits, audit.Hit{At: n.now, End: n.now})
		return
	}
	for k := 1; k <= n.layers[l].attempts; k++ {
		n.call(l + 1)
		if k < n.layers[l].attempts {
			n.now += n.layers[l].rest(k)
		}
	}
}

func hitsOf(noise func() time.Duration, layers ...layer) []audit.Hit {
	n := nest{layers: layers, noise: noise}
	n.call(0)
	return n.hits
}

// after are hits with these gaps, in milliseconds.
func after(gapsMS ...int) []audit.Hit {
	hits := []audit.Hit{{}}
	at := time.Duration(0)
	for _, g := range gapsMS {
		at += time.Duration(g) * ms
		hits = append(hits, audit.Hit{At: at, End: at})
	}
	return hits
}

// line is what was found, in a line.
func line(f Factors) string {
	var all []string
	for _, p := range f.Possible {
		text := p.String()
		for _, l := range p {
			text += fmt.Sprint(" ", l.Rests)
		}
		all = append(all, text)
	}
	text := fmt.Sprintf("%d:", f.Count)
	if f.Alone {
		text = fmt.Sprintf("%d is", f.Count)
	}
	return strings.TrimSpace(text + " " + strings.Join(all, " | ") + "; " + f.Why)
}

func TestFactorHits(t *testing.T) {
	const several = "; several products have such gaps: layers that rest alike, or at random, cannot be told apart"
	const lucky = "; the rests of %s grow, but by no rule: random ones of more layers do so too, now and then; probe again"
	for _, tt := range []struct {
		hits []audit.Hit
		want string
	}{
		{nil, "0: ;"},
		{after(), "1 is 1;"},
		{after(7), "2 is 2 [7ms];"},
		{after(0, 0, 100, 0, 0, 100, 0, 0), "9 is 3 × 3 [100ms 100ms] [0s 0s];"},
		{after(100, 100, 0, 100, 100, 0, 100, 100), "9 is 3 × 3 [0s 0s] [100ms 100ms];"},
		{after(1000, 2000, 4000), "4 is 4 [1s 2s 4s];"},
		{after(1000, 2000, 1000), "4 is 2 × 2 [2s] [1s]; four hits show this once only, which may be chance: probe again"},
		{after(0, 1000, 0), "4 is 2 × 2 [1s] [0s];"},
		// Backoff in both.
		{after(100, 200, 1000, 100, 200, 2000, 100, 200), "9 is 3 × 3 [1s 2s] [100ms 200ms];"},
		// All alike, or no rest: every product is possible.
		{after(0, 0, 0), "4: 4 [0s 0s 0s] | 2 × 2 [0s] [0s]" + several},
		{after(100, 100, 100, 101, 100, 100, 99, 100), "9: 9 [100ms 100ms 100ms 101ms 100ms 100ms 99ms 100ms] | 3 × 3 [100ms 100ms] [100ms 100ms]" + several},
		// Layers that rest alike would be a coincidence, but not where they do not rest.
		{after(50, 1000, 50, 1000, 50, 1000, 50), "8 is 4 × 2 [1s 1s 1s] [50ms] | 2 × 2 × 2 [1s] [1s] [50ms]; unless two layers rest alike"},
		{after(0, 0, 0, 1000, 0, 0, 0), "8: 2 × 4 [1s] [0s 0s 0s] | 2 × 2 × 2 [1s] [0s] [0s]" + several},
		// Jitter: recognisable, maybe luck, and not at all.
		{after(80, 110, 900, 95, 60, 1300, 70, 85), "9 is 3 × 3 [900ms 1.3s] [80ms 85ms];"},
		{after(300, 1200, 500), "4: 4 [300ms 1.2s 500ms] | 2 × 2 [1.2s] [500ms]" + several},
		{after(300, 310, 250, 1, 290), "6: 6 [300ms 310ms 250ms 1ms 290ms] | 3 × 2 [310ms 1ms] [290ms] | 2 × 3 [250ms] [300ms 310ms]" + several},
		// Growth by a rule: linear, with any factor, at a cap, the first at once.
		{after(100, 200, 400), "4 is 4 [100ms 200ms 400ms];"},
		{after(500, 1000, 1500, 2000, 2500), "6 is 6 [500ms 1s 1.5s 2s 2.5s];"},
		{after(1000, 1500, 2250, 3375, 5062), "6 is 6 [1s 1.5s 2.25s 3.375s 5.062s];"},
		{after(0, 200, 400, 800, 800), "6 is 6 [0s 200ms 400ms 800ms 800ms];"},
		{after(1000, 2000, 4000, 5000, 5000), "6 is 6 [1s 2s 4s 5s 5s];"},
		// Growth that is seen once only, by no rule: it may be the jitter of several.
		{after(300, 400, 800), "4: 4 [300ms 400ms 800ms] | 2 × 2 [400ms] [800ms]" + fmt.Sprintf(lucky, "4")},
		{after(100, 300, 350, 900, 2000), "6: 6 [100ms 300ms 350ms 900ms 2s] | 3 × 2 [300ms 900ms] [350ms] | 2 × 3 [350ms] [900ms 2s]" + fmt.Sprintf(lucky, "6")},
		{after(50, 500, 50, 700, 50, 1900, 50), "8: 4 × 2 [500ms 700ms 1.9s] [50ms] | 2 × 2 × 2 [700ms] [1.9s] [50ms]" + fmt.Sprintf(lucky, "4 × 2")},
		{after(100, 300, 350, 2000, 100, 300, 350), "8 is 2 × 4 [2s] [100ms 300ms 350ms];"}, // and seen twice
		// No products: cut short, hidden replays, prime and irregular.
		{after(0, 0, 100, 0, 0, 100, 0), "8: ; not a product: bursts of 3, 3, 2: the last is short, so something ended the retries: a deadline, a budget, or the end of the wait"},
		{after(0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0),
			"28: ; not a product: bursts of 4, 8, 8, 8: the first is short, as where HTTP stacks replay requests on connections that they use again"},
		{after(0, 100, 0, 0, 100, 0), "7: ; not a product: bursts of 2, 3, 2"},
		// The first retry at once, as urllib3's.
		{after(0, 100, 0, 0, 100), "6 is 2 × 3 [0s] [0s 100ms];"},
		{after(0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0), "12: 2 × 6 [100ms] [0s 0s 0s 0s 0s] | 2 × 3 × 2 [100ms] [0s 0s] [0s] | 2 × 2 × 3 [100ms] [0s] [0s 0s]" + several},
	} {
		if got := line(FactorHits(tt.hits, probeNoise)); got != tt.want {
			t.Errorf("gaps %v:\n got %s\nwant %s", spacingOf(tt.hits, 0).of, got, tt.want)
		}
	}
}

// Attempts that say their number tell which layer is which where gaps do not.
func TestFactorHitsWithNumbers(t *testing.T) {
	numbers := func(words string) []audit.Hit {
		var hits []audit.Hit
		for _, w := range strings.Fields(words) {
			hits = append(hits, audit.Hit{Attempt: strings.Trim(w, "-")})
		}
		return hits
	}
	for _, tt := range []struct{ words, want string }{
		{"1 2 3 1 2 3", "6 is 2 × 3 [0s] [0s 0s];"},
		{"- 2 - 2 - 2", "6 is 3 × 2 [0s 0s] [0s];"},
		{"1 1 1 2 2 2", "6 is 2 × 3 [0s] [0s 0s];"},
		{"1 2 3 4 5 6", "6 is 6 [0s 0s 0s 0s 0s];"},
		{"1 2 1", "3: ; not a product: the attempts of a layer number themselves up to 2, and 3 hits are no multiple of that"},
		{"1 3 2", "3 is 3 [0s 0s]; the numbers that attempts give themselves do not count them"},
		{"1 x 0", "3 is 3 [0s 0s];"},
	} {
		if got := line(FactorHits(numbers(tt.words), probeNoise)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.words, got, tt.want)
		}
	}
}

// The count is always right, the truth is always among what is possible, and it is the
// answer where rests differ by four and more.
func TestFactorHitsOfRandomNests(t *testing.T) {
	luck := rand.New(rand.NewPCG(1, 2))
	noise := func() time.Duration { return time.Duration(luck.Int64N(int64(2 * ms))) }
	alone := 0
	for i := range 400 {
		apart := i%2 == 0
		layers, want := randomNest(luck, apart)
		f := FactorHits(hitsOf(noise, layers...), probeNoise)
		if n := multiplied(want); f.Count != n {
			t.Fatalf("%v: %d hits, want %d", want, f.Count, n)
		}
		is := func(p Product) bool { return slices.Equal(attemptsIn(p), want) }
		switch {
		case !slices.ContainsFunc(f.Possible, is):
			t.Errorf("nest %d: %v is not among %s", i, want, line(f))
		case f.Alone && !is(f.Possible[0]) && (apart || f.Why != "unless two layers rest alike" || slices.Max(attemptsIn(f.Possible[0])) > 4):
			t.Errorf("nest %d: %v, and the answer %s", i, want, line(f))
		case apart && !f.Alone:
			t.Errorf("nest %d: %v is not the only answer: %s", i, want, line(f))
		case !apart && f.Alone:
			alone++
		}
	}
	t.Logf("%d of 200 nests with any rests have one answer", alone)
}

// Rests with full jitter grow by chance, and two of them may be alike. That passes for a
// product of other layers once in twenty times at most.
func TestFactorHitsOfJitter(t *testing.T) {
	const samples = 2000
	luck := rand.New(rand.NewPCG(3, 4))
	none := func() time.Duration { return 0 }
	for _, base := range []time.Duration{200 * ms, time.Second} {
		for _, attempts := range [][]int{{2, 2}, {2, 3}, {3, 2}, {6}, {2, 4}, {4, 2}, {2, 2, 2}} {
			wrong := 0
			for range samples {
				var layers []layer
				for _, k := range attempts {
					layers = append(layers, layer{k, func(k int) time.Duration { return time.Duration(luck.Int64N(int64(growing(base)(k)))) }})
				}
				f := FactorHits(hitsOf(none, layers...), 10*ms)
				if f.Alone && f.Why == "" && !slices.Equal(attemptsIn(f.Possible[0]), attempts) {
					wrong++
				}
			}
			if wrong > samples/20 {
				t.Errorf("%v, up to %v: wrong without a doubt in %d of %d", attempts, base, wrong, samples)
			}
		}
	}
}

// randomNest has rests that differ by at least four where it is to be told apart, else
// any, alike ones and none at all included.
func randomNest(luck *rand.Rand, apart bool) (layers []layer, attempts []int) {
	scales := []time.Duration{50 * ms, 400 * ms, 4 * time.Second}
	luck.Shuffle(len(scales), func(i, j int) { scales[i], scales[j] = scales[j], scales[i] })
	n := 2 + luck.IntN(2)
	for l := range n {
		d := scales[l]
		if !apart {
			d = []time.Duration{0, 0, 100 * ms, 100 * ms, time.Second}[luck.IntN(5)]
		}
		k := 2 + luck.IntN(3)
		rest := fixedRest(d)
		if luck.IntN(3) == 0 && !apart {
			rest = growing(d)
		}
		layers, attempts = append(layers, layer{k, rest}), append(attempts, k)
	}
	return layers, attempts
}

func attemptsIn(p Product) (out []int) {
	for _, f := range p {
		out = append(out, f.Attempts)
	}
	return out
}

// Whatever arrives, the answer comes and contradicts no count.
func FuzzFactorHits(f *testing.F) {
	f.Add([]byte{0, 0, 100, 0, 0, 100, 0, 0}, uint8(5))
	f.Add([]byte{1, 2, 4, 8}, uint8(0))
	f.Fuzz(func(t *testing.T, gaps []byte, noise uint8) {
		var in []int
		for _, g := range gaps[:min(len(gaps), 200)] {
			in = append(in, int(g))
		}
		got := FactorHits(after(in...), time.Duration(noise)*ms)
		for _, p := range got.Possible {
			if n := multiplied(attemptsIn(p)); n != got.Count {
				t.Errorf("%v of %d hits", p, got.Count)
			}
		}
		if got.Alone != (len(got.Possible) == 1) && got.Why == "" || got.Alone && len(got.Possible) == 0 {
			t.Errorf("%+v", got)
		}
	})
}

func multiplied(ns []int) int {
	product := 1
	for _, n := range ns {
		product *= n
	}
	return product
}
