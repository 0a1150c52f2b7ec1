package sim

import (
	"labctl/topology"
	"labctl/topology/policy"
	"labctl/topology/sim/queue"
)

// engine is one event loop with everything that its clients share.
type engine struct {
	fleet    bool // each client brings policies of its own
	topo     topology.Topology
	until    policy.Instant // nothing happens at or after it
	queue    queue.Queue[event]
	now      policy.Instant
	edges    []edge
	services []service // those behind the client
	calls    []calls   // of all services, the client first
	outer    int32     // edges that are calls of the client: the first ones
	demands  demands
	jobs     []job
	forks    []fork  // by job, of those that make several calls
	asked    []fork  // likewise of the clients' requests, by demand
	extras   []extra // by job, where there are such
	extends  bool
	floors   floors
	told     []told // scratch of perform
	free     int32  // first unused job, linked by caller
	alive    int    // jobs in use
	clients  clients
	out      *tally
	next     event // a reply that comes before all that is in the queue
	isNext   bool
	fetched  int32 // means nothing, but that it was read
}

func newEngine(p *plan, out *tally) *engine {
	e := &engine{topo: p.topo, until: p.until, free: none, out: out, extends: p.extends(), fleet: p.topo.Fleet(), calls: p.calls, outer: p.calls[0].count}
	e.demands.meet = len(p.edges) >= len(p.topo.Services) // some service has several callers
	e.demands.clear()
	e.queue.Ahead = e.ahead
	for _, ed := range p.edges {
		e.edges = append(e.edges, newEdge(p, ed))
	}
	for i := range p.faults {
		e.services = append(e.services, newService(p, i))
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
	if e.alive == 0 && e.demands.used == 0 && !e.fleet {
		return
	}
	e.demands.clear()
	e.jobs, e.extras, e.free, e.alive = e.jobs[:0], e.extras[:0], none, 0
	for i := range e.edges {
		ed := &e.edges[i]
		ed.core, ed.serving = ed.newCore(&e.topo), ed.serving[:0]
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
func (e *engine) run(stop func() bool) end {
	why := e.loop(stop)
	e.conclude(why)
	return why
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

// ahead fetches what an event will need: the frame that it wakes and, in case the
// call ends, what its client asked for.
func (e *engine) ahead(ev *event) {
	if ev.what != toWake {
		return
	}
	if tag, ok := e.edges[ev.job].core.Tag(ev.ref); ok && ev.job < e.outer {
		e.fetched += e.demands.list[tag].refs
	}
}

// checkEvery is how many events go by between two looks at the context.
const checkEvery = 1 << 12

// handle works off an event, and then the replies that come before anything else.
func (e *engine) handle(ev *event) {
	e.happen(ev)
	for e.isNext {
		e.isNext = false
		e.happen(&e.next) // read before another can take its place
	}
}

func (e *engine) happen(ev *event) {
	switch ev.what {
	case toDone:
		ed := &e.edges[ev.job]
		o := ev.answer().received(e.now, ed.skew)
		if o.After > 0 && ed.heeded {
			if caller, ok := ed.core.Tag(ev.ref); ok {
				*e.floorOf(ev.job, caller) = max(*e.floorOf(ev.job, caller), e.now.Add(o.After))
			}
		}
		e.perform(ev.job, ed.core.Done(ev.ref, o, e.now, ed.actions[:0]))
	case toWake:
		ed := &e.edges[ev.job]
		e.perform(ev.job, ed.core.Timer(ev.ref, ev.gen, e.now, ed.actions[:0]))
	case toGenerate:
		e.clients.arrive()
	case toBegin:
		e.clients.begin(ev.job)
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

// pushReply schedules a reply. At this instant replies come first: one that none
// is ahead of need not go through the queue.
func (e *engine) pushReply(at policy.Instant, over int32, attempt policy.Ref, a answer) {
	if at == e.now && !e.isNext && !e.queue.Holds(replies) {
		e.isNext = true
		e.next.done(over, attempt, a)
		return
	}
	e.queue.Open(int64(at), replies).done(over, attempt, a)
}

// pushJob schedules something for a job, which it will not be told if it has
// ended by then.
func (e *engine) pushJob(at policy.Instant, kind uint8, w what, j int32) {
	e.push(at, kind, event{what: w, job: j, gen: e.jobs[j].gen})
}
