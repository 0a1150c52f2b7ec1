package live

import (
	"slices"
	"strings"
	"time"

	"labctl/report"
)

// spread measures how sharp the release was: at the gate, and where the first
// requests landed. What a client asks for after its first request was not
// released and does not count.
func spread(l *lab, h *herd) *report.Spread {
	var first []time.Duration
	for _, hit := range l.hits(0) {
		if hit.first && strings.HasSuffix(root(hit.path), ".0") {
			first = append(first, hit.at)
		}
	}
	issued := h.issued()
	slices.Sort(first)
	return &report.Spread{
		Issue:          fromTo(issued, 0),
		FirstWave:      fromTo(first, 0),
		FirstWaveP1P99: fromTo(first, 100),
	}
}

// issued are the sorted instants at which the clients' first requests were let
// go: at the gate, or where there is none by the clients themselves.
func (h *herd) issued() []time.Duration {
	if h.gate != nil {
		return h.gate.issued
	}
	var out []time.Duration
	for _, c := range h.calls {
		if c.first {
			out = append(out, time.Duration(c.start))
		}
	}
	slices.Sort(out)
	return out
}

// fromTo is the time from the first to the last of sorted instants, in
// milliseconds, without the outermost 1/part on either side (0: with all).
func fromTo(sorted []time.Duration, part int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	cut := 0
	if part > 0 {
		cut = len(sorted) / part
	}
	return report.Milliseconds(sorted[len(sorted)-1-cut] - sorted[cut])
}
