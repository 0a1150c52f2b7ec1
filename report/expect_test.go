package report

import (
	"fmt"
	"strings"
	"testing"
)

// watchedVariant has everything that a field can ask for.
func watchedVariant() Variant {
	v := chainOf("base", 1, 3, 3)
	v.Engine, v.SpreadMS, v.RecoveredMS, v.ElapsedMS = "sim", nil, 165_000, 1_500_000
	v.Requests, v.Outcomes = 1000, Outcomes{OK: 987, Failed: 13}
	v.LatencyMS = Quantiles{P50: 1, P95: 250.25, P99: 799.6, Max: 1200, Kind: Exact}
	v.BinMS, v.BinOffsetMS = 50, 20
	v.Bins, v.RetryBins, v.Goodput, v.Waves = []int64{50, 50, 0, 50, 0}, []int64{0, 50, 0, 50, 0}, []int64{5, 0, 7}, []int64{50, 50}
	v.HitKinds = HitKinds{First: 50, Retry: 100, Orphan: 3}
	v.Hits, v.Amplification = 150, 0.15
	client := &v.Layers[0]
	client.Policy = &Policy{Attempts: 3, Retries: 2, LargestRest: "90s"}
	client.Bound, client.Time = &Bound{ExactMS: 300}, &TimeShare{TotalMS: 20, OwnMS: 5, Share: 0.25}
	client.Breaker = &Breaker{Status: "stuck half-open", Successes: 9, Failures: 1, Opened: 1, OpenedMS: 900}
	client.Bulkhead, client.Pool = &Bulkhead{Admitted: 8, Rejected: 2}, &Bulkhead{Waiting: 4}
	client.Adaptive, client.Fallback = &Adaptive{Limit: 7, Lowest: 2, Highest: 9}, &Fallback{Degraded: 3}
	client.Budget = &Budget{Requests: 1000, Retries: 600, ByFloor: 150}
	client.Hedge, client.Balance = &Hedge{Requests: 10, Hedged: 5, Copies: 6}, &Balance{Ejections: 2}
	v.Layers[3].Queue = &Bulkhead{Limit: 1, LongestWaitMS: 12.5}
	v.Routes = []Route{{Name: "web", Requests: 10, Outcomes: Outcomes{OK: 9, Failed: 1}, Done: 10, LatencyMS: Quantiles{P99: 42, Kind: Exact}}}
	return v
}

// one judges a single condition.
func one(t *testing.T, r Result, field, condition string) Verdict {
	t.Helper()
	ds := JudgeExpectations(r, []Expect{{Field: field, Condition: condition}})
	if len(ds) != 1 {
		t.Fatalf("%s %s: %d verdicts", field, condition, len(ds))
	}
	return ds[0]
}

