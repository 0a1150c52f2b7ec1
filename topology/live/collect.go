package live

import (
	"errors"
	"fmt"
	"time"

	"labctl/faultserver/program"
	"labctl/report"
	"labctl/topology"
	"labctl/topology/ledger"
	"labctl/topology/policy"
)

// collect puts what the clients, edges and services saw into the books, and
// turns those into a variant.
func collect(l *lab, h *herd, cause error) (report.Variant, []report.Warning) {
	books := ledger.New(l.topo)
	for i, e := range l.edges {
		books.Sent(i, e.sent)
		books.Wasted(i, e.wasted)
		for _, hit := range l.hits(i) {
			books.Arrive(i, policy.Instant(hit.at), hit.first)
		}
	}
	books.Sent(0, -h.unstarted)
	for _, c := range h.calls {
		books.Begun(0)
		books.Ended(0, c.outcome, c.start, c.end)
	}
	fates(books, l)
	v, warnings := books.Variant("live")
	v.SpreadMS = spread(l, h)
	if l.trace {
		v.Tree = tree(l)
	}
	return v, append(warnings, doubts(l, h, v, cause)...)
}

// hit is an arrival at a service as the lab sees it.
type hit struct {
	at, end time.Duration
	path    string
	first   bool // the first attempt of every layer above
	ok      bool // answered with success, so the work was done
	cut     bool // ended because its caller left
}

// hits lists the arrivals at one service when the run is over. A service whose port is closed has
// those that its callers' dials found.
func (l *lab) hits(service int) []hit {
	s := l.services[service]
	if s.hits != nil {
		return s.hits
	}
	hits := []hit{}
	for _, r := range l.edges[service].client.refused {
		hits = append(hits, hit{at: r.at, end: r.at, path: r.path, first: isFirst(r.path)})
	}
	for _, a := range s.tail.Arrivals() {
		hits = append(hits, hit{at: a.At, end: a.End, path: a.Path, first: isFirst(a.Path), ok: a.Kind == program.OK && !a.CutShort, cut: a.CutShort})
	}
	s.hits = hits
	return hits
}

func isFirst(path string) bool {
	p, err := policy.ParsePath(path)
	return err == nil && p.IsFirst()
}

// fates notes what became of the tail's hits: which were wanted, and which did
// the work.
func fates(books *ledger.Ledger, l *lab) {
	gone := l.abandonments()
	effects := map[string]int64{} // by request
	for _, h := range l.hits(books.Tail()) {
		switch at, is := leftBy(gone, h.path); {
		case is && h.at >= at:
			books.Orphan()
		case is && (h.cut || h.end < 0 || h.end > at):
			books.Abandoned()
		}
		if h.ok {
			id := root(h.path)
			effects[id]++
			books.Effect(effects[id])
		}
	}
}

// doubts are what a reader should know about the numbers.
func doubts(l *lab, h *herd, v report.Variant, cause error) []report.Warning {
	var out []report.Warning
	warn := func(code, format string, args ...any) {
		out = append(out, report.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if l.topo.Load.Herd.NoBarrier && v.Requests > 1 {
		warn("no-barrier", "the clients started without a barrier: their start-up is part of this histogram, so do not read the policy from it")
	}
	smear := report.Milliseconds(l.topo.Load.Herd.Smear)
	if s := v.SpreadMS; v.Requests > 1 && s.FirstWave-smear > v.BinMS/2 {
		warn("spread-over-half-bin", "the first wave took %.1f ms to arrive, over half a bin of %v more than it was meant to: the release, not the policy, shaped this histogram",
			s.FirstWave, l.topo.Run.Bin)
	}
	for i, e := range l.edges {
		if n := l.services[i].tail.Dropped(); n > 0 {
			warn("hits-not-kept", "%d more hits on %s are in no number here: more than %d are not kept", n, e.to, topology.MaxHits)
		}
		if n := len(e.client.refused); n > 0 {
			warn("refused-not-counted", "%d hits on %s are refused connections that its callers saw: nothing behind a closed port can count", n, e.to)
		}
		if m := mismatch(e, l.hits(i)); m != "" {
			warn("hits-differ-from-attempts", "%s", m)
		}
	}
	switch {
	case errors.Is(cause, errUntil):
		warn("cut", "the run was cut at %v with %d requests in flight", l.topo.Run.Until, v.Outcomes.Cancelled)
	case cause != nil:
		warn("partial", "interrupted: these are the hits of the first %.0f ms", report.Milliseconds(l.clock.since()))
	}
	return out
}

// mismatch compares the attempts that policies made with the hits that arrived.
// Something between the two would have repeated or lost requests. An attempt
// that was stopped may have been so on its way.
func mismatch(e *edge, hits []hit) string {
	seen := map[string]bool{}
	repeated := 0
	for _, h := range hits {
		if seen[h.path] {
			repeated++
		}
		seen[h.path] = true
	}
	lost := e.sent - int64(len(seen))
	switch {
	case repeated > 0:
		return fmt.Sprintf("%s made %d attempts but %s counted %d hits: %d were sent again behind the policy's back",
			e.from, e.sent, e.to, len(hits), repeated)
	case lost > e.stopped:
		text := fmt.Sprintf("%s made %d attempts but %s counted %d hits: %d never arrived", e.from, e.sent, e.to, len(hits), lost)
		if err := e.client.failed; err != nil {
			text += " (" + err.Error() + ")"
		}
		return text
	}
	return ""
}
