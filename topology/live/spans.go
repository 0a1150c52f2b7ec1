package live

import (
	"cmp"
	"slices"

	"labctl/topology"
	"labctl/topology/policy"
)

// tried is one attempt that came to its end, for who wants to see each.
type tried struct {
	path         string
	parent, luck policy.Luck
	number       int32
	start, end   policy.Instant
	outcome      policy.Outcome
}

// trace keeps an attempt. One that nobody waited for any more had ended for its caller
// before it came back; one that never began is none.
func (e *edge) trace(a *attempt, o policy.Outcome, now policy.Instant) {
	if a.isLeft {
		o, now = policy.Failed(policy.Cancelled), a.left
	}
	if now >= a.began {
		e.tried = append(e.tried, tried{a.path, a.request.luck, a.luck, a.number, a.began, now, o})
	}
}

// spans tells of every request, attempt and hit when the run is over, in the order of
// their starts.
func (l *lab) spans(h *herd) []topology.Span {
	var all []topology.Span
	h.calls.each(func(c *ended) {
		all = append(all, topology.Span{
			Kind: topology.RequestSpan, Client: c.client, Request: c.number,
			Luck:  policy.RootLuck(l.topo.Run.Seed, c.client, c.number),
			Start: c.start, End: c.end, Outcome: c.outcome,
		})
	})
	answers := map[policy.Luck]tried{}
	for i, e := range l.topo.Edges() {
		for _, t := range l.edges[i].tried {
			answers[t.luck] = t
			all = append(all, t.span(e.From, i))
		}
	}
	for i := range l.services {
		for _, hit := range l.hits(i) {
			if hit.known {
				all = append(all, hitSpan(i+1, hit, answers))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b topology.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Luck, b.Luck))
	})
	return all
}

func (t tried) span(service, edge int) topology.Span {
	s := topology.Span{
		Kind: topology.AttemptSpan, Service: service, Edge: edge, Parent: t.parent, Luck: t.luck,
		Number: int(t.number), Start: t.start, End: t.end, Outcome: t.outcome,
	}
	s.Client, s.Request = rootOf(t.path)
	return s
}

// hitSpan is a hit. A service keeps no note of what it answered, so its caller says it.
func hitSpan(service int, h hit, answers map[policy.Luck]tried) topology.Span {
	s := topology.Span{
		Kind: topology.HitSpan, Service: service, Luck: h.trail.luck, Start: policy.Instant(h.at), End: policy.Instant(h.end),
		Outcome: policy.Failed(policy.Cancelled),
	}
	s.Client, s.Request = rootOf(h.path)
	if t, is := answers[s.Luck]; is {
		s.Outcome = t.outcome
	}
	if s.End < s.Start {
		s.End, s.Open = s.Start, true
	}
	return s
}

// rootOf are the numbers of the client and its request at the root of a path that can
// be read.
func rootOf(path string) (client, request uint64) {
	p, _ := policy.ParsePath(root(path))
	return p.Client, p.Request
}
