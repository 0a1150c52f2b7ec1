package live

import (
	"cmp"
	"slices"

	"labctl/report"
	"labctl/topology/policy"
)

// tree lists the attempts of the traced request depth first: each attempt, and
// below it those that the called layer made for it.
func tree(l *lab) []report.Attempt {
	var nodes []node
	for i, e := range l.edges {
		for _, h := range l.hits(i) {
			if !l.traces(h.path) {
				continue
			}
			p, err := policy.ParsePath(h.path)
			if err != nil || len(p.Hops) == 0 {
				continue
			}
			last := p.Hops[len(p.Hops)-1]
			nodes = append(nodes, node{p.Hops, report.Attempt{
				Depth: i, Layer: last.From, Number: last.Attempt, To: last.To,
				OffsetMS: report.Milliseconds(h.at),
				Outcome:  e.outcomes[h.path].String(),
			}})
		}
	}
	slices.SortFunc(nodes, func(a, b node) int { return slices.CompareFunc(a.hops, b.hops, byAttempt) })
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

func byAttempt(a, b policy.Hop) int { return cmp.Compare(a.Attempt, b.Attempt) }
