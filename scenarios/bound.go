package scenarios

import "labctl/report"

func worstCase() Scenario {
	const name = "bound"
	quick := sets(clientCall+"timeout", "100ms", clientCall+"retry.rest", "100ms", clientCall+"retry.cap", "400ms")
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "How long can a request take at worst? Work it out from the policy, and then see it.",
		Scaled:  "all times a tenth",
		Text: `Three retries with a timeout of 1 s each and rests of 1, 2 and 4 s, against a
service that never answers. The rule of thumb, retries × timeout + retries × longest
rest, says 15 s. Exactly it is attempts × timeout + the rests: 4 + 7 = 11 s, and that
is what the run takes. The exact bound is longer than the rule only when every rest is
the longest one (constant), and then by one timeout: the rule forgets the first attempt.

Callers above need a timeout longer than this, or they give up while the retries go on.`,
		Topology: with(lab("hang", 4), sets(clientCall+"timeout", "1s", clientCall+"retry.rest", "1s",
			clientCall+"retry.backoff", "exponential", clientCall+"retry.cap", "4s")...),
		Variants: []Variant{
			{Name: "exact", Live: quick},
			{Name: "constant", Set: sets(clientCall+"retry.rest", "4s", clientCall+"retry.backoff", "fixed"),
				Live: sets(clientCall+"timeout", "100ms", clientCall+"retry.rest", "400ms", clientCall+"retry.cap", "400ms")},
		},
		Figures: []Figure{
			figure(name, "article", "worst_ms", 15_000, report.Exactly()).of("exact").at("client.bound.article_ms").
				liveAs(&LiveValue{Expected: 1_500, Tolerance: report.Exactly()}),
			figure(name, "exact", "worst_ms", nil, report.Exactly()).expects(11_000).at("elapsed_ms").
				liveAs(onLive(report.AtLeast(1_100))),
			figure(name, "constant", "worst_ms", nil, report.Exactly()).expects(16_000).at("elapsed_ms").
				liveAs(onLive(report.AtLeast(1_600))),
		},
	}
}
