package infer_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"labctl/audit"
	"labctl/audit/infer"
	"labctl/topology/policy"
)

// TestKnownPolicies: rests that libraries have by default, read from thirty calls.
func TestKnownPolicies(t *testing.T) {
	doubling := policy.Backoff{Growth: policy.Exponential}
	half := policy.Jitter{Law: policy.Proportional, Share: 500_000}
	for _, row := range []struct {
		sentence string
		attempts int
		rest     policy.Rest
		want     string
	}{
		{"500 ms by 1.5, ±50 %", 7, policy.Rest{Base: 500 * time.Millisecond, Backoff: policy.Backoff{Growth: policy.Exponential, Factor: 1500}, Jitter: half},
			"500 ms exponential 1.5, cap 0, 50% "},
		{"1 s doubling to 20 s, full jitter", 8, policy.Rest{Base: time.Second, Backoff: doubling, Cap: 20 * time.Second, Jitter: policy.Jitter{Law: policy.Full}},
			"1000 ms exponential 2, cap 20000, full cap-then-jitter"},
		{"the same with the cap last", 8, policy.Rest{Base: time.Second, Backoff: doubling, Cap: 20 * time.Second, Jitter: policy.Jitter{Law: policy.Full}, Order: policy.JitterThenCap},
			"1000 ms exponential 2, cap 20000, full jitter-then-cap"},
		{"a fixed second, equal", 4, policy.Rest{Base: time.Second, Jitter: policy.Jitter{Law: policy.Equal}},
			"1000 ms fixed 0, cap 0, equal "},
		{"decorrelated from 100 ms to 2 s", 7, policy.Rest{Base: 100 * time.Millisecond, Cap: 2 * time.Second, Jitter: policy.Jitter{Law: policy.Decorrelated}},
			"100 ms  0, cap 2000, decorrelated jitter-then-cap"},
		{"200 ms linear, none", 5, policy.Rest{Base: 200 * time.Millisecond, Backoff: policy.Backoff{Growth: policy.Linear}},
			"200 ms linear 0, cap 0, none "},
		{"250 ms doubling to 1 s, none", 7, policy.Rest{Base: 250 * time.Millisecond, Backoff: doubling, Cap: time.Second},
			"250 ms exponential 2, cap 1000, none "},
		{"100 ms doubling to 150 ms, none", 5, policy.Rest{Base: 100 * time.Millisecond, Backoff: doubling, Cap: 150 * time.Millisecond},
			"100 ms exponential 1.5, cap 150, none "},
		{"no rest", 4, policy.Rest{}, "0 ms fixed 0, cap 0, none "},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			got := infer.Infer(gapProbe(row.attempts, row.rest, 30), measured).Policy.Rest
			text := fmt.Sprintf("%v ms %s %v, cap %v, %s %s", got.BaseMS, got.Growth, got.Factor, got.CapMS, got.Jitter, got.Order)
			if text != row.want {
				t.Errorf("got %q, want %q; in full %+v", text, row.want, *got)
			}
			if got.Confidence < 0.9 || got.Samples != 30*(row.attempts-1) {
				t.Errorf("confidence %v from %d gaps", got.Confidence, got.Samples)
			}
		})
	}
}

