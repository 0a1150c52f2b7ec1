package sim

import (
	"fmt"

	"labctl/report"
)

// collect turns the books into a variant, with the doubts that a reader should
// know about.
func collect(p *plan, t *tally, interrupted bool) (report.Variant, []report.Warning) {
	v, warnings := t.Variant("sim")
	warn := func(code, format string, args ...any) {
		warnings = append(warnings, report.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	switch {
	case interrupted:
		warn("partial", "interrupted: these are the hits of %d requests, %d of them still in flight", v.Requests, t.unfinished)
	case t.unfinished > 0:
		warn("cut", "the run was cut at %v with %d requests in flight", p.topo.Run.Until, t.unfinished)
	}
	if t.hung > 0 {
		warn("never-answered", "%d requests never got an answer and nothing would ever wake them", t.hung)
	}
	if p.topo.Load.Rate.FromSend {
		warn("timed-from-send", "requests are timed from when they were sent: the wait behind a stalled service is left out")
	}
	return v, warnings
}
