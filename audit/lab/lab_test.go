package lab_test

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"labctl/audit"
	"labctl/audit/lab"
	"labctl/topology/file"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain makes properties try the same cases every time; make fuzz tries others.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func ms(v float64) *float64 { return &v }

// What becomes of clients that behave as some real ones do.
func TestFile(t *testing.T) {
	for name, a := range map[string]audit.Audit{
		"curl": {
			Subject: "curl", Version: "7.88.1", Command: []string{"curl", "-s", "--retry", "3", "{url}"},
			Policy: audit.Policy{
				Attempts: 4, On: []string{"408", "429", "500", "502", "503", "504", "timeout"}, NotOn: []string{"400", "reset"},
				Rest:       &audit.Rest{BaseMS: 1000, Growth: "exponential", Factor: 2, CapMS: 600_000, Jitter: "none", Confidence: 1, Samples: 9},
				RetryAfter: &audit.RetryAfterRule{Seconds: "exact", Date: "exact", Malformed: "ignored", Huge: "gives-up"},
				Methods:    []audit.MethodRule{{Method: "GET", Retried: "yes"}, {Method: "POST", Retried: "yes", Bodies: "whole"}},
			}},
		"default": {
			Subject: "wget",
			Policy:  audit.Policy{Attempts: 1, NotOn: []string{"503"}, Timeout: &audit.Timeout{LimitMS: 900_000, Spans: "attempt"}},
		},
		"undecided": {
			Subject: "something", Partial: true,
			Policy: audit.Policy{Undecided: []string{"attempts: 3 and 5 were seen"}},
		},
		"everything": {
			Subject: "odd", Version: "1.0",
			Policy: audit.Policy{
				Attempts: 6, AtLeast: true, On: []string{"5xx", "truncate", "stall"}, OnlyWithRetryAfter: []string{"413", "429"},
				Rest: &audit.Rest{BaseMS: 200.5, FirstMS: ms(0), Growth: "exponential", Factor: 1.5, CapMS: 2000, Jitter: "full",
					Confidence: 0.8, Samples: 14},
				RetryAfter: &audit.RetryAfterRule{Seconds: "early", EarlyMS: 800, Date: "ignored", Malformed: "clamped", Huge: "overflow"},
				Elapsed:    &audit.Elapsed{LimitMS: 60_000, Rule: "before-rest"},
				Timeout:    &audit.Timeout{LimitMS: 30_000, Spans: "call"},
				Methods: []audit.MethodRule{
					{Method: "GET", Retried: "yes"}, {Method: "PUT", Retried: "no"}, {Method: "PATCH"},
					{Method: "POST", Retried: "no"}, {Method: "POST", Key: true, Retried: "refused, reset", Bodies: "empty"}},
				Hidden:    &audit.HiddenReplays{Faults: []string{"reset", "close"}, Methods: []string{"GET"}, Times: 1},
				Undecided: []string{"order: no gap was near the cap"},
			}},
		"jittered": {
			Subject: "aws",
			Policy: audit.Policy{
				Attempts: 3, On: []string{"503"}, RetryAfter: &audit.RetryAfterRule{Seconds: "ignored"},
				Rest:    &audit.Rest{BaseMS: 100, Growth: "", CapMS: 20_000, Jitter: "decorrelated", Order: "jitter-then-cap", Confidence: 0.97, Samples: 60},
				Timeout: &audit.Timeout{LimitMS: 5_000, Spans: "attempt"},
				Elapsed: &audit.Elapsed{LimitMS: 30_000},
			}},
		"spread": {
			Subject: "got",
			Policy: audit.Policy{
				Attempts: 3, On: []string{"503"}, RetryAfter: &audit.RetryAfterRule{},
				Rest: &audit.Rest{BaseMS: 1040, Factor: 1.94, Samples: 48, MiddleMS: 1100, SpreadPercent: 5.4},
			}},
	} {
		got := lab.File(a)
		golden := filepath.Join("testdata", name+".yaml")
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != string(got) {
			t.Errorf("%s (%v): got\n%s\nwant\n%s", name, err, got, want)
		}
	}
}

// Whatever stands in an audit, its policies are such as a lab takes, and their file says
// the same as they.
func TestPoliciesAreThoseOfALab(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := audit.Audit{Subject: "x", Policy: anyPolicy(t)}
		stack, _ := lab.Policies(a.Policy)
		text := lab.File(a)
		back, err := file.ReadPolicies("p.yaml", text)
		if err != nil || !reflect.DeepEqual(back, stack) {
			t.Fatalf("%v in\n%s\n got %+v\nwant %+v", err, text, back, stack)
		}
	})
}

func anyPolicy(t *rapid.T) audit.Policy {
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, 1.5, 100, 1000, 30_000, -1, math.NaN(), math.Inf(1), 0.0001}))
	word := rapid.SampledFrom([]string{"", "none", "full", "equal", "50%", "decorrelated", "fixed", "linear", "exponential", "503", "5xx", "reset", "stall",
		"before-rest", "after-rest", "jitter-then-cap", "attempt", "call", "exact", "ignored", "early", "yes", "no", "POST", "GET"})
	words := rapid.SliceOfN(word, 0, 3)
	p := audit.Policy{
		Attempts: rapid.OneOf(rapid.IntRange(0, 9), rapid.Int()).Draw(t, "attempts"), AtLeast: rapid.Bool().Draw(t, "at least"),
		On: words.Draw(t, "on"), OnlyWithRetryAfter: words.Draw(t, "only"), Undecided: words.Draw(t, "undecided"),
	}
	if rapid.Bool().Draw(t, "has rest") {
		first := number.Draw(t, "first")
		p.Rest = &audit.Rest{BaseMS: number.Draw(t, "base"), FirstMS: &first, Growth: word.Draw(t, "growth"), Factor: number.Draw(t, "factor"),
			CapMS: number.Draw(t, "cap"), Jitter: word.Draw(t, "jitter"), MiddleMS: number.Draw(t, "middle"), SpreadPercent: number.Draw(t, "spread"),
			Order: word.Draw(t, "order"), Confidence: number.Draw(t, "confidence")}
	}
	if rapid.Bool().Draw(t, "has limits") {
		p.Elapsed = &audit.Elapsed{LimitMS: number.Draw(t, "elapsed"), Rule: word.Draw(t, "rule")}
		p.Timeout = &audit.Timeout{LimitMS: number.Draw(t, "timeout"), Spans: word.Draw(t, "spans")}
	}
	if rapid.Bool().Draw(t, "has rules") {
		p.RetryAfter = &audit.RetryAfterRule{Seconds: word.Draw(t, "seconds"), Date: word.Draw(t, "date"), EarlyMS: number.Draw(t, "early")}
		p.Methods = []audit.MethodRule{{Method: word.Draw(t, "method"), Retried: word.Draw(t, "retried"), Bodies: word.Draw(t, "bodies")}}
		p.Hidden = &audit.HiddenReplays{Faults: words.Draw(t, "faults"), Methods: words.Draw(t, "methods")}
	}
	return p
}
