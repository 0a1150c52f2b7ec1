package sim

import (
	"labctl/topology"
	"labctl/topology/policy"
	"labctl/topology/sim/queue"
)

// engine is one event loop with everything that its clients share.
type engine struct {
	topo     topology.Topology
	until    policy.Instant // nothing happens at or after it
	queue    queue.Queue[event]
	now      policy.Instant
	edges    []edge
	services []service
	jobs     []job
	free     int32 // first unused job, linked by caller
	alive    int   // jobs in use
	clients  clients
	out      *tally
}

func newEngine(p *plan, out *tally) *engine {
	e := &engine{topo: p.topo, until: p.until, free: none, out: out}
	for i, s := range p.topo.Services[1:] {
		e.edges = append(e.edges, newEdge(p.topo.Services[i]))
		e.services = append(e.services, newService(s, p.faults[i]))
	}
	e.clients = newClients(e)
	return e
}

// reset makes ready to simulate the next client alone. A client that came to its
// end has left nothing behind but memory; what one left that did not is thrown
// away.
func (e *engine) reset() {
	e.queue.Reset()
	e.now = 0
	if e.alive == 0 {
		return
	}
	e.jobs, e.free, e.alive = e.jobs[:0], none, 0
	for i := range e.edges {
		e.edges[i] = newEdge(e.topo.Services[i])
	}
}

// end is why an event loop stopped.
type end uint8

const (
	drained     end = iota // nothing is left that could happen
	cutOff                 // the run's end has come
	interrupted            // the context ended it
)

// run works off events until something ends it, and counts what is in progress
// then.
func (e *engine) run(stop func() bool) {
	why := e.loop(stop)
	if e.alive > 0 {
		e.conclude(why)
	}
}

func (e *engine) loop(stop func() bool) end {
	for n := 0; ; n++ {
		if n&(checkEvery-1) == 0 && stop() {
			return interrupted
		}
		at, _, ev, ok := e.queue.Pop()
		if !ok {
			return drained
		}
		if policy.Instant(at) >= e.until {
			return cutOff
		}
		e.now = policy.Instant(at)
		e.handle(&ev)
	}
}

// checkEvery is how many events go by between two looks at the context.
const checkEvery = 1 << 12

// conclude counts what the end found in progress, as a live run does: requests
// are cancelled by the run's end, and hits that nobody waited for any more are
// abandoned. What would go on for ever in a run without an end stays unanswered.
func (e *engine) conclude(why end) {
	at := e.now
	if why != interrupted {
		at = e.until
	}
	for i := range e.jobs {
		j := &e.jobs[i]
		switch {
		case j.refs == 0 || j.is(isOver):
		case j.service == client && j.is(isCalling):
			e.out.cut(why, j.at, at)
		case j.is(isWaiting | isServing):
			e.ended(int32(i))
		}
	}
}

func (e *engine) handle(ev *event) {
	switch ev.what {
	case toDone:
		ed := &e.edges[ev.edge]
		e.perform(ev.edge, ed.core.Done(ev.ref, ev.outcome, e.now, ed.actions[:0]))
	case toWake:
		ed := &e.edges[ev.edge]
		e.perform(ev.edge, ed.core.Timer(ev.ref, uint32(ev.job), e.now, ed.actions[:0]))
	case toGenerate:
		e.clients.arrive()
	case toBegin:
		e.begin(ev.job)
	default:
		if e.jobs[ev.job].gen == ev.gen {
			e.handleJob(ev)
		}
	}
}

func (e *engine) handleJob(ev *event) {
	switch ev.what {
	case toServed:
		e.served(ev.job)
	case toLeave:
		e.leave(ev.job)
	case toArrive:
		e.arrive(ev.job)
	}
}

func (e *engine) push(at policy.Instant, kind uint8, ev event) {
	e.queue.Push(int64(at), kind, ev)
}

// pushJob schedules something for a job, which it will not be told if it has
// ended by then.
func (e *engine) pushJob(at policy.Instant, kind uint8, w what, j int32) {
	e.push(at, kind, event{what: w, job: j, gen: e.jobs[j].gen})
}
