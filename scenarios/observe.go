package scenarios

import (
	"slices"

	"labctl/report"
)

func observe() Scenario {
	const name = "observe"
	opens := under(clientCall+"breaker.", "failures", "5", "open_for", "1h")
	variant := func(name string, more ...string) Variant {
		return Variant{Name: name, Set: append(slices.Clone(opens), sets(more...)...)}
	}
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "Before a breaker may reject, let it say what it would reject.",
		Text: `100 requests against a dead service. In observe mode the breaker opens after five
failures like any other, rejects nothing, and counts the 95 calls that it would have
rejected. enforced rejects them. The last two are the manual override: forced open
rejects everything, whatever the service does, and forced closed nothing.`,
		Topology: with(lab("503", 1), sets("load.herd.requests", "100")...),
		Variants: []Variant{
			variant("shadow", clientCall+"breaker.observe", "true"),
			variant("enforced"),
			variant("forced-open", clientCall+"breaker.forced", "open", "services.a.fault", "ok"),
			variant("forced-closed", clientCall+"breaker.forced", "closed"),
		},
		Figures: []Figure{
			figure(name, "shadow", "would_reject", "observe first", report.Exactly()).expects(95).at("client.breaker.would_reject"),
			figure(name, "shadow", "rejected", "observe first", report.Exactly()).expects(0).at("client.breaker.rejected"),
			figure(name, "enforced", "rejected", nil, report.Exactly()).expects(95).at("client.breaker.rejected"),
			figure(name, "forced-open", "rejected", "manual override", report.Exactly()).expects(100).at("client.breaker.rejected"),
			figure(name, "forced-closed", "rejected", "manual override", report.Exactly()).expects(0).at("client.breaker.rejected"),
		},
	}
}
