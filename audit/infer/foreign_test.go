package infer_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"labctl/audit"
	"labctl/audit/infer"
)

// A foreign client rests as none of the lab's policies does. Its gaps are those of one
// call; one that ends sooner has fewer.
type foreign struct {
	sentence string
	gaps     func(r *rand.Rand) []float64
	takes    float64 // ms that an attempt lasts
	more     []arrival
	times    int // of the gap probe; 24 unless said

	said  func(p audit.Policy) string // what is wrong; "" if nothing is
	seeds int                         // 8 unless said
}

func steadily(gaps ...float64) func(*rand.Rand) []float64 {
	return func(*rand.Rand) []float64 { return gaps }
}

// drawn are gaps drawn one by one, n of them.
func drawn(n int, draw func(r *rand.Rand, k int) float64) func(*rand.Rand) []float64 {
	return func(r *rand.Rand) []float64 {
		gaps := make([]float64, n)
		for k := range gaps {
			gaps[k] = draw(r, k)
		}
		return gaps
	}
}

func (f foreign) trials(seed uint64) []audit.Trial {
	r := rand.New(rand.NewPCG(seed, 77))
	call := func(fault string) audit.Trial {
		gaps := slices.Clone(f.gaps(r))
		for i := range gaps {
			gaps[i] += millisOf(r)
		}
		return arrival{fault: fault, gaps: gaps, takes: f.takes, exit: 1}.trial()
	}
	times := f.times
	if times == 0 {
		times = 24
	}
	var all []audit.Trial
	for range times {
		all = append(all, call("503"))
	}
	for _, fault := range []string{"429", "refused"} {
		for range times {
			all = append(all, call(fault))
		}
	}
	for _, fault := range []string{"408", "500", "502", "504", "reset", "close"} {
		all = append(all, call(fault))
	}
	return append(all, trialsOf(f.more)...)
}

// millisOf is noise that makes a gap longer.
func millisOf(r *rand.Rand) float64 { return float64(draw(r)) / 1e6 }

func noLaw(p audit.Policy) string {
	if p.Rest.Jitter != "" || p.Rest.Confidence != 0 {
		return fmt.Sprintf("jitter %q with confidence %v", p.Rest.Jitter, p.Rest.Confidence)
	}
	return ""
}

func noGrowth(p audit.Policy) string {
	if p.Rest.Growth != "" || p.Rest.CapMS != 0 || !strings.Contains(strings.Join(p.Undecided, ";"), "growth") {
		return fmt.Sprintf("growth %q, cap %v, undecided %q", p.Rest.Growth, p.Rest.CapMS, p.Undecided)
	}
	return ""
}

func noLimit(p audit.Policy) string {
	if p.Elapsed != nil {
		return fmt.Sprintf("a limit of the time, %+v", *p.Elapsed)
	}
	return ""
}

// both is what is wrong with either.
func both(checks ...func(audit.Policy) string) func(audit.Policy) string {
	return func(p audit.Policy) string {
		for _, c := range checks {
			if wrong := c(p); wrong != "" {
				return wrong
			}
		}
		return ""
	}
}

// atRandom cuts gaps to those of from to to attempts.
func atRandom(from, to int, gaps func(r *rand.Rand) []float64) func(r *rand.Rand) []float64 {
	return func(r *rand.Rand) []float64 { return gaps(r)[:from-1+r.IntN(to-from+1)] }
}

func full(base float64) func(r *rand.Rand, k int) float64 {
	return func(r *rand.Rand, k int) float64 { return r.Float64() * base * float64(int(1)<<k) }
}

func uniform(low, high float64) func(r *rand.Rand, k int) float64 {
	return func(r *rand.Rand, _ int) float64 { return low + (high-low)*r.Float64() }
}

