package scenarios

import "labctl/report"

func cancel() Scenario {
	const name = "cancel"
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A client that has left does not stop the retries below it, unless somebody tells them.",
		Text: `A makes five attempts, 100 ms apart, and its client gives up after 250 ms. Without
cancellation passed down (kept) A goes on: two of its five hits arrive when nobody
waits any more. Passed down, the retries end with the client: 3 hits, no orphan.`,
		Topology: with(lab("503", 1, 5), sets(clientCall+"timeout", "250ms", aCall+"retry.rest", "100ms")...),
		Variants: []Variant{
			{Name: "kept", Set: sets(clientCall+"keep_working", "true")},
			{Name: "passed"},
		},
		Figures: []Figure{
			figure(name, "kept", "orphan_hits", "the system goes on retrying", report.Exactly()).expects(2),
			figure(name, "passed", "orphan_hits", nil, report.Exactly()).expects(0),
		},
	}
}
