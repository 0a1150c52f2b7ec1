package scenarios

import (
	"slices"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

func jitterHerd() Scenario {
	const name = "jitter-herd"
	services := topology.Chain(3)
	services[0].Calls[0].Policies[0].Retry.Rest = policy.Rest{Base: 100 * time.Millisecond}
	jitter := set("services.client.calls.a.retry.jitter", "50%")
	barrier := set("load.herd.barrier", "false")
	return Scenario{
		Name:  name,
		Title: "A herd fails at one instant: what jitter does to its retries, and what it cannot do.",
		Text: `200 clients are released together against a tail that always answers 503. Each
makes three attempts, 100 ms apart. With a fixed rest the whole herd returns as
one block, twice. With a jitter of ±50 % its retries spread over five or six
bins, and the fullest holds about 125.

Two things to see. Jitter does not reduce the load: 600 hits either way. And it
does not touch the first wave: 200 in bin 0 either way, since those clients have
not retried yet; spread the start itself for that.

smeared is what the article measured: its threads started up over some 45 ms.
no-barrier shows the article's first, wrong reading: 265 hits in the fullest
window of 100 ms with jitter, 200 without, as if jitter were worse. Two things
mislead there. A window of 100 ms holds the first wave and the first retries at
once, which a sharp release does not change; and without a barrier the clients'
start-up is part of the histogram. Use bins narrower than the rest, and compare
the spread of the first wave with the bin before you believe a histogram.`,
		Topology: topology.Topology{
			Load:     topology.Load{Herd: topology.Herd{Clients: 200}},
			Services: services,
			Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
		},
		Variants: []Variant{
			{Name: "fixed", Set: []topology.Setting{set("services.client.calls.a.retry.jitter", "none")}, Reference: true},
			{Name: "jitter", Set: []topology.Setting{jitter}},
			{Name: "smeared", Set: []topology.Setting{jitter, set("load.herd.smear", "45ms")}},
			{Name: "no-barrier", Set: []topology.Setting{jitter, barrier}},
		},
		Figures: jitterFigures(name),
	}
}

// jitterFigures are the article's counts and, marked as such, its bins.
func jitterFigures(name string) []Figure {
	within5 := report.Within(5) // the median over 20 seeds and more
	return slices.Concat(
		[]Figure{
			figure(name, "fixed", "first_wave", 200, report.Exactly()),
			figure(name, "fixed", "hits", 600, report.Exactly()),
			figure(name, "jitter", "first_wave", 200, report.Exactly()),
			figure(name, "jitter", "hits", 600, report.Exactly()),
		},
		timed(
			figure(name, "fixed", "waves", []int64{200, 200}, report.Exactly()),
			figure(name, "fixed", "peak", 200, report.Exactly()),
			Figure{ID: name + "/jitter.retry_bins", Variants: []string{"jitter"}, Field: "retry_bins",
				Published: publishedRows, Expected: []int64{100, 125, 75, 75, 25}, Tolerance: report.ChiSquare(1)},
			Figure{ID: name + "/jitter.retry_peak", Variants: []string{"jitter"}, Field: "retry_peak",
				Published: publishedPeaks, Expected: 125, Tolerance: report.Between(112, 140), Repeated: &within5},
			Figure{ID: name + "/smeared.retry_bins", Variants: []string{"smeared"}, Field: "retry_bins",
				Published: publishedRows, Expected: []int64{55, 109, 98, 84, 48, 7}, Tolerance: report.ChiSquare(1)},
			Figure{ID: name + "/smeared.retry_peak", Variants: []string{"smeared"}, Field: "retry_peak",
				Published: publishedPeaks, Expected: 110, Tolerance: report.Between(98, 126), Repeated: &within5},
			Figure{ID: name + "/no-barrier.peak_100ms", Variants: []string{"no-barrier"}, Field: "peak_100ms",
				Published: 265, Tolerance: report.Between(201, 400), LiveOnly: true},
		))
}

// The article printed three runs.
const (
	publishedRows  = "56 102 106 76 56 4; 46 95 115 81 50 13; 63 95 112 80 43 7"
	publishedPeaks = "106, 115, 112"
)
