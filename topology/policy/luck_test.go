package policy

import (
	"math"
	"math/bits"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestLuckIsPinned: luck never changes from one version to the next, or every
// committed result would. The values were computed by another program from the
// published constants of SplitMix64 and FNV-1a, not copied from this one.
func TestLuckIsPinned(t *testing.T) {
	ab, bc := NewEdgeID("a", "b"), NewEdgeID("b", "c")
	equal(t, "edge a>b", ab, EdgeID(0xe653b919049417fc))
	equal(t, "first output of SplitMix64 from seed 0", Luck(0).Draw(0), 0xe220a8397b1dcdaf)
	root := RootLuck(1, 17, 3)
	for _, row := range []struct {
		place string
		luck  Luck
		want  Luck
	}{
		{"seed 0, client 0, request 0", RootLuck(0, 0, 0), 0x238275bc38fcbe91},
		{"seed 1, client 0, request 0", RootLuck(1, 0, 0), 0xb18a02f46d8d86c3},
		{"seed 1, client 17, request 3", root, 0x1556e36764510b37},
		{"its attempt 1 on a>b", root.Attempt(ab, 1), 0x6eb9132ed46a69ac},
		{"its attempt 2 on a>b", root.Attempt(ab, 2), 0x8f38d69bb9d67d9a},
		{"attempt 1 on b>c below that", root.Attempt(ab, 2).Attempt(bc, 1), 0xd5debaa01909a427},
	} {
		equal(t, row.place, row.luck, row.want)
	}
	for purpose, want := range map[Purpose]uint64{
		ForJitter:  0x746b2efc4f44090c,
		ForFault:   0x7fe39f81fec1a97c,
		ForService: 0x29184fb5fd0029e7,
		ForPick:    0x439f3da388c2ec3d,
		ForArrival: 0x523624ad7f13fb14,
	} {
		equal(t, "draw of seed 1, client 17, request 3", root.Draw(purpose), want)
	}
}

// TestPlacesDiffer: no two places of a small lab share their luck, and no two
// purposes a draw.
func TestPlacesDiffer(t *testing.T) {
	seen := map[uint64]string{}
	see := func(draw uint64, place string) {
		if other, again := seen[draw]; again {
			t.Errorf("%s draws like %s", place, other)
		}
		seen[draw] = place
	}
	edges := []EdgeID{NewEdgeID("a", "b"), NewEdgeID("b", "a"), NewEdgeID("a", "c"), NewEdgeID("ab", ""), NewEdgeID("", "ab")}
	for seed := range uint64(3) {
		for client := range uint64(10) {
			for request := range uint64(10) {
				root := RootLuck(seed, client, request)
				see(uint64(root), RootPath(client, request))
				for i, edge := range edges {
					for attempt := 1; attempt <= 4; attempt++ {
						l := root.Attempt(edge, attempt)
						place := ExtendPath(RootPath(client, request), "edge", string(rune('0'+i)), attempt)
						for p := ForJitter; p <= ForArrival; p++ {
							see(l.Draw(p), place)
						}
						see(uint64(l.Attempt(edges[0], 1)), place+" below")
					}
				}
			}
		}
	}
	equal(t, "places", len(seen), 3*100*(1+5*4*6))
}

// TestSamePlaceSameDraw: what is beside or below a call does not matter.
func TestSamePlaceSameDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, client, request := rapid.Uint64().Draw(t, "seed"), rapid.Uint64().Draw(t, "client"), rapid.Uint64().Draw(t, "request")
		edge, attempt := EdgeID(rapid.Uint64().Draw(t, "edge")), rapid.IntRange(1, math.MaxInt32).Draw(t, "attempt")
		here := RootLuck(seed, client, request).Attempt(edge, attempt)
		first := here.Draw(ForJitter)
		_ = here.Attempt(edge, 1).Draw(ForJitter)
		_ = here.Draw(ForFault)
		if again := RootLuck(seed, client, request).Attempt(edge, attempt).Draw(ForJitter); again != first {
			t.Fatalf("%x, then %x", first, again)
		}
	})
}