func foreigners() []foreign {
	return []foreign{
		{sentence: "Fibonacci, four rests", gaps: steadily(1000, 1000, 2000, 3000), times: 3, said: noGrowth},
		{sentence: "Fibonacci, five rests", gaps: steadily(1000, 1000, 2000, 3000, 5000), times: 3, said: noGrowth},
		{sentence: "Fibonacci from 1 and 2", gaps: steadily(100, 200, 300, 500, 800), times: 3, said: noGrowth},
		{sentence: "a list of three rests", gaps: steadily(1000, 5000, 10_000), times: 3, said: noGrowth},
		{sentence: "a list of two rests", gaps: steadily(1000, 5000), times: 3, said: noGrowth},
		{sentence: "a list that falls", gaps: steadily(5000, 2000, 1000), times: 3, said: noGrowth},
		{sentence: "a list of four rests", gaps: steadily(1000, 5000, 15_000, 30_000), times: 3, said: noGrowth},
		{sentence: "1000·2ⁿ and up to 100 ms more", gaps: drawn(3, func(r *rand.Rand, k int) float64 {
			return float64(int(1000)<<k) + 100*r.Float64()
		}), said: noLaw},
		{sentence: "two points, 100 or 300 ms", gaps: drawn(3, func(r *rand.Rand, _ int) float64 {
			return 100 + 200*float64(r.IntN(2))
		}), said: noLaw},
		{sentence: "two points of one rest", gaps: drawn(1, func(r *rand.Rand, _ int) float64 {
			return 100 + 200*float64(r.IntN(2))
		}), said: noLaw},
		{sentence: "two points, apart by doubling", gaps: drawn(3, func(r *rand.Rand, k int) float64 {
			return float64(int(200)<<k) * (0.8 + 0.4*float64(r.IntN(2)))
		}), said: noLaw},
		{sentence: "a normal distribution, 1000 ± 100 ms", gaps: drawn(3, func(r *rand.Rand, _ int) float64 {
			return 1000 + 100*r.NormFloat64()
		}), said: noLaw},
		{sentence: "a normal distribution of one rest", times: 72, gaps: drawn(1, func(r *rand.Rand, _ int) float64 {
			return 1000 + 100*r.NormFloat64()
		}), said: noLaw},
		{sentence: "a normal distribution around what doubles", gaps: drawn(4, func(r *rand.Rand, k int) float64 {
			return float64(int(200)<<k) * (1 + 0.1*r.NormFloat64())
		}), said: noLaw},
		{sentence: "an exponential distribution", gaps: drawn(3, func(r *rand.Rand, _ int) float64 {
			return 500 * r.ExpFloat64()
		}), said: both(noLaw, func(p audit.Policy) string {
			if p.Rest.Growth == "exponential" || p.Rest.Growth == "linear" {
				return "growth " + p.Rest.Growth
			}
			return ""
		})},
		{sentence: "the work of a program for each attempt", gaps: drawn(2, uniform(5, 24)), said: noLaw},
		{sentence: "the same, steadier", gaps: drawn(2, uniform(12, 15)), times: 3, said: noLaw},
		{sentence: "the work of different programs", gaps: drawn(2, func(r *rand.Rand, k int) float64 {
			return 8 + float64(3*k) + 8*r.ExpFloat64()
		}), said: noLaw},
		{sentence: "full jitter from a short base", gaps: drawn(3, func(r *rand.Rand, k int) float64 {
			return r.Float64() * []float64{25, 50, 100}[k]
		}), said: func(p audit.Policy) string {
			if p.Rest.Jitter != "full" {
				return fmt.Sprintf("jitter %q, %q", p.Rest.Jitter, p.Undecided)
			}
			return ""
		}},
		{sentence: "at once, and then 200 ms·2ⁿ with full jitter", gaps: func(r *rand.Rand) []float64 {
			return append([]float64{0}, drawn(3, full(200))(r)...)
		}, said: func(p audit.Policy) string {
			r := p.Rest
			if r.FirstMS == nil || *r.FirstMS != 0 || r.Jitter != "full" || r.Growth != "exponential" || r.BaseMS < 92 || r.BaseMS > 108 {
				return fmt.Sprintf("%+v", *r)
			}
			return ""
		}},
		{sentence: "2 to 4 attempts at random, 100 ms", gaps: atRandom(2, 4, steadily(100, 100, 100)), said: both(noLimit, varying)},
		{sentence: "3 or 4 attempts at random, 100 ms", gaps: atRandom(3, 4, steadily(100, 100, 100)), said: both(noLimit, varying)},
		{sentence: "2 to 4 attempts at random, thrice", gaps: atRandom(2, 4, steadily(100, 100, 100)), times: 3, said: noLimit},
		{sentence: "2 to 4 attempts at random, doubling", gaps: atRandom(2, 4, steadily(100, 200, 400)), said: both(noLimit, varying)},
		{sentence: "2 to 4 attempts at random, full jitter", gaps: atRandom(2, 4, drawn(3, full(100))), said: both(noLimit, varying)},
		{sentence: "3 attempts of 2 s on 429, 4 of 100 ms else", gaps: steadily(100, 100, 100), times: 3, more: []arrival{
			{fault: "409", gaps: []float64{2000, 2000}, exit: 1, times: 3},
			{fault: "503 retry-after=3", gaps: []float64{100, 100, 100}, exit: 1},
		}, said: func(p audit.Policy) string {
			if p.Elapsed != nil || !slices.Contains(p.Exceptions, "409: 3 attempts (2 retries)") || !strings.Contains(strings.Join(p.Undecided, ";"), "time limit") {
				return fmt.Sprintf("%+v, except %q, undecided %q", p.Elapsed, p.Exceptions, p.Undecided)
			}
			return ""
		}},
	}
}

