package scenarios

import (
	"slices"

	"labctl/report"
)

func breaker() Scenario {
	const name = "breaker"
	opens := under(clientCall+"breaker.", "failures", "5", "open_for", "1h")
	rate := under(clientCall+"breaker.", "rate", "50%", "volume", "20", "open_for", "1h")
	many := sets("load.herd.requests", "5000", clientCall+"retry.attempts", "1")
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A circuit breaker stops the hits on a dead service; where it stands decides when.",
		Text: `One client makes ten requests, one after the other, three attempts each, against
a dead service: 30 hits. A breaker inside the retry sees every attempt, opens
after five failures in a row, and lets nothing through: 5 hits. Outside the retry
it sees one failure per request, when all three attempts are used up, and opens
after 15 hits.

A breaker is for services that are down, not for failures one by one. steady:
10 % of the calls fail, and it stays closed, so 10 % of the requests fail. tripped:
60 % fail, above its threshold of 50 %; from then on everything does. retried: one
retry turns 10 % into 1 %, and the breaker inside it still sees 10 %.`,
		Topology: with(lab("503", 3), set("load.herd.requests", "10")),
		Variants: []Variant{
			{Name: "without"},
			{Name: "with", Set: opens},
			{Name: "outside", Set: append(slices.Clone(opens), set(clientCall+"policies", "breaker,retry"))},
			{Name: "steady", Set: slices.Concat(many, rate, sets("services.a.fault", "503:10%"))},
			{Name: "tripped", Set: slices.Concat(many, rate, sets("services.a.fault", "503:60%"))},
			{Name: "retried", Set: slices.Concat(many, rate, sets("services.a.fault", "503:10%", clientCall+"retry.attempts", "2"))},
		},
		Figures: []Figure{
			figure(name, "without", "hits", 30, report.Exactly()),
			figure(name, "with", "hits", 5, report.Exactly()),
			figure(name, "outside", "hits", nil, report.Exactly()).expects(15),
			figure(name, "steady", "failed", 10, binomial99(10, 5000)).at("error_percent"),
			// The first 20 calls, before it opens, are in the number.
			figure(name, "tripped", "failed", 100, report.Within(0.5)).at("error_percent"),
			figure(name, "retried", "ok", 99, binomial99(99, 5000)).at("ok_percent"),
			figure(name, "retried", "error_rate", 1, binomial99(1, 5000)).at("error_percent"),
			figure(name, "retried", "recorded_failures", nil, binomial99(10, 5500)).expects(10).at("client.breaker.failure_percent"),
		},
	}
}
