package scenarios

import (
	"time"

	"labctl/report"
)

func capOrder() Scenario {
	const name = "cap-order"
	base := lab("503", 2)
	base.Load.Herd.Clients = 10_000
	base.Run.Bin = time.Second
	base = with(base, under(clientCall+"retry.", "rest", "60s", "cap", "60s", "jitter", "50%")...)
	retry := func(field, value string) Variant {
		return Variant{Name: value, Set: sets(clientCall+"retry."+field, value)}
	}
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Beyond:  true,
		Title:   "The order of cap and jitter: a maximum that is exceeded, or a herd that stays one.",
		Text: `10,000 clients have backed off as far as they may: the rest is 60 s, and so is the cap.
Which of the two comes last, the cap or the jitter of ±50 %, decides what happens.

cap-then-jitter spreads the retries over 30 s to 90 s, some 167 a second: half of them
wait for longer than the "maximum" of 60 s (cenkalti/backoff#139). jitter-then-cap keeps
the maximum and gives up the jitter: whatever is drawn above 60 s becomes 60 s, so half
of the herd, 5,000, comes back within one second. From a nominal rest of 120 s on all of
it would: no jitter is left just when the outage is long, which is what the SDK of AWS
for Go did (aws/aws-sdk-go-v2#3091, changed in #3400).

full and equal are the way out. They only ever shorten a rest, so that after the cap they
keep it and still spread: over 0 s to 60 s, or over 30 s to 60 s and so twice as dense.
None of the four changes the load: 20,000 hits.

A live run takes up to 90 s per variant: use --engine sim.`,
		Topology: base,
		Variants: []Variant{
			retry("order", "cap-then-jitter"), retry("order", "jitter-then-cap"),
			retry("jitter", "full"), retry("jitter", "equal"),
		},
		Figures: capOrderFigures(name),
	}
}

// The fullest of 60 bins, or of 30, of 10,000 draws that are even over them: the mean
// is 166.7, or 333.3, with a deviation of 12.8, or 18. The bounds leave out a run or
// two of 10,000.
func capOrderFigures(name string) []Figure {
	sixty, thirty := report.Between(180, 230), report.Between(345, 425)
	fig := func(variant, field string, published any, t report.Tolerance) Figure {
		return figure(name, variant, field, published, t).simOnly(longRest)
	}
	return append(timed(
		fig("cap-then-jitter", "retry_peak", nil, sixty),
		fig("cap-then-jitter", "max_ms", "more than the maximum", report.Between(89_900, 90_000)),
		// Half of 10,000 draws, with a deviation of 50.
		fig("jitter-then-cap", "retry_peak", "no jitter at the maximum", report.Within(200)).expects(5000),
		fig("full", "retry_peak", nil, sixty),
		fig("full", "max_ms", nil, report.Between(59_900, 60_000)),
		fig("equal", "retry_peak", nil, thirty),
		fig("equal", "max_ms", nil, report.Between(59_900, 60_000)),
	),
		fig("cap-then-jitter", "hits", nil, report.Exactly()).expects(20_000),
		fig("jitter-then-cap", "hits", nil, report.Exactly()).expects(20_000),
		fig("jitter-then-cap", "max_ms", nil, report.Exactly()).expects(60_000),
	)
}

const longRest = "a live run of it takes 90 s a variant: run it with --engine sim"
