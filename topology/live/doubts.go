package live

import (
	"errors"
	"fmt"
	"time"

	"labctl/report"
	"labctl/topology"
)

// doubter gathers what a reader should know about the numbers.
type doubter struct{ out []report.Warning }

func (d *doubter) warn(code, format string, args ...any) {
	d.out = append(d.out, report.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

func doubts(l *lab, h *herd, v report.Variant, cause error) []report.Warning {
	var d doubter
	d.ofTheRelease(l, h, v)
	arrived := map[*edge]counted{}
	for i, s := range l.services {
		d.ofCounts(s)
		count(l.hits(i), arrived)
	}
	for _, e := range l.edges {
		if m := mismatch(e, arrived[e]); m != "" && !e.callee.absent {
			d.warn("hits-differ-from-attempts", "%s", m)
		}
	}
	switch {
	case errors.Is(cause, errUntil):
		d.warn("cut", "the run was cut at %v with %d requests in flight", l.topo.Run.Until, v.Outcomes.Cancelled)
	case cause != nil:
		d.warn("partial", "interrupted: these are the hits of the first %.0f ms", report.Milliseconds(l.clock.since()))
	}
	return d.out
}

// ofTheRelease doubts how requests began. A closed loop that goes on for a time has
// no waves that a release could shape, and an open loop has no release.
func (d *doubter) ofTheRelease(l *lab, h *herd, v report.Variant) {
	load := &l.topo.Load
	bin := l.topo.Run.Bin
	switch {
	case load.Open():
		if late := h.latest(); late > bin/2 {
			d.warn("schedule-late", "requests left up to %.1f ms after they were due, over half a bin of %v: the machine, not the schedule, shaped this histogram",
				report.Milliseconds(late), bin)
		}
		if load.Rate.FromSend {
			d.warn("timed-from-send", "requests are timed from when they were sent: the wait behind a stalled service is left out")
		}
	case load.For > 0:
	case load.Herd.NoBarrier && v.Requests > 1:
		d.warn("no-barrier", "the clients started without a barrier: their start-up is part of this histogram, so do not read the policy from it")
	}
	wide, known := l.meant()
	if s := v.SpreadMS; known && !load.Open() && load.For == 0 && v.Requests > 1 && s.FirstWave-report.Milliseconds(wide) > v.BinMS/2 {
		d.warn("spread-over-half-bin", "the first wave took %.1f ms to arrive, over half a bin of %v more than it was meant to: the release, not the policy, shaped this histogram",
			s.FirstWave, bin)
	}
}

// latest is how long after it was due a request of an open loop left at most, where
// no worker had to become free for it.
func (h *herd) latest() (late time.Duration) {
	if h.load.Rate.Workers > 0 || h.load.Rate.FromSend {
		return 0
	}
	h.calls.each(func(e *ended) { late = max(late, e.sent.Sub(e.start)) })
	return late
}

// ofCounts doubts the hits on a service.
func (d *doubter) ofCounts(s *service) {
	if n := s.dropped(); n > 0 {
		d.warn("hits-not-kept", "%d more hits on %s are in no number here: more than %d are not kept", n, s.Name, topology.MaxHits)
	}
	refused := 0
	for _, e := range s.callers {
		refused += len(e.client.refused)
	}
	if refused > 0 {
		d.warn("refused-not-counted", "%d hits on %s are refused connections that its callers saw: nothing behind a closed port can count", refused, s.Name)
	}
}

// counted is the hits that came over one edge, and how many of them repeat another.
type counted struct{ hits, repeated int64 }

// count counts the hits on a service by the edges that they came over.
func count(hits []hit, by map[*edge]counted) {
	seen := make(map[string]bool, len(hits))
	for _, h := range hits {
		n := by[h.over]
		n.hits++
		if seen[h.path] {
			n.repeated++
		}
		seen[h.path] = true
		by[h.over] = n
	}
}

// mismatch compares the attempts that policies made with the hits that arrived.
// Something between the two would have repeated or lost requests. An attempt
// that was stopped may have been so on its way.
func mismatch(e *edge, got counted) string {
	lost := e.sent - (got.hits - got.repeated)
	switch {
	case got.repeated > 0:
		return fmt.Sprintf("%s made %d attempts but %s counted %d hits: %d were sent again behind the policy's back",
			e.from, e.sent, e.to, got.hits, got.repeated)
	case lost > e.stopped:
		text := fmt.Sprintf("%s made %d attempts but %s counted %d hits: %d never arrived", e.from, e.sent, e.to, got.hits, lost)
		if err := e.client.failed; err != nil {
			text += " (" + err.Error() + ")"
		}
		return text
	}
	return ""
}