func TestJudgeExpectations(t *testing.T) {
	r := Result{Scenario: "x", Engine: "sim", Variants: []Variant{watchedVariant()}}
	for _, c := range []struct{ field, condition, shown, why string }{
		{"hits", "150", "150", ""},
		{"hits", "149", "150", "150 instead of 149"},
		{"hits", "== 149", "150", "150 instead of 149"},
		{"hits", "40..45", "150", "150 is not 40..45"},
		{"hits", "150..151", "150", ""},
		{"hits", "149..150", "150", ""},
		{"hits", "< 150", "150", "150 is not < 150"},
		{"hits", "<= 150", "150", ""},
		{"hits", "!= 150", "150", "150 is not != 150"},
		{"hits", "always >= 150", "150", ""},
		{"hits", "always 7", "150", "150 instead of 7"},
		{"tail.hits", "150", "150", ""},
		{"c.hits", "150", "150", ""},
		{"tail.requests", "9", "9", ""},
		{"tail.orphans", "0", "3", "3 instead of 0"},
		{"orphans", "<= 2%", "2%", ""},
		{"tail.amplification", "<= 0.15", "0.15", ""},
		{"b.requests", "3", "3", ""},
		{"client.p99", "< 800ms", "799.6ms", ""},
		{"p95", "250.25ms", "250.25ms", ""},
		{"p95_ms", "<= 250", "250.25ms", "250.25ms is not <= 250"},
		{"web.p99", "<= 42ms", "42ms", ""},
		{"web.ok", ">= 95%", "90%", "90% is not >= 95%"},
		{"outcomes.ok", ">= 99%", "98.7%", "98.7% is not >= 99%"},
		{"outcomes.ok", "98.7%", "98.7%", ""},
		{"ok", "987", "987", ""},
		{"ok_share", ">= 98.7%", "98.7%", ""},
		{"error_percent", "<= 1.3", "1.3%", ""},
		{"client.time.share", "< 25%", "25%", "25% is not < 25%"},
		{"recovered", "true", "true", ""},
		{"recovered", "false", "true", "true instead of false"},
		{"recovered", "!= false", "true", ""},
		{"recovered_at", "2m40s..2m50s", "2m45s", ""},
		{"client.breaker.status", "closed", "stuck half-open", "stuck half-open instead of closed"},
		{"client.breaker.status", "!= open", "stuck half-open", ""},
		{"client.breaker.opened_at", "900ms", "900ms", ""},
		{"client.breaker.failures", "10%", "10%", ""},
		{"client.budget.by_share", "75%", "75%", ""},
		{"client.largest_rest", "<= 60s", "1m30s", "1m30s is not <= 60s"},
		{"tail.queue.longest_wait", "< 20ms", "12.5ms", ""},
		{"tail.bins", "[50, 50, 0, 50]", "50 50 0 50", ""},
		{"tail.bins", "[50, 0, 50]", "50 50 0 50", "place 2 is 50 instead of 0: 50 50 0 50"},
		{"tail.bins", "!= [50, 50, 0, 50]", "50 50 0 50", "50 50 0 50 is not != [50, 50, 0, 50]"},
		{"retry_bins", "[50, 0, 50]", "0 50 0 50", ""},
		{"retry_bins", "[0, 50, 0, 50, 0]", "0 50 0 50", ""},
		{"retry_bins", "[0, 0, 50, 0, 50]", "0 50 0 50", "place 2 is 50 instead of 0: 0 50 0 50"},
		{"bins@0s", "50", "50", ""},
		{"bins@79ms", "50", "50", ""},
		{"bins@80ms", "0", "0", ""}, // the release is 20 ms into the first bin
		{"bins@290y", "0", "", `"290y" is no instant: write a time after the release, as in bins@2s`},
		{"bins@2562047h", "0", "0", ""},
		{"goodput@80ms", "7", "7", ""},
		{"goodput@1s", "0", "", "no request began at 1s or later: let the load go on for longer, or ask for an earlier instant"},
		{"b.breaker.status", "closed", "", "nothing was measured: b.breaker has no such thing in this variant, or it never came to it: add it, or leave the expectation out"},
		{"a.peak", "3", "", "the bins of this run are of c: run with --at a, or ask for c.peak"},
		{"hits", "many", "", `"many" is not a count, which hits is: write <= 120`},
	} {
		d := one(t, r, c.field, c.condition)
		if d.Pass != (c.why == "") || d.Shown != c.shown && c.shown != "" || d.Why != c.why {
			t.Errorf("%s %s: pass %v, %q, why %q; want %q, why %q", c.field, c.condition, d.Pass, d.Shown, d.Why, c.shown, c.why)
		}
	}
}

// A number that rounding would put on the right side is shown in full.
func TestShownNumbersAreOnTheirSide(t *testing.T) {
	v := watchedVariant()
	v.Amplification, v.LatencyMS.P99 = 3.00000001, 800.0000001
	r := Result{Engine: "sim", Variants: []Variant{v}}
	if d := one(t, r, "amplification", "<= 3"); d.Pass || d.Shown != "3.00000001" {
		t.Errorf("got %+v", d)
	}
}

