package live

import (
	"time"

	"labctl/faultserver"
	"labctl/topology"
	"labctl/topology/ledger"
	"labctl/topology/policy"
)

// hit is an arrival at a service as the lab sees it.
type hit struct {
	at, end time.Duration
	path    string
	trail   trail
	known   bool  // its path could be read: the lab sent it
	over    *edge // that it came over; nil: none that is known
	route   uint8
	replica int
	worked  bool // the side effect was performed
	cut     bool // ended because its caller left
}

// hits lists the arrivals at one service, at all its replicas, when the run is over.
// A closed port has those that its callers' dials found.
func (l *lab) hits(service int) []hit {
	s := l.services[service]
	if s.all != nil {
		return s.all
	}
	s.all = []hit{}
	for _, e := range s.callers {
		for _, r := range e.client.refused {
			s.all = append(s.all, s.hit(hit{at: r.at, end: r.at, path: r.path, route: r.route, replica: int(r.replica)}))
		}
	}
	s.all = append(s.all, s.counted()...)
	return s.all
}

// counted lists the arrivals that the service itself saw.
func (s *service) counted() (all []hit) {
	for n, r := range s.replicas {
		for _, t := range r.tails {
			for _, a := range t.Arrivals() {
				all = append(all, s.hit(s.arrived(a, n)))
			}
		}
	}
	return all
}

// arrived puts a record of the service's clock on that of the lab.
func (s *service) arrived(a faultserver.Arrival, n int) hit {
	if a.End != inProgress {
		a.End -= s.Skew
	}
	return hit{at: a.At - s.Skew, end: a.End, path: a.Path, route: s.lab.routeOf(a.Target), replica: n, worked: a.Worked, cut: a.CutShort}
}

const inProgress = -1

// hit reads the path of a hit. What a service with one caller counts is held against
// what that one sent, wherever it came from.
func (s *service) hit(h hit) hit {
	h.trail, h.known = follow(h.path, s.lab.topo.Run.Seed)
	if h.over = s.named[h.trail.from]; len(s.callers) == 1 {
		h.over = s.callers[0]
	}
	return h
}

// dropped is how many hits were counted without keeping what they were.
func (s *service) dropped() (n int) {
	n = s.unkept
	for _, r := range s.replicas {
		for _, t := range r.tails {
			n += t.Dropped()
		}
	}
	return n
}

// tell hands on every hit, under the luck that it has in both engines. A foreign
// request has no path, and so no partner in virtual time.
func (l *lab) tell(arrivals func(topology.Arrival)) {
	for i := range l.services {
		for _, h := range l.hits(i) {
			if h.known {
				arrivals(topology.Arrival{Service: i, Luck: h.trail.luck, At: policy.Instant(h.at), First: h.trail.first})
			}
		}
	}
}

// fates notes what became of the tail's hits: which were wanted, and which did
// the work.
func fates(books *ledger.Ledger, l *lab) {
	gone := l.abandonments()
	effects := map[string]int64{}              // by request and way
	one := len(l.edges) < len(l.topo.Services) // way to each service
	for _, h := range l.hits(books.Tail()) {
		books.HitOf(h.route)
		if h.over != nil && h.at < time.Duration(h.over.asked[h.path]) {
			books.Early()
		}
		switch at, is := leftBy(gone, h.path); {
		case is && h.at >= at:
			books.Orphan()
		case is && (h.cut || h.end < 0 || h.end > at):
			books.Abandoned()
		}
		if h.worked {
			id := root(h.path)
			if !one {
				id = way(h.path)
			}
			effects[id]++
			books.Effect(effects[id])
		}
	}
}
