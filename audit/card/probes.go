package card

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labctl/audit"
	"labctl/report"
)

// probesHead says how to read the cells of a table of probes.
const probesHead = "attempts of one request, in brackets its retries; + hidden replays of the HTTP stack"

// attemptsCell is "4 (3)": attempts and, of them, retries.
func attemptsCell(r audit.Row) string {
	seen := distinct(r)
	switch {
	case r.Unasked:
		return notAsked
	case r.Unclear && len(seen) > 1:
		return seenText(seen) + " hits"
	case r.Unclear:
		return plural(r.Hits, "hit")
	case follows(r):
		return plural(max(r.Hits-1, 0), "redirect")
	case len(seen) > 1:
		return seenText(seen)
	}
	text := hitsText(r)
	if own := r.Hits - r.Hidden; own > 0 {
		text += fmt.Sprintf(" (%d)", own-1)
	}
	if r.Uncounted {
		text = "≥" + text
	}
	return text
}

// follows is whether what came after the first request was told to: it is no retry.
func follows(r audit.Row) bool {
	f, known := audit.FaultNamed(r.Fault)
	if !known {
		f.Program = r.Fault // of a fault that is not in the catalogue this is its name
	}
	return f.Redirects()
}

// hitsText is "16+12": attempts that a policy made, and hidden replays on top.
func hitsText(r audit.Row) string {
	text := strconv.Itoa(r.Hits - r.Hidden)
	if r.Hidden > 0 {
		text += "+" + strconv.Itoa(r.Hidden)
	}
	return text
}

// distinct are the numbers of hits that the trials saw, in order.
func distinct(r audit.Row) []int { return slices.Compact(slices.Sorted(slices.Values(r.Seen))) }

func seenText(seen []int) string {
	word := " or "
	if len(seen) > 2 {
		word = " to "
	}
	return strconv.Itoa(seen[0]) + word + strconv.Itoa(seen[len(seen)-1])
}

// endText is what the client did in the end.
func endText(r audit.Row) string {
	if r.Exit == nil || r.Unasked {
		return r.Outcome
	}
	return fmt.Sprintf("%s, exit %d", r.Outcome, *r.Exit)
}

// shownGaps is how many gaps a cell carries.
const shownGaps = 5

// allTable has a row for every probe.
func allTable(rows []audit.Row) table {
	t := table{columns: []report.Column{{Head: "fault"}, {Head: "method"}, {Head: "connection", Drop: 1}, {Head: "attempts"},
		{Head: "gaps", Drop: 3}, {Head: "body bytes", Drop: 4}, {Head: "in the end", Drop: 2, Prose: true}}}
	for _, r := range rows {
		t.add(report.Clean(r.Fault), report.Clean(methodName(r.Method, r.Key)), report.Clean(r.Connection), attemptsCell(r),
			spans(r.GapsMS, shownGaps), bytesCell(r.BodyBytes), report.Clean(endText(r)))
	}
	return t
}

// bytesCell says one number where all attempts carried the same.
func bytesCell(sizes []int64) string {
	same := slices.Compact(slices.Clone(sizes))
	if len(same) == 1 && same[0] == 0 {
		return ""
	}
	words := make([]string, 0, shownGaps+1)
	for i, n := range same {
		if i == shownGaps {
			words = append(words, "…")
			break
		}
		words = append(words, strconv.FormatInt(n, 10))
	}
	return strings.Join(words, ", ")
}

// probeName is "503 POST with key, fresh".
func probeName(r audit.Row) string {
	return audit.Probe{Fault: audit.Fault{Name: r.Fault}, Method: r.Method, Keyed: r.Key, Connection: audit.Connection(r.Connection)}.String()
}

// notes are the remarks on probes, each said once with the probes that it is about.
func notes(rows []audit.Row) []string {
	var order []string
	about := map[string][]string{}
	for _, r := range rows {
		text := noteOf(r)
		if text == "" {
			continue
		}
		if about[text] == nil {
			order = append(order, text)
		}
		about[text] = append(about[text], probeName(r))
	}
	for i, text := range order {
		order[i] = strings.Join(about[text], "; ") + ": " + text
	}
	return order
}

func noteOf(r audit.Row) string {
	var parts []string
	if r.Note != "" {
		parts = append(parts, r.Note)
	} else if r.Uncounted {
		parts = append(parts, uncountedText)
	}
	if seen := distinct(r); len(seen) > 1 {
		parts = append(parts, "not the same in all of "+plural(max(r.Trials, len(r.Seen)), "trial"))
	}
	return strings.Join(parts, "; ")
}

const uncountedText = "attempts may be missing that leave no trace at the tail"
