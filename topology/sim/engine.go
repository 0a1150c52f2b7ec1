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

// reset forgets everything but the memory, to simulate the next client alone.
func (e *engine) reset() {
	e.queue.Reset()
	e.now = 0
}

// run works off events until none is left or the run's end has come. It reports
// whether it was cut.
func (e *engine) run(stop func() bool) (cut bool) {
	for n := 0; ; n++ {
		if n&(checkEvery-1) == 0 && stop() {
			return true
		}
		at, _, ev, ok := e.queue.Pop()
		if !ok {
			return false
		}
		if policy.Instant(at) >= e.until {
			return true
		}
		e.now = policy.Instant(at)
		e.handle(ev)
	}
}

// checkEvery is how many events go by between two looks at the context.
const checkEvery = 1 << 12

func (e *engine) handle(ev event) {
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
		if e.jobs[ev.job].gen != ev.gen {
			return
		}
		e.handleJob(ev)
	}
}

func (e *engine) handleJob(ev event) {
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
