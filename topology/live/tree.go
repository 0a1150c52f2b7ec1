package live

import (
	"cmp"
	"slices"

	"labctl/report"
	"labctl/topology/policy"
)

// tree lists the attempts of the traced request depth first: each attempt, and
// below it those that the called layer made for it, call by call in its own order.
func tree(l *lab) []report.Attempt {
	var nodes []node
	for i := range l.services {
		for _, h := range l.hits(i) {
			if !l.traces(h.path) {
				continue
			}
			p, err := policy.ParsePath(h.path)
			if err != nil || h.over == nil || len(p.Hops) == 0 {
				continue
			}
			last := p.Hops[len(p.Hops)-1]
			nodes = append(nodes, node{p.Hops, report.Attempt{
				Depth: len(p.Hops) - 1, Layer: last.From, Number: last.Attempt, To: last.To,
				OffsetMS: report.Milliseconds(h.at),
				Outcome:  h.over.outcomes[h.path].String(),
			}})
		}
	}
	place := map[[2]string]int{}
	for i, e := range l.edges {
		place[[2]string{e.from, e.to}] = i
	}
	byCall := func(a, b policy.Hop) int {
		return cmp.Or(cmp.Compare(place[[2]string{a.From, a.To}], place[[2]string{b.From, b.To}]), cmp.Compare(a.Attempt, b.Attempt))
	}
	slices.SortFunc(nodes, func(a, b node) int { return slices.CompareFunc(a.hops, b.hops, byCall) })
	out := make([]report.Attempt, len(nodes))
	for i, n := range nodes {
		out[i] = n.attempt
	}
	return out
}

type node struct {
	hops    []policy.Hop
	attempt report.Attempt
}
