package card

import (
	"fmt"
	"slices"
	"strings"

	"labctl/audit"
)

// notAsked and notDecided stand in a cell that has nothing to say, and why.
const (
	notAsked   = "–"
	notDecided = "?"
)

// attempts is a cell of the index: that of a GET where one was asked, for a subject may
// know POST alone.
func (x *index) attempts(a audit.Audit, q question) string {
	for _, l := range lanesOf(a.Probes) {
		for _, f := range q.faults {
			r := find(a.Probes, f, l, q.connection)
			if r == nil {
				continue
			}
			if r.Unasked {
				return notAsked + x.note(noteOf(*r))
			}
			cell := numberCell(*r)
			if l.method != "GET" {
				cell += x.note("asked with " + methodName(l.method, l.key))
			}
			return cell + x.doubts(*r)
		}
	}
	return notAsked
}

func (x *index) doubts(r audit.Row) string {
	var text string
	if seen := distinct(r); len(seen) > 1 {
		text += x.note("not the same in all trials: the least and the most are shown")
	}
	if r.Uncounted || r.Unclear {
		why := r.Note
		if why == "" {
			why = uncountedText
		}
		text += x.note(why)
	}
	return text
}

// numberCell makes what was repeated stand out.
func numberCell(r audit.Row) string {
	if follows(r) || r.Unclear {
		return attemptsCell(r)
	}
	text := hitsText(r)
	if seen := distinct(r); len(seen) > 1 {
		text = fmt.Sprintf("%d–%d", seen[0], seen[len(seen)-1])
	}
	if r.Uncounted {
		text = "≥" + text
	}
	if r.Hits > 1 || len(r.Seen) > 0 && slices.Max(r.Seen) > 1 {
		text = "**" + text + "**"
	}
	return text
}

// repeats is whether there is a policy to speak of.
func repeats(p audit.Policy) bool { return p.Attempts != 1 || p.AtLeast }

func jitterCell(a audit.Audit) string {
	r := a.Policy.Rest
	switch {
	case !repeats(a.Policy):
		return notAsked
	case r == nil || r.Jitter == "":
		return notDecided
	case strings.HasSuffix(r.Jitter, "%"):
		return "± " + r.Jitter
	}
	return r.Jitter
}

func retryAfterCell(a audit.Audit) string {
	r := a.Policy.RetryAfter
	switch {
	case !repeats(a.Policy):
		return notAsked
	case r == nil || r.Seconds == "":
		return notDecided
	case r.Seconds == "early":
		return "early by " + span(r.EarlyMS)
	case r.Seconds == "clamped":
		return "at most " + span(r.ClampMS)
	}
	return strings.ReplaceAll(r.Seconds, "-", " ")
}

func postCell(a audit.Audit) string {
	rule := func(key bool) string {
		i := slices.IndexFunc(a.Policy.Methods, func(m audit.MethodRule) bool { return m.Method == "POST" && m.Key == key })
		if i < 0 {
			return ""
		}
		return ruleCell(a.Policy.Methods[i])
	}
	without, with := rule(false), rule(true)
	switch {
	case without == "" && with == "":
		return notAsked
	case without == "":
		return "with key: " + with
	case with == "" || with == without:
		return without
	}
	return without + "; with key: " + with
}

func ruleCell(m audit.MethodRule) string {
	text := m.Retried
	switch m.Retried {
	case "":
		text = notDecided
	case "yes", "no":
	default:
		text = "on " + m.Retried
	}
	if m.Bodies != "" && m.Bodies != "whole" {
		text += ", " + bodiesText(m.Bodies)
	}
	return text
}

func hiddenCell(a audit.Audit) string {
	h := a.Policy.Hidden
	switch {
	case h == nil && sawNoHidden(a):
		return "none"
	case h == nil:
		return notAsked
	}
	text := strings.Join(h.Methods, ", ") + " on " + strings.Join(h.Faults, ", ")
	if h.Fresh {
		text += ", also fresh"
	}
	return text
}
