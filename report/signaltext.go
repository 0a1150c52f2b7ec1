package report

import (
	"fmt"
	"strings"
)

// signalsText says in a line what a layer is watched by.
func signalsText(l Layer) string {
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	add(inVain(l.WastedRests))
	add(counted(l.Late, "too late to begin"))
	add(counted(l.Expired, "ended by the deadline"))
	add(counted(l.TimedOut, "timed out"))
	add(breakerText(l.Breaker))
	add(bulkheadText("bulkhead", l.Bulkhead))
	add(bulkheadText("pool", l.Pool))
	add(bulkheadText("workers", l.Queue))
	add(adaptiveText(l.Adaptive))
	add(fallbackText(l.Fallback))
	add(budgetText(l.Budget))
	add(hedgeText(l.Hedge))
	add(replicasText(l.Replicas))
	if b := l.Balance; b != nil {
		add(plural(b.Ejections, "ejection"))
	}
	if l.Time != nil && l.Time.Share > 0 {
		add(shareText(*l.Time))
	}
	return strings.Join(parts, "; ")
}

func counted(n int64, what string) string {
	if n == 0 {
		return ""
	}
	return count(n) + " " + what
}

func shareText(t TimeShare) string {
	text := fmt.Sprintf("%.0f %% of the time", 100*t.Share)
	if t.Budget > 0 {
		text += fmt.Sprintf(", %.0f %% of the budget", 100*t.Budget)
	}
	return text
}

func breakerText(b *Breaker) string {
	if b == nil {
		return ""
	}
	text := fmt.Sprintf("breaker %s, recorded %s ok, %s", b.Status, count(b.Successes), plural(b.Failures, "failure"))
	for _, part := range []string{
		counted(b.Timeouts, "of them timeouts"), counted(b.Cancelled, "cancelled"), counted(b.Ignored, "ignored"),
		counted(b.Stale, "stale"), counted(b.Rejected, "rejected"), counted(b.WouldReject, "would be rejected"),
		counted(b.Probes, "probes"),
	} {
		if part != "" {
			text += ", " + part
		}
	}
	if b.Opened > 0 {
		text += fmt.Sprintf(", first opened at %s", millis(b.OpenedMS))
	}
	if b.Note != "" {
		text += " (" + clean(b.Note) + ")"
	}
	return text
}

func bulkheadText(name string, b *Bulkhead) string {
	if b == nil {
		return ""
	}
	text := fmt.Sprintf("%s: at most %d of %d in use", name, b.InUse, b.Limit)
	if b.InUse > b.Limit {
		text = fmt.Sprintf("%s: at most %d in use, %d for each", name, b.InUse, b.Limit)
	}
	if b.Waiting > 0 {
		text += fmt.Sprintf(" and %d waiting, %s in queue on the mean and %s at most", b.Waiting, millis(b.MeanQueueMS), millis(b.LongestWaitMS))
	}
	for _, part := range []string{
		counted(b.Rejected, "rejected"), counted(b.TimedOut, "waited too long"), counted(b.Left, "left the queue"),
		counted(int64(b.Leaked), "leaked: a dead bulkhead"),
	} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}

func adaptiveText(a *Adaptive) string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("limit %d at the end, between %d and %d, %s, %s rejected",
		a.Limit, a.Lowest, a.Highest, plural(a.Swings, "swing"), count(a.Rejected))
}

func fallbackText(f *Fallback) string {
	if f == nil {
		return ""
	}
	text := fmt.Sprintf("fallback: %s degraded", count(f.Degraded))
	if f.OldestMS > 0 {
		text += fmt.Sprintf(", %s old on the mean and %s at most", millis(f.MeanAgeMS), millis(f.OldestMS))
	}
	if f.Missing > 0 {
		text += fmt.Sprintf(", %s without an answer fresh enough", count(f.Missing))
	}
	return text
}

func budgetText(b *Budget) string {
	if b == nil {
		return ""
	}
	text := fmt.Sprintf("budget: %s for %s", plural(b.Retries, "retry"), plural(b.Requests, "request"))
	if b.ByFloor > 0 {
		text += fmt.Sprintf(" (%s by the floor)", count(b.ByFloor))
	}
	text += fmt.Sprintf(", %s suppressed", count(b.Suppressed))
	if b.Requests > 0 {
		text += fmt.Sprintf(", which comes to %s attempts per request", number(round(1+float64(b.Retries)/float64(b.Requests))))
	}
	return text
}

func hedgeText(h *Hedge) string {
	if h == nil {
		return ""
	}
	return fmt.Sprintf("hedge: %s of %s with copies, %s, %s won, %s suppressed",
		count(h.Hedged), plural(h.Requests, "request"), plural(h.Copies, "copy"), count(h.Wins), count(h.Suppressed))
}

func replicasText(replicas []int64) string {
	if len(replicas) == 0 {
		return ""
	}
	words := make([]string, len(replicas))
	for i, n := range replicas {
		words[i] = count(n)
	}
	return "replicas got " + strings.Join(words, ", ")
}

// routeSheet tells the routes of each variant apart.
func routeSheet(rows []Variant) sheet {
	s := sheet{{head: "variant"}, {head: "route"}, {head: "requests", right: true}, {head: "ok", right: true}, {head: "errors", right: true},
		{head: "ok in time", right: true, drop: 3}, {head: "ok per second", right: true}, {head: "p50", right: true}, {head: "p95", right: true, drop: 2}, {head: "mean", right: true, drop: 1}}
	for _, v := range rows {
		for i, r := range v.Routes {
			name := ""
			if i == 0 {
				name = nameAmong(v, rows)
			}
			s.add(name, label(r.Name), count(r.Requests), count(r.Outcomes.OK), count(r.Outcomes.errors()),
				count(r.Done), number(round(r.RPS)), millis(r.LatencyMS.P50), millis(r.LatencyMS.P95), millis(r.MeanMS))
		}
	}
	return s
}

// round keeps four figures of a rate: more would be noise.
func round(f float64) float64 {
	switch {
	case f >= 100:
		return float64(int64(f + 0.5))
	case f >= 10:
		return float64(int64(10*f+0.5)) / 10
	}
	return float64(int64(100*f+0.5)) / 100
}
