package infer_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/audit"
	"labctl/audit/infer"
)

// anyTime is one that makes sense, or one that does not.
func anyTime(t *rapid.T) time.Duration {
	return time.Duration(rapid.OneOf(
		rapid.Int64Range(0, int64(time.Minute)),
		rapid.Just(int64(0)),
		rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, -1}),
	).Draw(t, "time"))
}

func anyTrial(t *rapid.T) audit.Trial {
	fault := rapid.SampledFrom(append(audit.Catalogue(), audit.Fault{Name: "503 retry-after=", Group: audit.RetryAfter}, audit.Fault{})).Draw(t, "fault")
	trial := audit.Trial{
		Probe: audit.Probe{
			Fault:      fault,
			Method:     rapid.SampledFrom([]string{"GET", "POST", "PUT", ""}).Draw(t, "method"),
			Keyed:      rapid.Bool().Draw(t, "keyed"),
			Connection: rapid.SampledFrom([]audit.Connection{audit.Fresh, audit.Reused, ""}).Draw(t, "connection"),
		},
		Exit: audit.Exit{
			Code:     rapid.IntRange(-1, 2).Draw(t, "code"),
			TimedOut: rapid.Bool().Draw(t, "timed out"),
			Signal:   rapid.SampledFrom([]string{"", "killed"}).Draw(t, "signal"),
		},
		Elapsed:   anyTime(t),
		Uncounted: rapid.SampledFrom([]string{"", "closed"}).Draw(t, "uncounted"),
	}
	for range rapid.IntRange(0, 6).Draw(t, "hits") {
		trial.Hits = append(trial.Hits, anyHit(t))
	}
	return trial
}

func anyHit(t *rapid.T) audit.Hit {
	return audit.Hit{
		At: anyTime(t), End: anyTime(t),
		Conn: rapid.IntRange(-1, 3).Draw(t, "conn"), Turn: rapid.IntRange(0, 3).Draw(t, "turn"),
		Warm: rapid.Bool().Draw(t, "warm"), Method: rapid.SampledFrom([]string{"GET", "POST", ""}).Draw(t, "hit method"),
		Body: rapid.Int64Range(-1, 20).Draw(t, "body"), Complete: rapid.Bool().Draw(t, "complete"),
		Range: rapid.SampledFrom([]string{"", "bytes=1-"}).Draw(t, "range"),
	}
}

// gapTrials are those of a probe that is repeated, with few gaps to choose from, so that
// ties come about.
func gapTrials(t *rapid.T) []audit.Trial {
	gap := rapid.SampledFrom([]float64{0, 1, 100, 101, 130, 200, 1000, 5000})
	var trials []audit.Trial
	for range rapid.IntRange(1, 14).Draw(t, "trials") {
		a := arrival{
			fault: rapid.SampledFrom([]string{"503", "503", "503", "reset", "503 retry-after=1", "503 retry-after=3"}).Draw(t, "fault"),
			gaps:  rapid.SliceOfN(gap, 0, 5).Draw(t, "gaps"),
			late:  rapid.Bool().Draw(t, "late"),
		}
		trials = append(trials, a.trial())
	}
	return trials
}

// TestAnyTrials: whatever arrives gives a verdict that can be written down.
func TestAnyTrials(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := rapid.OneOf(rapid.SliceOfN(rapid.Custom(anyTrial), 0, 40), rapid.Custom(gapTrials)).Draw(t, "trials")
		noise := audit.Noise{Median: anyTime(t), P99: anyTime(t)}
		v := infer.Infer(trials, noise)
		if _, err := json.Marshal(v); err != nil {
			t.Fatal(err)
		}
		if r := v.Policy.Rest; r != nil && !(r.Confidence >= 0 && r.Confidence <= 1) {
			t.Fatalf("confidence %v", r.Confidence)
		}
		if r := v.Policy.Rest; r != nil && r.Jitter == "" && r.Confidence > 0 {
			t.Fatalf("no law, with confidence %v", r.Confidence)
		}
		infer.Jittered(trials, noise)
	})
}

// TestOrderDoesNotMatter: trials run side by side, and end in any order.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := rapid.OneOf(rapid.SliceOfN(rapid.Custom(anyTrial), 0, 40), rapid.Custom(gapTrials)).Draw(t, "trials")
		same(t, trials, rapid.Permutation(trials).Draw(t, "permuted"))
	})
	for _, s := range subjects() {
		r := rand.New(rand.NewPCG(5, 6))
		shuffled := append([]audit.Trial{}, s.trials...)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		same(t, s.trials, shuffled)
	}
}

func same(t interface {
	Fatalf(format string, args ...any)
}, trials, permuted []audit.Trial) {
	a, b := infer.Infer(trials, measured), infer.Infer(permuted, measured)
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("got\n%+v\nand, in another order,\n%+v", a, b)
	}
}

// TestInputIsLeftAlone: the runner still has its trials.
func TestInputIsLeftAlone(t *testing.T) {
	for _, s := range subjects() {
		before, _ := json.Marshal(s.trials)
		infer.Infer(s.trials, measured)
		if after, _ := json.Marshal(s.trials); string(after) != string(before) {
			t.Errorf("%s: the trials were changed", s.name)
		}
	}
}
