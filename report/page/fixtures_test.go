package page

import (
	"strings"
	"time"

	"labctl/audit"
	"labctl/report"
)

// The content below is made by hand, so that a page depends on nothing but this
// package.

func once(n int) *report.Policy { return &report.Policy{Attempts: n, Retries: n - 1} }

// herd is clients of three attempts that call the tail themselves.
func herd(name, engine string, bins, retries []int64) report.Variant {
	hits, again := sum(bins), sum(retries)
	return report.Variant{
		Name: name, Engine: engine, Requests: hits - again, Hits: hits, Amplification: float64(hits) / float64(hits-again), ElapsedMS: 284.6,
		Layers: []report.Layer{
			{Name: "client", Requests: hits - again, Attempts: hits, Policy: once(3)},
			{Name: "tail", Requests: hits},
		},
		Outcomes: report.Outcomes{Failed: hits - again}, HitKinds: report.HitKinds{First: hits - again, Retry: again},
		BinMS: 50, Bins: bins, RetryBins: retries, FirstWave: hits - again, Waves: []int64{again},
		Peak: 200, RetryPeak: 127, Peak100MS: 298, LatencyMS: report.Quantiles{Kind: "exact"},
	}
}

func sum(ns []int64) int64 {
	total := int64(0)
	for _, n := range ns {
		total += n
	}
	return total
}

// jittered is a live herd with its shadow, beside one without jitter.
func jittered() report.Result {
	fixed := herd("fixed", "live", []int64{200, 0, 200, 0, 200}, []int64{0, 0, 200, 0, 200})
	fixed.IdealBins = []int64{200, 0, 200, 0, 200}
	jitter := herd("jitter", "live", []int64{200, 98, 127, 71, 79, 25}, []int64{0, 98, 127, 71, 79, 25})
	jitter.IdealBins = []int64{200, 100, 124, 80, 67, 29}
	jitter.DriftMS = &report.Drift{P50: 1.2, P99: 3.4, Max: 5.6, Unmatched: 2}
	jitter.Tree = []report.Attempt{{Layer: "client", Number: 1, To: "tail", OffsetMS: 0.4, Outcome: "503"}}
	return report.Result{
		Schema: report.Schema, Scenario: "jitter-herd", Title: "Two hundred clients fail together.", Engine: "live", Net: "tcp", Seed: 7,
		Labctl: "0.1.0", Command: "labctl run jitter-herd --seed 7",
		Variants: []report.Variant{fixed, jitter},
		Grids: []report.Grid{{Name: "grid", Title: "hits, n layers of k attempts", RowName: "k", ColName: "n",
			Rows: []string{"1", "3", "5"}, Cols: []string{"1", "5"}, Cells: [][]int64{{1, 1}, {3, 243}, {5}}}},
		Figures: []report.Figure{
			{ID: "jitter-herd/fixed.waves", Published: []int64{200, 200}, Measured: []int64{200, 200}, Tolerance: "exact", Verdict: report.Reproduced},
			{ID: "jitter-herd/jitter.retry_peak", Published: 106, Measured: 127, Tolerance: "± 5", Verdict: report.Off, Why: "127 is not within 5 of 106"},
		},
		Findings:     []report.Finding{{Code: "x", Variant: "jitter", Message: "the retry peak falls from 200 to 127"}},
		Warnings:     []report.Warning{{Code: "x", Variant: "jitter", Message: "hits came late"}, {Code: "x", Message: "about all"}},
		Expectations: []report.Verdict{{Expect: report.Expect{Variant: "jitter", Field: "tail.amplification", Condition: "<= 3"}, Shown: "3", Pass: true}},
	}
}

