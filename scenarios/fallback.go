package scenarios

import "labctl/report"

func fallback() Scenario {
	const name = "fallback"
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A fallback keeps answering while the service is down; it must say how old its answer is.",
		Text: `Ten requests per second for 4 s, and an outage from 1 s to 3 s. Without a fallback
20 requests fail. stale answers them with the last good answer, marked as degraded:
they are not counted as ok, and their age grows to two seconds. fresh accepts an age
of one second at most, which covers the first half of the outage and fails the rest.
How old is too old is a question for the owner of the product: yesterday's price may
be worse than none.`,
		Topology: with(lab("503@1s..3s,ok", 1), sets("load.rate", "10/s", "load.for", "4s")...),
		Variants: []Variant{
			{Name: "none"},
			{Name: "stale", Set: sets(clientCall+"fallback.max_age", "0s")},
			{Name: "fresh", Set: sets(clientCall+"fallback.max_age", "1s")},
		},
		Figures: []Figure{
			figure(name, "none", "failed", nil, report.Exactly()).expects(20),
			figure(name, "stale", "degraded", "a fallback must say how old it is", report.Exactly()).expects(20),
			figure(name, "stale", "age_ms", nil, report.Exactly()).expects(2_000).at("client.fallback.oldest_ms").
				liveAs(&LiveValue{Expected: 2_000, Tolerance: report.WithinPercent(10)}),
			figure(name, "fresh", "degraded", nil, report.Exactly()).expects(10).liveAs(onLive(report.Between(9, 10))),
		},
	}
}
