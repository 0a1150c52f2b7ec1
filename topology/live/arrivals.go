package live

import (
	"labctl/topology"
	"labctl/topology/policy"
)

// tell hands on every hit, under the luck that it has in both engines. A foreign
// request has no path, and so no partner in virtual time.
func (l *lab) tell(arrivals func(topology.Arrival)) {
	for i := range l.services {
		for _, h := range l.hits(i) {
			p, err := policy.ParsePath(h.path)
			if err != nil {
				continue
			}
			arrivals(topology.Arrival{
				Service: i,
				Luck:    p.Luck(l.topo.Run.Seed),
				At:      policy.Instant(h.at),
				First:   h.first,
			})
		}
	}
}
