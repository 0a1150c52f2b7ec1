package scenarios

import (
	"time"

	"labctl/report"
)

func storm() Scenario {
	const name = "storm"
	t := with(lab("503@0s..2s,ok", 1), sets("load.herd.clients", "50", clientCall+"retry.attempts", "unlimited", clientCall+"retry.rest", "50ms")...)
	t.Run.Until = time.Minute
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "What an outage of two seconds costs the service that is down: with backoff a seventh.",
		Text: `50 clients meet an outage of 2 s and retry until they are through. At a steady
50 ms each makes 40 attempts in those 2 s, 2 000 hits on a service that is trying to
come back. Doubling the rest makes it 6 attempts (at 0, 50, 150, 350, 750 and
1550 ms), 300 hits. The price is paid at the end: with backoff a client may learn
over a second late that the service is back.

Live, attempt 40 leaves the outage when an attempt costs over 1.28 ms: 39 rounds,
1 950 hits.`,
		Topology: t,
		Variants: []Variant{
			{Name: "immediate"},
			{Name: "backoff", Set: sets(clientCall+"retry.backoff", "exponential")},
		},
		Figures: []Figure{
			figure(name, "immediate", "hits_during", 2000, report.Exactly()).at("failed_hits").liveAs(onLive(report.Between(1950, 2000))),
			figure(name, "immediate", "hits", nil, report.Exactly()).expects(2050).liveAs(onLive(report.Between(2000, 2050))),
			figure(name, "backoff", "hits_during", 300, report.Exactly()).at("failed_hits"),
			figure(name, "backoff", "hits", nil, report.Exactly()).expects(350),
			figure(name, "ratio", "hits_during", 6.7, report.Within(0.05)).at("failed_hits").ratio("immediate", "backoff").
				liveAs(onLive(report.Between(6.5, 6.7))),
		},
	}
}
