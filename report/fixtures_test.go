package report

import "strings"

// The results below are made by hand, so that what a renderer shows depends on
// nothing but the renderer.

func once(n int) *Policy { return &Policy{Attempts: n, Retries: n - 1} }

// chainOf is one request through client, a, b and the tail c.
func chainOf(name string, client, a, b int64) Variant {
	hits := client * a * b
	return Variant{
		Name: name, Engine: "live", Requests: 1, Hits: hits, Amplification: float64(hits), ElapsedMS: float64(hits) * 0.45,
		Layers: []Layer{
			{Name: "client", Requests: 1, Attempts: client, Policy: once(int(client))},
			{Name: "a", Requests: client, Attempts: client * a, Policy: once(int(a))},
			{Name: "b", Requests: client * a, Attempts: hits, Policy: once(int(b))},
			{Name: "c", Requests: hits},
		},
		Outcomes: Outcomes{Failed: 1}, HitKinds: HitKinds{First: 1, Retry: hits - 1},
		BinMS: 50, Bins: []int64{hits}, FirstWave: 1, RetryBins: []int64{hits - 1}, Waves: []int64{hits - 1},
		Peak: hits, RetryPeak: hits - 1, Peak100MS: hits,
		LatencyMS: Quantiles{P50: 4, P95: 4, P99: 4, Max: 4, Kind: Exact},
		SpreadMS:  &Spread{},
	}
}

func judged(id string, published, expected, measured any, t Tolerance) Figure {
	verdict, why := Judge(published, expected, measured, t)
	return Figure{ID: id, Published: published, Expected: expected, Measured: measured, Tolerance: t.String(), Verdict: verdict, Why: why}
}

func nestedRetry() Result {
	a3xb3 := chainOf("a3xb3", 1, 3, 3)
	a3xb3.Tree = tree3x3()
	return Result{
		Schema: Schema, Scenario: "nested-retry", Title: "One request through layers that each retry: the tail sees their product, not their sum.",
		Engine: "live", Net: "tcp", Seed: 1, Labctl: "v0.1.0",
		Variants: []Variant{a3xb3, chainOf("outermost-only", 1, 3, 1), chainOf("client3xa3xb3", 3, 3, 3), grouped("power3-2")},
		Grids: []Grid{
			{Name: "power3", Title: "hits on the tail, n layers of three attempts", ColName: "n", Rows: []string{"hits"},
				Cols: []string{"1", "2", "3", "4", "5"}, Cells: [][]int64{{3, 9, 27, 81, 243}}},
			{Name: "grid", Title: "hits on the tail, n layers of k attempts", RowName: "k", ColName: "n", Rows: []string{"1", "2", "3", "4", "5"},
				Cols:  []string{"1", "2", "3", "4", "5"},
				Cells: [][]int64{{1, 1, 1, 1, 1}, {2, 4, 8, 16, 32}, {3, 9, 27, 81, 243}, {4, 16, 64, 256, 1024}, {5, 25, 125, 625, 3125}}},
		},
		Figures: []Figure{
			judged("nested-retry/a3xb3.hits", 9, nil, int64(9), Exactly()),
			judged("nested-retry/outermost-only.hits", 3, nil, int64(3), Exactly()),
			judged("nested-retry/client3xa3xb3.hits", 27, nil, int64(27), Exactly()),
			judged("nested-retry/power3.hits", []int{3, 9, 27}, []int{3, 9, 27, 81, 243}, []int64{3, 9, 27, 81, 243}, Exactly()),
		},
		Findings: []Finding{
			{Code: "layers-multiply", Variant: "a3xb3", Layer: "b", Message: "a and b both retry: 3 × 3 = 9"},
			{Code: "layers-multiply", Variant: "client3xa3xb3", Layer: "b", Message: "client, a and b all retry: 3 × 3 × 3 = 27"},
		},
	}
}

func grouped(name string) Variant {
	v := chainOf(name, 1, 3, 3)
	v.Group = "power3"
	return v
}

func tree3x3() []Attempt {
	attempts := []Attempt{{Depth: 0, Layer: "client", Number: 1, To: "a", OffsetMS: 0.1, Outcome: "503"}}
	at := 0.1
	for a := 1; a <= 3; a++ {
		attempts = append(attempts, Attempt{Depth: 1, Layer: "a", Number: a, To: "b", OffsetMS: at + 0.1, Outcome: "503"})
		for b := 1; b <= 3; b++ {
			at += 0.4
			attempts = append(attempts, Attempt{Depth: 2, Layer: "b", Number: b, To: "c", OffsetMS: at, Outcome: "503"})
		}
	}
	return attempts
}