// TestDrawsAreUniform fills 16 buckets along each way that a run varies; a fair
// die exceeds χ² = 37.7 (15 degrees of freedom) once in a thousand.
func TestDrawsAreUniform(t *testing.T) {
	const n = 16_000
	edge := NewEdgeID("a", "b")
	for name, draw := range map[string]func(i uint64) uint64{
		"seeds":    func(i uint64) uint64 { return RootLuck(i, 0, 0).Draw(ForJitter) },
		"clients":  func(i uint64) uint64 { return RootLuck(1, i, 0).Draw(ForJitter) },
		"requests": func(i uint64) uint64 { return RootLuck(1, 0, i).Draw(ForFault) },
		"attempts": func(i uint64) uint64 { return RootLuck(1, 0, 0).Attempt(edge, int(i)+1).Draw(ForService) },
		"edges":    func(i uint64) uint64 { return RootLuck(1, 0, 0).Attempt(EdgeID(i), 1).Draw(ForPick) },
		"purposes": func(i uint64) uint64 { return RootLuck(1, 0, 0).Draw(Purpose(i)) },
	} {
		for end, shift := range map[string]int{"high": 60, "low": 0} {
			var buckets [16]float64
			for i := range uint64(n) {
				buckets[draw(i)>>shift&15]++
			}
			var chi2 float64
			for _, seen := range buckets {
				chi2 += (seen - n/16) * (seen - n/16) / (n / 16)
			}
			if chi2 > 37.7 {
				t.Errorf("%s, %s bits: χ² = %.1f", name, end, chi2)
			}
		}
	}
}

// TestNeighboursAreIndependent: the draws of clients i and i+1, and of attempts 1
// and 2, do not go together.
func TestNeighboursAreIndependent(t *testing.T) {
	const n = 20_000
	edge := NewEdgeID("a", "b")
	unit := func(u uint64) float64 { return float64(u)/math.MaxUint64 - 0.5 }
	var clients, attempts float64
	for i := range uint64(n) {
		here := RootLuck(1, i, 0)
		clients += unit(here.Draw(ForJitter)) * unit(RootLuck(1, i+1, 0).Draw(ForJitter))
		attempts += unit(here.Attempt(edge, 1).Draw(ForJitter)) * unit(here.Attempt(edge, 2).Draw(ForJitter))
	}
	// Correlation of n pairs: 1/√n is one standard deviation.
	near(t, "clients", clients/n*12, 0, 4/math.Sqrt(n))
	near(t, "attempts", attempts/n*12, 0, 4/math.Sqrt(n))
}

// TestAvalanche: each bit of each input flips each bit of the draw half of the
// time.
func TestAvalanche(t *testing.T) {
	const n = 2_000
	for name, draw := range map[string]func(at, v uint64) uint64{
		"seed":    func(at, v uint64) uint64 { return RootLuck(v, at, 0).Draw(ForJitter) },
		"client":  func(at, v uint64) uint64 { return RootLuck(at, v, 0).Draw(ForJitter) },
		"request": func(at, v uint64) uint64 { return RootLuck(at, 0, v).Draw(ForJitter) },
		"attempt": func(at, v uint64) uint64 { return Luck(at).Attempt(1, int(v)).Draw(ForJitter) },
	} {
		for bit := range 64 {
			flips, total := [64]int{}, 0
			for i := range uint64(n) {
				changed := draw(i, i) ^ draw(i, i^1<<bit)
				total += bits.OnesCount64(changed)
				for ; changed != 0; changed &= changed - 1 {
					flips[bits.TrailingZeros64(changed)]++
				}
			}
			near(t, name+": share of flipped bits", float64(total)/n/64, 0.5, 0.01)
			for _, f := range flips {
				near(t, name+": flips of one bit", float64(f)/n, 0.5, 0.06)
			}
		}
	}
}

// TestUniform: [0, width), integers, and nothing for no width.
func TestUniform(t *testing.T) {
	for _, row := range []struct {
		u           uint64
		width, want time.Duration
	}{
		{0, time.Second, 0},
		{math.MaxUint64, time.Second, time.Second - 1},
		{1 << 63, time.Second, time.Second / 2},
		{math.MaxUint64, 1, 0},
		{math.MaxUint64, 0, 0},
		{math.MaxUint64, -time.Second, 0},
		{math.MaxUint64, math.MaxInt64, math.MaxInt64 - 1},
	} {
		equal(t, row.width.String(), Uniform(row.u, row.width), row.want)
	}
	rapid.Check(t, func(t *rapid.T) {
		width := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "width"))
		a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64().Draw(t, "b")
		if d := Uniform(a, width); d < 0 || d >= width {
			t.Fatalf("%v of %v", d, width)
		}
		if a <= b && Uniform(a, width) > Uniform(b, width) {
			t.Fatal("more luck, less time")
		}
	})
}

func BenchmarkLuck(b *testing.B) {
	edge := NewEdgeID("a", "b")
	var i uint64
	for b.Loop() {
		i++
		luckSink = RootLuck(1, i, 0).Attempt(edge, 1).Draw(ForJitter)
	}
}

var luckSink uint64