// A service that never recovers fits no condition on the instant.
func TestNeverRecovered(t *testing.T) {
	v := watchedVariant()
	v.RecoveredMS = -1
	r := Result{Engine: "sim", Variants: []Variant{v}}
	for _, condition := range []string{"<= 10s", ">= 10s", "!= 10s", "0s..10h"} {
		if d := one(t, r, "recovered_at", condition); d.Pass || d.Measured != "never" || d.Why != "it never recovered, expected "+condition {
			t.Errorf("%s: %+v", condition, d)
		}
	}
	if d := one(t, r, "recovered", "false"); !d.Pass || d.Measured != false {
		t.Errorf("recovered: %+v", d)
	}
}

func TestExpectationsAndVariants(t *testing.T) {
	a, b := chainOf("base", 1, 3, 3), chainOf("b-once", 1, 3, 1)
	r := Result{Engine: "both", Variants: []Variant{a, b}}
	var got []string
	for _, d := range JudgeExpectations(r, []Expect{
		{Field: "hits", Condition: "<= 3"}, {Variant: "b-once", Field: "hits", Condition: "3"}, {Variant: "c-once", Field: "hits", Condition: "3"},
	}) {
		got = append(got, fmt.Sprint(d.about(), " ", d.Pass, " ", d.Why))
	}
	want := []string{
		"base (live) false 9 is not <= 3", "b-once (live) true ", "b-once (live) true ",
		`c-once false no variant "c-once" ran: choose base, b-once`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if d := one(t, Result{}, "hits", "3"); d.Pass || d.Why != "nothing ran: run it again" {
		t.Errorf("nothing ran: %+v", d)
	}
	r.Partial = true
	if d := JudgeExpectations(r, []Expect{{Variant: "b-once", Field: "hits", Condition: "3"}}); d[0].Pass {
		t.Error("an interrupted run proves nothing")
	}
}

// Bins of another layer are not given out as the tail's.
func TestBinsOfAnotherLayer(t *testing.T) {
	v := watchedVariant()
	v.At, v.Peak = "a", 7
	r := Result{Engine: "sim", Variants: []Variant{v}}
	if d := one(t, r, "a.peak", "7"); !d.Pass {
		t.Errorf("a: %+v", d)
	}
	if d := one(t, r, "tail.peak", "7"); d.Pass || d.Why != "the bins of this run are of a: run with --at c, or ask for a.peak" {
		t.Errorf("tail: %+v", d)
	}
	if _, ok := Measure(v, "tail.peak"); ok {
		t.Error("Measure takes them for the tail's")
	}
}

// seeds are runs that differ in their peak, their verdict and their recovery.
func seeds(n int) []Result {
	var runs []Result
	for k := range n {
		v := watchedVariant()
		v.Peak, v.Outcomes = int64(100+k), Outcomes{OK: int64(900 + k)}
		if v.RecoveredMS = float64(1000 * k); k >= n-2 {
			v.RecoveredMS, v.Layers[0].Breaker.Status = -1, "open"
		}
		runs = append(runs, Result{Engine: "sim", Seed: 1, Variants: []Variant{v}})
	}
	return runs
}

func TestExpectationsOverRepeats(t *testing.T) {
	for _, c := range []struct {
		runs                                   int
		field, condition, shown, interval, why string
	}{
		{5, "peak", "<= 102", "102", "100 … 104", ""},
		{5, "tail.peak", "< 102", "102", "100 … 104", "102, the median of 5 runs (100 … 104), is not < 102"},
		{5, "peak", "always <= 102", "102", "100 … 104", "5 runs gave 100 … 104, which is not always <= 102"},
		{5, "peak", "always 100..104", "102", "100 … 104", ""},
		{5, "peak", "always != 102", "102", "100 … 104", "5 runs gave 100 … 104, which is not always != 102"},
		{5, "peak", "always != 105", "102", "100 … 104", ""},
		{100, "peak", "always <= 198", "149", "102 … 197", "100 runs gave 100 … 199, which is not always <= 198"},
		{100, "peak", "always <= 199", "149", "102 … 197", ""},
		{5, "ok", ">= 90.2%", "90.2%", "90% … 90.4%", ""},
		{5, "b.requests", "3", "3", "", ""},
		{5, "recovered_at", "<= 2s", "2s", "0s … never", ""},
		{5, "recovered_at", "always <= 1h", "2s", "0s … never", "5 runs gave 0s … never, which is not always <= 1h"},
		{5, "recovered", "true", "true", "false … true", ""},
		{3, "recovered", "true", "false", "false … true", "false, the median of 3 runs (false … true), is not true"},
		{5, "client.breaker.status", "stuck half-open", "stuck half-open", "stuck half-open, open",
			"5 runs gave stuck half-open, open, and a word must fit in every run: expected stuck half-open"},
		{5, "client.breaker.status", "!= closed", "stuck half-open", "stuck half-open, open", ""},
		{5, "bins@0s", "50", "50", "", ""},
	} {
		runs, e := seeds(c.runs), Expect{Field: c.field, Condition: c.condition}
		r := runs[0]
		r.Repeats = Repeat(runs, e)
		d := JudgeExpectations(r, []Expect{e})[0]
		if d.Runs != c.runs || d.Shown != c.shown || d.Interval != c.interval || d.Why != c.why || d.Pass != (c.why == "") {
			t.Errorf("%s %s over %d: %+v", c.field, c.condition, c.runs, d)
		}
	}
}

// A pass by one run of many says so.
func TestUnwatchedNumbersSaySo(t *testing.T) {
	r := seeds(5)[0]
	r.Repeats = Repeat(seeds(5))
	if d := one(t, r, "b.requests", "3"); !d.Pass || d.Runs != 0 || d.Why != "judged by the first run only" {
		t.Errorf("got %+v", d)
	}
}

// The names that are accepted before a run are those that can be read after it,
// and mean what they are said to mean.
func TestEveryFieldCanBeMeasured(t *testing.T) {
	v := watchedVariant()
	check := func(name string, kind fieldKind) {
		m, ok := Measure(v, name)
		text, isText := m.(string)
		_, isTruth := m.(bool)
		_, isCount := m.(int64)
		_, isList := m.([]int64)
		if !ok || isText != (kind == wordField) || isTruth != (kind == truthField) || isList != (kind == listField) || kind == countField && !isCount {
			t.Errorf("%s, %v, is %v (%T) %s", name, kind, m, m, text)
		}
		if err := CheckField(layerNames(v), name, "web"); err != nil {
			t.Error(err)
		}
	}
	for name, f := range variantFields {
		check(name, f.kind)
		if among(tailFields, name) || among(binFields, name) {
			check("tail."+name, f.kind)
		}
	}
	for name, f := range layerFields {
		check("client."+name, f.kind)
	}
	for name, f := range routeFields {
		check("web."+name, f.kind)
	}
	for kind, fs := range signalFields {
		owner := "client."
		if kind == "queue" {
			owner = "tail."
		}
		for name, f := range fs {
			check(owner+kind+"."+name, f.kind)
			if f.of != "" && fs[f.of].kind != countField {
				t.Errorf("%s.%s is a part of no count", kind, name)
			}
		}
	}
}

func TestJudgeFaults(t *testing.T) {
	base, quiet := chainOf("base", 1, 3, 3), chainOf("quiet", 1, 3, 3)
	quiet.Layers[3].Requests = 0
	r := Result{Engine: "sim", Variants: []Variant{base, quiet}}
	got := JudgeFaults(r, []FaultAt{{Service: "c", Line: 9, Column: 5}, {Variant: "base", Service: "b"}})
	if len(got) != 1 || got[0].Variant != "quiet" || got[0].Line != 9 || got[0].Pass ||
		!strings.HasPrefix(got[0].Message(), "quiet: c.requests: the fault was never reached: no request came to c") {
		t.Errorf("got %+v", got)
	}
	// A later seed reached it.
	later := Result{Engine: "sim", Variants: []Variant{base, base}}
	r.Repeats = Repeat([]Result{r, later}, FaultAt{Service: "c"}.Expect())
	if got := JudgeFaults(r, []FaultAt{{Service: "c"}}); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}