// herdOf is clients of three attempts that call the tail themselves.
func herdOf(name string, bins, retries []int64, peak100 int64) Variant {
	var hits, others int64
	for _, n := range bins {
		hits += n
	}
	for _, n := range retries {
		others += n
	}
	return Variant{
		Name: name, Engine: "live", Requests: hits - others, Hits: hits, Amplification: float64(hits) / float64(hits-others), ElapsedMS: 284.6,
		Layers: []Layer{
			{Name: "client", Requests: hits - others, Attempts: hits, Policy: &Policy{Attempts: 3, Retries: 2, Rest: "100ms", Backoff: "fixed", Jitter: "none", LargestRest: "100ms"}},
			{Name: "tail", Requests: hits},
		},
		Outcomes: Outcomes{Failed: hits - others}, HitKinds: HitKinds{First: hits - others, Retry: others},
		BinMS: 50, Bins: bins, FirstWave: hits - others, RetryBins: retries, Waves: wavesOf(retries),
		Peak: fullest(bins), RetryPeak: fullest(retries), Peak100MS: peak100,
		LatencyMS: Quantiles{P50: 201.2, P95: 262.8, P99: 280.1, Max: 284.6, Kind: Exact},
		SpreadMS:  &Spread{Issue: 1.9, FirstWave: 5.2, FirstWaveP1P99: 4.8},
	}
}

func wavesOf(bins []int64) []int64 { return (&Bins{retry: bins}).Waves() }

func jitterHerd() Result {
	fixed := herdOf("fixed", []int64{200, 0, 200, 0, 200}, []int64{0, 0, 200, 0, 200}, 200)
	shaken := Policy{Attempts: 3, Retries: 2, Rest: "100ms", Backoff: "fixed", Jitter: "50%", LargestRest: "150ms"}
	jitter := herdOf("jitter", []int64{200, 98, 127, 71, 79, 25}, []int64{0, 98, 127, 71, 79, 25}, 298)
	smeared := herdOf("smeared", []int64{200, 52, 112, 97, 85, 45, 9}, []int64{0, 52, 112, 97, 85, 45, 9}, 252)
	smeared.SpreadMS = &Spread{Issue: 44.1, FirstWave: 46.3, FirstWaveP1P99: 45}
	ragged := herdOf("no-barrier", []int64{131, 88, 101, 133, 85, 41, 21}, []int64{0, 19, 101, 133, 85, 41, 21}, 219)
	ragged.SpreadMS = &Spread{Issue: 60.2, FirstWave: 64.9, FirstWaveP1P99: 61.7}
	for _, v := range []Variant{jitter, smeared, ragged} {
		v.Layers[0].Policy = &shaken
	}
	return Result{
		Schema: Schema, Scenario: "jitter-herd", Title: "Two hundred clients fail together: jitter spreads their retries, and does nothing for the first wave.",
		Engine: "live", Net: "tcp", Seed: 7, Labctl: "v0.1.0",
		Variants: []Variant{fixed, jitter, smeared, ragged},
		Figures: []Figure{
			judged("jitter-herd/fixed.waves", []int{200, 200}, nil, fixed.Waves, Exactly()),
			judged("jitter-herd/jitter.first_wave", 200, nil, int64(200), Exactly()),
			judged("jitter-herd/smeared.retry_bins", []int{56, 102, 106, 76, 56, 4}, []float64{55, 109, 98, 84, 48, 7}, trimLeft(smeared.RetryBins), ChiSquare(1)),
			judged("jitter-herd/jitter.retry_peak", 106, 125, int64(133), Within(5)),
			judged("jitter-herd/no-barrier.peak_100ms", "jitter seems worse: 265 against 200", nil, int64(219), Exactly()),
		},
		Findings: []Finding{{Code: "jitter-spreads", Variant: "jitter", Message: "the retry peak falls from 200 to 127, the number of hits stays 600"}},
		Warnings: []Warning{{Code: "spread-over-half-bin", Variant: "no-barrier",
			Message: "the first wave is 64.9 ms wide and a bin is 50 ms: the start of the clients, not the policy, shaped this histogram"}},
	}
}

// wideNumbers is a herd of millions in virtual time, with hits over a long time.
func wideNumbers() Result {
	bins := make([]int64, 481)
	bins[0] = 33_000_000
	retries := make([]int64, 481)
	for k := 1; k <= 480; k++ {
		retries[k] = 68_750 - int64(k%7)*1_000
		bins[k] = retries[k]
	}
	v := herdOf("eight minutes of jitter", bins, retries, 33_000_000)
	w := herdOf("none", []int64{33_000_000, 33_000_000, 0, 0, 0, 0, 33_000_000}, []int64{0, 33_000_000, 0, 0, 0, 0, 33_000_000}, 33_000_000)
	for _, x := range []*Variant{&v, &w} {
		x.Engine, x.SpreadMS, x.BinMS, x.ElapsedMS = "sim", nil, 1000, 481_000
	}
	return Result{Schema: Schema, Scenario: "midnight", Engine: "sim", Seed: 3, Variants: []Variant{v, w}}
}

