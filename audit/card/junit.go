package card

import (
	"io"
	"strings"

	"labctl/audit"
	"labctl/report"
)

// JUnit writes the audit as a CI system shows it: a case per probe, which is skipped
// where the subject never called, and a case per finding. One of severity failOn or worse
// fails, "" standing for a danger; a risk below that, which somebody must weigh, and what
// could not be decided are skipped with their text, and a note passes. An interrupted
// audit fails, for what it did not find may be there.
func JUnit(w io.Writer, a audit.Audit, failOn audit.Severity) error {
	if failOn == "" {
		failOn = audit.Danger
	}
	s := report.Suite{Name: "audit of " + subject(a)}
	for _, r := range a.Probes {
		s.Cases = append(s.Cases, probeCase(r))
	}
	for _, f := range bySeverity(a.Findings) {
		s.Cases = append(s.Cases, findingCase(f, failOn))
	}
	for _, u := range a.Policy.Undecided {
		what, _, _ := strings.Cut(u, ":")
		s.Cases = append(s.Cases, report.Case{Name: "decided: " + what, Skipped: u})
	}
	complete := report.Case{Name: "complete"}
	if a.Partial {
		complete.Failure = "partial: " + partialText
	}
	s.Cases = append(s.Cases, complete)
	return report.WriteJUnit(w, s)
}

func probeCase(r audit.Row) report.Case {
	c := report.Case{Name: probeName(r)}
	if r.Unasked || r.Hits == 0 && !r.Uncounted {
		c.Skipped = endText(r)
		if r.Note != "" {
			c.Skipped += ": " + r.Note
		}
	}
	return c
}

func findingCase(f audit.Finding, failOn audit.Severity) report.Case {
	c := report.Case{Name: "finding: " + f.Code}
	switch {
	case f.Severity.AtLeast(failOn):
		c.Failure = report.Clean(f.Message)
	case f.Severity == audit.Risk:
		c.Skipped = "risk: " + f.Message
	}
	return c
}