// TestCapHidesFactor: what doubles to a cap in one step may as well treble.
func TestCapHidesFactor(t *testing.T) {
	rest := policy.Rest{Base: 100 * time.Millisecond, Backoff: policy.Backoff{Growth: policy.Exponential}, Cap: 150 * time.Millisecond}
	got := strings.Join(infer.Infer(gapProbe(5, rest, 3), measured).Policy.Undecided, "; ")
	if want := "factor: the second rest is the cap, so it is at least 1.5"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLimitOfRandomRests: which calls a limit of the time ended, of thirty, tells the
// rule and the limit.
func TestLimitOfRandomRests(t *testing.T) {
	for i, rule := range []string{"after-rest", "before-rest"} {
		retry := policy.Retry{Attempts: 7, MaxElapsed: 3 * time.Second, Rule: policy.ElapsedRule(i)}
		retry.Rest = policy.Rest{Base: time.Second, Jitter: policy.Jitter{Law: policy.Equal}}
		s := &simulated{retry: retry, number: 9, noise: rand.New(rand.NewPCG(3, 1)), timeout: time.Second}
		got := infer.Infer(s.all(30), measured).Policy.Elapsed
		if got == nil || got.Rule != rule || got.FromMS > 3000 || got.ToMS < 3000 {
			t.Errorf("%s: got %+v", rule, got)
		}
	}
}

// TestTimeouts: what attempts that are never answered tell of a timeout.
func TestTimeouts(t *testing.T) {
	hang := func(lasts ...float64) []audit.Trial {
		a := arrival{fault: "hang", gaps: make([]float64, len(lasts)-1), exit: 1}
		trial := a.trial()
		at := time.Duration(0)
		for i := range trial.Hits {
			trial.Hits[i].At = at
			at += inMS(lasts[i])
			trial.Hits[i].End = at
		}
		return []audit.Trial{trial}
	}
	for _, row := range []struct {
		sentence string
		trials   []audit.Trial
		limit    float64
		spans    string
	}{
		{"each alike", hang(1001, 1002, 1001), 1000, "attempt"},
		{"the last one is cut short by a limit of the whole", hang(1001, 1001, 1002, 1001, 300), 1000, "attempt"},
		{"each longer than the one before", hang(1001, 2002, 4001), 4001, ""},
		{"one of one is both", hang(1001), 1000, "call"},
	} {
		got := infer.Infer(row.trials, measured).Policy.Timeout
		if got == nil || got.LimitMS != row.limit || got.Spans != row.spans {
			t.Errorf("%s: got %+v", row.sentence, got)
		}
	}
}

// TestNoReplayWithoutReuse: a client that never reuses a connection has nothing that a
// stack would repeat.
func TestNoReplayWithoutReuse(t *testing.T) {
	trials := trialsOf([]arrival{
		{fault: "reset", exit: 1, gaps: []float64{100}},
		{fault: "reset", reused: true, exit: 1, turns: []int{1, 1, 1}, gaps: []float64{1, 100}},
	})
	if h := infer.Infer(trials, measured).Policy.Hidden; h != nil {
		t.Errorf("got %+v", *h)
	}
}

// gapProbe are trials of 503 GET on fresh connections.
func gapProbe(attempts int, rest policy.Rest, times int) []audit.Trial {
	fault, _ := audit.FaultNamed("503")
	s := &simulated{retry: policy.Retry{Attempts: attempts, Rest: rest}, number: 5, noise: rand.New(rand.NewPCG(8, 9))}
	var trials []audit.Trial
	for range times {
		trials = append(trials, s.trial(audit.Probe{Fault: fault, Method: "GET", Connection: audit.Fresh}))
	}
	return trials
}

// TestJittered: three trials say whether more are worth it.
func TestJittered(t *testing.T) {
	second := policy.Rest{Base: time.Second}
	for _, row := range []struct {
		sentence string
		jitter   policy.Jitter
		trials   int
		want     bool
	}{
		{"none", policy.Jitter{}, 3, false},
		{"full", policy.Jitter{Law: policy.Full}, 3, true},
		{"±10 %", policy.Jitter{Law: policy.Proportional, Share: 100_000}, 3, true},
		{"decorrelated", policy.Jitter{Law: policy.Decorrelated}, 3, true},
		{"of one trial nothing is known", policy.Jitter{Law: policy.Full}, 1, false},
	} {
		rest := second
		rest.Jitter = row.jitter
		if got := infer.Jittered(gapProbe(4, rest, row.trials), measured); got != row.want {
			t.Errorf("%s: got %v", row.sentence, got)
		}
	}
	if infer.Jittered(nil, measured) {
		t.Error("jitter without trials")
	}
}