// phased has bins on the server's seconds, and an outage's long silence.
func phased() Result {
	v := herdOf("phased", []int64{62, 56, 30, 22, 0, 0, 0, 0, 0, 13, 14, 2, 1}, []int64{12, 56, 30, 22, 0, 0, 0, 0, 0, 13, 14, 2, 1}, 62)
	v.Engine, v.SpreadMS, v.BinMS, v.BinOffsetMS, v.At = "sim", nil, 1000, 780, "gateway"
	return Result{Schema: Schema, Scenario: "waves", Engine: "sim", Seed: 3, Variants: []Variant{v}}
}

// evil tries to break lines, tables, terminals and pages.
const evil = "a|b\n<script>alert(1)</script> \u202eesrever\x1b[31m`x` \u009b2J @team"

func hostile() Result {
	v := chainOf(evil, 1, 3, 1)
	v.Layers[1].Name = evil
	v.Layers[1].Policy.Rest = evil
	v.Tree = []Attempt{{Layer: evil, Number: 1, To: evil, Outcome: evil}}
	long := chainOf(strings.Repeat("long name ", 20), 1, 1, 1)
	return Result{
		Schema: Schema, Scenario: evil, Title: evil, Engine: "live", Net: "tcp", Seed: 1,
		Variants: []Variant{v, long},
		Grids:    []Grid{{Name: evil, Title: evil, RowName: evil, ColName: evil, Rows: []string{evil}, Cols: []string{evil, "2"}, Cells: [][]int64{{1, 2}}}},
		Figures:  []Figure{{ID: evil + "/x.hits", Published: evil, Measured: 3, Tolerance: "exact", Verdict: Off, Why: evil}},
		Findings: []Finding{{Code: "x", Variant: evil, Message: evil}},
		Warnings: []Warning{{Code: "x", Variant: evil, Message: evil}},
	}
}

func layersReadings() Result {
	return Result{
		Schema: Schema, Scenario: "layers", Title: "What 12 hits from one request can mean.", Engine: "sim", Seed: 1,
		Variants: []Variant{grouped("3x4")},
		Readings: []Reading{
			{Count: 12, Factors: []int64{12}, Layers: 1},
			{Count: 12, Factors: []int64{2, 6}, Layers: 2},
			{Count: 12, Factors: []int64{3, 4}, Layers: 2, Note: "the likely one: few policies allow more than five attempts"},
			{Count: 12, Factors: []int64{2, 2, 3}, Layers: 3},
		},
	}
}

func empty() Result { return Result{Scenario: "nothing", Engine: "live", Net: "pipe", Partial: true} }

// expected is a file's run with expectations, three of which fail.
func expected() Result {
	base, once := watchedVariant(), chainOf("b-once", 1, 3, 1)
	once.Engine, once.SpreadMS = "sim", nil
	r := Result{Schema: Schema, Scenario: "checkout.yaml", Engine: "sim", Seed: 1, Variants: []Variant{base, once},
		Warnings: []Warning{{Code: "x", Variant: "base", Message: "the load is 100 % of what c can do"}}}
	r.Expectations = append(JudgeExpectations(r, []Expect{
		{Field: "tail.amplification", Condition: "<= 3", Line: 12, Column: 23},
		{Variant: "base", Field: "web.p99", Condition: "< 800ms", Line: 13, Column: 12},
		{Variant: "base", Field: "outcomes.ok", Condition: ">= 99%", Line: 14, Column: 16},
		{Variant: "base", Field: "client.breaker.status", Condition: "closed", Line: 15, Column: 26},
		{Variant: "base", Field: "tail.bins", Condition: "[50, 50, 0, 50]", Line: 16, Column: 14},
	}), JudgeFaults(r, []FaultAt{{Variant: "base", Service: "d", Line: 8, Column: 16}})...)
	return r
}

func expectedOverRepeats() Result {
	es := []Expect{{Field: "tail.peak", Condition: "always <= 103", Line: 12}, {Field: "recovered_at", Condition: "<= 2s", Line: 13}, {Field: "client.breaker.status", Condition: "!= closed"}}
	runs := seeds(5)
	r := runs[0]
	r.Schema, r.Scenario, r.Repeats = Schema, "checkout.yaml", Repeat(runs, es...)
	r.Expectations = JudgeExpectations(r, es)
	return r
}
