package scenarios

import (
	"slices"

	"labctl/report"
)

func breakerOrder() Scenario {
	const name = "breaker-order"
	never := under(clientCall+"breaker.", "failures", "1000", "open_for", "1h")
	opens := under(clientCall+"breaker.", "failures", "5", "open_for", "1h")
	outside := sets(clientCall+"policies", "breaker,retry")
	two := slices.Concat(
		sets("services.a.replicas", "2", "services.a.fault", "ok", "services.a.replica.0.fault", "503", "load.herd.requests", "100"),
		under(clientCall, "balance.law", "round-robin", "retry.on", "503,rejected"),
		under(clientCall+"breaker.", "failures", "5", "window", "1h", "open_for", "1h"))
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "Retry inside the breaker or breaker inside the retry: what each of them sees.",
		Text: `Ten requests of three attempts against a dead service, with a breaker that never
opens: inside the retry it records all 30 attempts, outside only the 10 exhausted
calls. Let it open after 5 failures, and inside it stops the hits at 5, outside at
15. What users see is the same here, ten failures; they see them sooner inside.

Breakers per host need the inner order: an attempt must have a host first. Of two
replicas one is broken. One breaker for both opens on the failures of the one and
rejects calls that the other would have answered. One per replica opens for the
broken one only, the retry goes to the other, and no request fails.`,
		Topology: with(lab("503", 3), set("load.herd.requests", "10")),
		Variants: []Variant{
			{Name: "inner", Set: never},
			{Name: "outer", Set: append(slices.Clone(never), outside...)},
			{Name: "inner-opens", Set: opens},
			{Name: "outer-opens", Set: append(slices.Clone(opens), outside...)},
			{Name: "one-for-all", Set: append(slices.Clone(two), set(clientCall+"policies", "retry,breaker,balance"))},
			{Name: "per-host", Set: append(slices.Clone(two), sets(clientCall+"policies", "retry,balance,breaker", clientCall+"breaker.per", "host")...)},
		},
		Figures: []Figure{
			figure(name, "outer", "recorded", "the exhausted calls only", report.Exactly()).expects(10).at("client.breaker.recorded"),
			figure(name, "inner", "recorded", "every attempt", report.Exactly()).expects(30).at("client.breaker.recorded"),
			figure(name, "outer-opens", "hits", nil, report.Exactly()).expects(15),
			figure(name, "inner-opens", "hits", nil, report.Exactly()).expects(5),
			figure(name, "one-for-all", "errors", nil, report.AtLeast(50)),
			figure(name, "per-host", "errors", "per-host breakers need the inner order", report.Exactly()).expects(0),
		},
	}
}
