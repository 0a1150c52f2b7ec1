package card

import (
	"fmt"
	"strings"

	"labctl/audit"
)

// shownRests is how many gaps a line about the policy carries.
const shownRests = 5

func restsText(a audit.Audit) string {
	r := a.Policy.Rest
	if r == nil {
		return ""
	}
	if r.Growth == "fixed" && r.BaseMS == 0 && r.Jitter == "none" {
		return fmt.Sprintf("none: it tries again at once (%s)", plural(r.Samples, "gap"))
	}
	text := ""
	if gaps := typicalGaps(a); len(gaps) > 0 {
		rounded := make([]float64, len(gaps))
		for i, g := range gaps {
			rounded[i] = twoDigits(g)
		}
		text = "about " + spans(rounded, shownRests) + ": "
	}
	text += growthText(a.Policy) + ", " + jitterText(r)
	if r.Jitter == "" {
		return fmt.Sprintf("%s (from %s)", text, plural(r.Samples, "gap"))
	}
	return fmt.Sprintf("%s (confidence %s from %s)", text, decimals(r.Confidence, 2), plural(r.Samples, "gap"))
}

// typicalGaps are those of a status that was retried to the end: no timeout is in them.
func typicalGaps(a audit.Audit) []float64 {
	var found []float64
	for _, row := range a.Probes {
		fits := len(row.GapsMS) > 0 && row.Hits == a.Policy.Attempts && groupOf(row.Fault) == audit.Status
		if fits && (found == nil || row.Fault == "503" && row.Connection == string(audit.Fresh)) {
			found = row.GapsMS
			if row.Fault == "503" {
				break
			}
		}
	}
	return found
}

// groupOf leaves a fault that the catalogue does not have out of all comparisons.
func groupOf(fault string) audit.Group {
	if f, known := audit.FaultNamed(fault); known {
		return f.Group
	}
	return audit.Control
}

func growthText(p audit.Policy) string {
	r := p.Rest
	text := r.Growth + " from " + span(r.BaseMS)
	switch {
	case r.Growth == "fixed":
		text = "always " + span(r.BaseMS)
	case r.Growth == "" && r.Factor != 0:
		text = fmt.Sprintf("from %s, growth not decided (of two rests the second is %s times the first)", span(r.BaseMS), decimals(r.Factor, 2))
	case r.Growth == "":
		text = "from " + span(r.BaseMS) + ", growth not decided"
	case r.Growth == "exponential" && r.Factor != 0 && r.Factor != 2:
		text += " by " + decimals(r.Factor, 2)
	}
	if r.FirstMS != nil {
		text += ", the first " + span(*r.FirstMS)
	}
	switch {
	case r.CapMS > 0:
		text += ", at most " + span(r.CapMS)
	case p.Attempts == 2 || r.Growth == "" && r.Factor == 0 && r.Jitter != "decorrelated": // one rest, or who knows how it goes on
	case r.Growth != "fixed" && r.LongestMS > 0:
		text += ", no cap up to " + span(r.LongestMS)
	}
	return text
}

func jitterText(r *audit.Rest) string {
	text := r.Jitter + " jitter"
	switch {
	case r.Jitter == "" && r.SpreadPercent > 0:
		return "jitter not decided, though gaps differ by ± " + decimals(r.SpreadPercent, 1) + "%"
	case r.Jitter == "":
		return "jitter not decided"
	case r.Jitter == "none":
		return "no jitter"
	case strings.HasSuffix(r.Jitter, "%"):
		text = "± " + text
	}
	switch r.Order {
	case "cap-then-jitter":
		text += " after the cap"
	case "jitter-then-cap":
		text += " before the cap"
	}
	return text
}