// outage is a load that rises and falls, over a graph that branches.
func outage() report.Result {
	asked := []int64{100, 100, 100, 280, 280, 280, 400, 400, 280, 280, 280, 100, 100, 100}
	good := []int64{100, 100, 100, 280, 280, 280, 300, 120, 0, 0, 0, 0, 100, 100}
	bins, retries := make([]int64, len(asked)), make([]int64, len(asked))
	for i, n := range asked {
		retries[i] = n - good[i]
		bins[i] = n + retries[i]
	}
	v := report.Variant{
		Name: "base", Engine: "sim", Requests: sum(asked), Hits: sum(bins), Amplification: 1.5, BinMS: 5000, Bins: bins, RetryBins: retries,
		Goodput: good, RecoveredMS: 60_000, LoadMS: 70_000, LatencyMS: report.Quantiles{Kind: "exact"},
		Layers: []report.Layer{
			{Name: "client", Requests: 100, Attempts: 300, Policy: once(3)}, {Name: "web", Requests: 300, Attempts: 540},
			{Name: "cart", Requests: 240, Attempts: 480, Policy: once(2)}, {Name: "db", Requests: 780},
		},
		Edges: []report.CallEdge{
			{From: "client", To: "web", Requests: 100, Attempts: 300}, {From: "web", To: "cart", Requests: 300, Attempts: 240},
			{From: "web", To: "db", Requests: 300, Attempts: 300}, {From: "cart", To: "db", Requests: 240, Attempts: 480},
		},
	}
	return report.Result{Schema: report.Schema, Scenario: "outage", Engine: "sim", Seed: 1, Variants: []report.Variant{v}}
}

// evil tries to end every kind of text that a page has.
const evil = "</script></style></title>--><script>alert(1)</script>\" ' onload=x `${1}` {{.}} \u202eesrever\u2028\x00\x1b[31m\n<img src=x onerror=alert(1)>"

func hostile() Content {
	v := herd(evil, "live", []int64{5, 3, 2}, []int64{0, 3, 2})
	w := herd(strings.Repeat("long name ", 1000), "live", []int64{4, 3, 2}, []int64{0, 3, 2})
	v.Layers[1].Name, v.Layers[0].Policy.Rest, v.At = evil, evil, evil
	w.At = evil
	v.Goodput = nil
	v.Tree = []report.Attempt{{Layer: evil, Number: 1, To: evil, Outcome: evil}}
	r := report.Result{
		Schema: report.Schema, Scenario: evil, Title: evil, Engine: "live", Net: "tcp", Labctl: evil, Command: evil, Variants: []report.Variant{v, w},
		Grids:        []report.Grid{{Name: evil, Title: evil, RowName: evil, ColName: evil, Rows: []string{evil}, Cols: []string{evil, "2"}, Cells: [][]int64{{1, 2}}}},
		Readings:     []report.Reading{{Count: 3, Factors: []int64{3}, Layers: 1, Note: evil}},
		Figures:      []report.Figure{{ID: evil + "/x.hits", Published: evil, Measured: 3, Tolerance: evil, Verdict: evil, Why: evil}},
		Findings:     []report.Finding{{Code: evil, Variant: evil, Message: evil}},
		Warnings:     []report.Warning{{Code: evil, Variant: evil, Message: evil}},
		Expectations: []report.Verdict{{Expect: report.Expect{Variant: evil, Field: evil, Condition: evil}, Shown: evil, Why: evil}},
	}
	return Content{Results: []report.Result{r, {Scenario: evil, Engine: "sim", Partial: true}}, Audits: []audit.Audit{hostileAudit()}}
}

func hostileAudit() audit.Audit {
	return audit.Audit{
		Schema: audit.Schema, Subject: evil, Version: evil, Command: []string{evil}, Partial: true,
		Probes:   []audit.Row{{Fault: evil, Method: evil, Connection: evil, Hits: 2, GapsMS: []float64{1}, Outcome: evil, Note: evil}},
		Policy:   audit.Policy{Attempts: 2, On: []string{evil}, Undecided: []string{evil}, Rest: &audit.Rest{Base: time.Second, BaseMS: 1000, Growth: evil, Jitter: evil}},
		Chains:   []audit.Chain{{Fault: evil, Method: evil, Connection: evil, Hits: 2, Layers: []audit.Layer{{Name: evil, Requests: 1, Attempts: 2, Factor: 2}}}},
		Findings: []audit.Finding{{Code: evil, Severity: audit.Danger, Message: evil}},
		Warnings: []string{evil},
	}
}