func varying(p audit.Policy) string {
	if !strings.Contains(strings.Join(p.Undecided, ";"), "no limit of the time explains it") || len(p.Exceptions) > 0 {
		return fmt.Sprintf("except %q, undecided %q", p.Exceptions, p.Undecided)
	}
	return ""
}

// TestForeign: what no policy of the lab does gets the right words, or none.
func TestForeign(t *testing.T) {
	for _, f := range foreigners() {
		t.Run(f.sentence, func(t *testing.T) {
			for seed := range uint64(max(f.seeds, 8)) {
				p := infer.Infer(f.trials(seed), measured).Policy
				if wrong := f.said(p); wrong != "" {
					t.Errorf("seed %d: %s\n\t%s", seed, wrong, told(p))
				}
			}
		})
	}
}

// TestOwnRestsOfJittered: where all faults are treated alike, none has rests of its own,
// however random they are.
func TestOwnRestsOfJittered(t *testing.T) {
	for _, attempts := range []int{2, 3, 4} {
		wrong := 0
		for seed := range uint64(60) {
			f := foreign{gaps: drawn(attempts-1, full(1000))}
			p := infer.Infer(f.trials(seed), measured).Policy
			if slices.ContainsFunc(p.Exceptions, func(e string) bool { return strings.Contains(e, "rests of its own") }) {
				wrong++
				t.Logf("%d attempts, seed %d: %q", attempts, seed, p.Exceptions)
			}
		}
		if wrong > 1 {
			t.Errorf("%d attempts: %d of 60 audits name a fault with rests of its own", attempts, wrong)
		}
	}
}

// TestOtherRestsOfJittered: those that one fault has are still found.
func TestOtherRestsOfJittered(t *testing.T) {
	f := foreign{gaps: drawn(3, full(200)), more: []arrival{{fault: "409", gaps: []float64{1, 1, 1}, times: 3, exit: 1}}}
	r := rand.New(rand.NewPCG(1, 2))
	trials := f.trials(1)
	for range 24 {
		trials = append(trials, arrival{fault: "401", gaps: drawn(3, full(1000))(r), exit: 1}.trial())
	}
	trials = append(trials, trialsOf([]arrival{{fault: "blackhole", gaps: []float64{2100, 2200, 2400}, exit: 1, times: 3}})...)
	p := infer.Infer(trials, measured).Policy
	var names []string
	for _, e := range p.Exceptions {
		name, _, _ := strings.Cut(e, ":")
		names = append(names, name)
	}
	if !slices.Equal(names, []string{"401", "409"}) {
		t.Errorf("got %q", p.Exceptions)
	}
}
