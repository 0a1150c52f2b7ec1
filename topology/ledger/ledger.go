// Package ledger counts what a run does and turns the sums into the result
// model. Both engines keep their books here, so that a hit, an orphan or an
// outcome means the same in a live run and in virtual time.
package ledger

import (
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// Ledger is the books of one run, or of a part of its clients. Everything in it
// is a sum, so that the books of parts merge to the same result in any order. It
// is not safe for concurrent use.
//
// Edges are numbered as [topology.Topology.Edges] lists them, services from the
// first behind the client: in a chain, edge i calls service i.
type Ledger struct {
	topo       topology.Topology
	bins, wide *report.Bins
	at, tail   int       // service whose hits are binned; the last service
	edges      []edge    // as Topology.Edges lists them
	services   []service // those behind the client
	latency    report.Latencies
	outcomes   report.Outcomes
	kinds      report.HitKinds
	abandoned  int64
	effects    int64
	early      int64
	good       *goodput      // nil: nobody asks
	time       time.Duration // of all requests of clients
	begun      int64
	done       int64
	last       policy.Instant
	routes     []route
	until      policy.Instant // requests that end later do not count in rates
}

// route is what became of the requests of one route.
type route struct {
	begun, hits, done int64
	outcomes          report.Outcomes
	latency           report.Latencies // of those done while the load lasted
	time              time.Duration    // likewise, their sum
	last              policy.Instant   // likewise, the end of the last
}

// edge is what happened on one call edge.
type edge struct {
	topology.Edge
	attempts int64
	notes    [policy.Notes]int64
	took     time.Duration // all attempts together, until their outcomes
	signals  signals
}

// service is what happened at one service, whoever called it.
type service struct {
	requests int64
	replicas []int64          // requests at each, where there are several
	queue    *report.Bulkhead // nil: without workers
}

// peakWindow is what peak_100ms counts in.
const peakWindow = 100 * time.Millisecond

// New returns empty books for a run of t.
func New(t topology.Topology) *Ledger {
	l := &Ledger{
		topo:     t,
		bins:     report.NewBins(t.Run.Bin, t.Run.BinOffset),
		wide:     report.NewBins(peakWindow, 0),
		services: make([]service, len(t.Services)-1),
		tail:     len(t.Services) - 2,
		at:       len(t.Services) - 2,
		routes:   make([]route, len(t.Routes())),
		until:    policy.Never,
	}
	for _, e := range t.Edges() {
		l.edges = append(l.edges, edge{Edge: e})
	}
	if t.Load.For > 0 {
		l.until = policy.Instant(t.Load.For)
	}
	if t.Load.Open() || t.Load.For > 0 {
		l.good = newGoodput(t.Run)
	}
	for i, s := range t.Services[1:] {
		if s.Replicas > 1 {
			l.services[i].replicas = make([]int64, s.Replicas)
		}
		if s.Name == t.Run.At {
			l.at = i
		}
	}
	return l
}

// Tail is the index of the last service; 0 is the first behind the client.
func (l *Ledger) Tail() int { return l.tail }

// Done is the number of clients' requests that have an outcome.
func (l *Ledger) Done() int64 { return l.done }

// Begun counts a request of a client.
func (l *Ledger) Begun(route uint8) {
	l.begun++
	l.routes[route].begun++
}

// Took adds the time that an attempt on an edge took until its outcome.
func (l *Ledger) Took(edge int, d time.Duration) { l.edges[edge].took += d }

// HitOf counts a hit at the tail for its route.
func (l *Ledger) HitOf(route uint8) { l.routes[route].hits++ }

// Sent counts attempts on an edge.
func (l *Ledger) Sent(edge int, attempts int64) { l.edges[edge].attempts += attempts }

// Note counts what a policy of an edge remarked.
func (l *Ledger) Note(edge int, n policy.Note) { l.edges[edge].notes[n]++ }

// Wasted counts rests on an edge that no attempt followed.
func (l *Ledger) Wasted(edge int, rests int64) { l.edges[edge].notes[policy.WastedRest] += rests }

// Replica counts a request at one of several replicas of a service.
func (l *Ledger) Replica(service, replica int) { l.services[service].replicas[replica]++ }

// Early counts a hit at the tail that came before the instant which a Retry-After
// had asked to wait for.
func (l *Ledger) Early() { l.early++ }

// Arrive counts a hit at a service. first says that it is the first attempt of
// every layer above.
func (l *Ledger) Arrive(service int, at policy.Instant, first bool) {
	l.services[service].requests++
	if service == l.at {
		l.bins.Add(time.Duration(at), first)
		l.wide.Add(time.Duration(at), first)
	}
	if service == l.tail {
		l.arriveTail(first)
	}
}

func (l *Ledger) arriveTail(first bool) {
	if first {
		l.kinds.First++
	} else {
		l.kinds.Retry++
	}
}

// Orphan marks a hit at the tail that nobody waited for when it arrived.
func (l *Ledger) Orphan() { l.kinds.Orphan++ }

// Abandoned counts a hit at the tail that an ancestor stopped waiting for while
// it was in progress.
func (l *Ledger) Abandoned() { l.abandoned++ }

// Effect counts a side effect at the tail: the nth, from 1, of one request by one
// way. Where a request reaches the tail by several ways, each means to do the work
// once; what comes on top of that by a way repeats it.
func (l *Ledger) Effect(n int64) {
	l.effects++
	if n > 1 {
		l.kinds.Duplicate++
	}
}

// Ended counts the outcome of a client's request.
func (l *Ledger) Ended(route uint8, o policy.Outcome, from, at policy.Instant) {
	l.done++
	l.last = max(l.last, at)
	l.latency.Add(at.Sub(from))
	l.time += at.Sub(from)
	count(&l.outcomes, o)
	if l.good != nil {
		l.good.ended(from, o.OK())
	}
	if len(l.routes) > 1 || l.until != policy.Never {
		l.routes[route].ended(o, from, at, l.until)
	}
}

func (r *route) ended(o policy.Outcome, from, at, until policy.Instant) {
	count(&r.outcomes, o)
	if at > until || !o.OK() {
		return
	}
	r.done++
	r.last = max(r.last, at)
	r.latency.Add(at.Sub(from))
	r.time += at.Sub(from)
}

func count(to *report.Outcomes, o policy.Outcome) {
	switch {
	case o.OK():
		to.OK++
	case o.Kind == policy.Timeout:
		to.Timeout++
	case o.Kind == policy.Rejected:
		to.Rejected++
	case o.Kind == policy.Cancelled:
		to.Cancelled++
	case o.Kind == policy.Degraded:
		to.Degraded++
	default:
		to.Failed++
	}
}

// Merge adds the books of another part of the clients.
func (l *Ledger) Merge(o *Ledger) {
	l.bins.Merge(o.bins)
	l.wide.Merge(o.wide)
	l.latency.Merge(&o.latency)
	for i := range o.edges {
		l.edges[i].merge(&o.edges[i])
	}
	for i := range o.services {
		l.services[i].merge(&o.services[i])
	}
	for i := range o.routes {
		l.routes[i].merge(&o.routes[i])
	}
	l.time += o.time
	l.early += o.early
	if l.good != nil {
		l.good.merge(o.good)
	}
	l.outcomes.Add(o.outcomes)
	l.kinds.Add(o.kinds)
	l.abandoned += o.abandoned
	l.effects += o.effects
	l.begun += o.begun
	l.done += o.done
	l.last = max(l.last, o.last)
}

func (e *edge) merge(o *edge) {
	e.attempts += o.attempts
	e.took += o.took
	for n := range o.notes {
		e.notes[n] += o.notes[n]
	}
}

func (s *service) merge(o *service) {
	s.requests += o.requests
	for n := range o.replicas {
		s.replicas[n] += o.replicas[n]
	}
}

func (r *route) merge(o *route) {
	r.begun += o.begun
	r.hits += o.hits
	r.done += o.done
	r.outcomes.Add(o.outcomes)
	r.latency.Merge(&o.latency)
	r.time += o.time
	r.last = max(r.last, o.last)
}
