package scenarios

import (
	"slices"

	"labctl/report"
)

func retryAfter() Scenario {
	const name = "retry-after"
	rest := under(clientCall+"retry.", "rest", "50ms", "jitter", "full")
	fault := func(form string) []string {
		return []string{"services.a.fault", "each:429+" + form + "=1,503+" + form + "=1,ok"}
	}
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A server that says when to come back is to be believed.",
		Text: `Ten clients meet a 429 and then a 503, each with Retry-After: 1, in seconds or as
a date. They obey: no hit comes earlier than the server said, whatever their own
rest. A date has whole seconds and is rounded up, so that the wait is up to a
second longer. ignored is what many clients do: their rest of at most 50 ms makes
all retries early.

Retry-After is a floor for the rest. It also gathers a herd: those who were told
the same instant come back at it together.`,
		Topology: with(lab("ok", 3), append(slices.Clone(rest), set("load.herd.clients", "10"))...),
		Variants: []Variant{
			{Name: "seconds", Set: sets(fault("retry-after")...)},
			{Name: "date", Set: sets(fault("date-retry-after")...)},
			{Name: "ignored", Set: sets(append(fault("retry-after"), clientCall+"retry.retry_after", "ignore")...)},
		},
		Figures: []Figure{
			figure(name, "seconds", "early_hits", "obey it", report.Exactly()).expects(0),
			figure(name, "date", "early_hits", "obey it", report.Exactly()).expects(0),
			figure(name, "ignored", "early_hits", nil, report.Exactly()).expects(20),
		},
	}
}
