package sim

import (
	"time"

	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// edge performs what the policies of one call edge ask for.
type edge struct {
	core    *policy.Edge
	id      policy.EdgeID
	latency topology.Distribution
	actions []policy.Action // scratch
	keeps   bool            // work goes on when its caller leaves
	several bool            // its caller makes others beside it
	heeded  bool            // it leads to the tail, whose answers may ask not to come again too soon
	from    int16           // who calls, in the topology
	to      int16           // the service that is called, of those behind the client
	chance  program.Chance  // of being made for a request; 0: always
	skew    time.Duration   // of the caller's clock
	serving []int32         // job that serves an attempt, by slot of its leaf
	call    *topology.Call
}

func newEdge(p *plan, c topology.Edge) edge {
	from, to := &p.topo.Services[c.From], c.To-1
	ed := edge{
		id: policy.NewEdgeID(from.Name, c.Call.To), latency: c.Latency, keeps: c.KeepWorking, chance: c.Chance, skew: from.Skew,
		from: int16(c.From), to: int16(to), several: len(from.Calls) > 1, call: c.Call,
		heeded: to == len(p.faults)-1 && p.faults[to].asks(),
	}
	ed.core = ed.newCore(&p.topo)
	return ed
}

// newCore is the edge's policies without a call.
func (ed *edge) newCore(t *topology.Topology) *policy.Edge {
	return policy.NewEdge(ed.id, ed.call.Stack(t), !ed.keeps)
}

// call makes a call over an edge for a job or, over the client's, for a client's
// request. The call keeps its caller until nothing of it is left, which may be
// long after its answer.
func (e *engine) call(over, caller int32, luck policy.Luck) {
	ed := &e.edges[over]
	if ed.heeded {
		e.newFloor(over, caller)
	}
	r := policy.Request{Luck: luck, Repeatable: e.clients.repeatable, Route: e.routeOf(over, caller), Tag: caller}
	if e.extends && over >= e.outer {
		r.Deadline = e.deadlineOf(ed, caller)
	}
	root, actions := ed.core.Start(r, e.now, ed.actions[:0])
	switch {
	case over < e.outer: // clients never leave
	case ed.several:
		e.forks[caller].note(over-e.calls[ed.from].first, root)
	default:
		e.jobs[caller].call = root
	}
	e.perform(over, actions)
}

// deadlineOf is the deadline that came in with a job, for one of its calls. What is
// left of a duration counts from when the job turned to its calls; one that is whole
// at every hop starts anew with each.
func (e *engine) deadlineOf(ed *edge, caller int32) policy.Deadline {
	d := e.cameWith(caller)
	if ed.several && d.Mode == policy.Remaining {
		d.Value -= int64(e.now.Sub(e.forks[caller].began))
	}
	return d
}

// cameWith is the deadline that came with a job, by the clock of its service.
func (e *engine) cameWith(i int32) policy.Deadline {
	over := &e.edges[e.jobs[i].edge]
	return topology.Carry(e.extras[i].deadline, &e.topo.Services[over.from], &e.topo.Services[over.to+1])
}

// routeOf is the route of who calls over an edge. Do not ask where there is only one:
// a retry need not touch what its client left in memory long ago.
func (e *engine) routeOf(over, caller int32) uint8 {
	if over < e.outer {
		return e.demands.list[caller].route
	}
	return e.jobs[caller].route
}

// setAt grows a list beside an arena.
func setAt(list []int32, i int, v int32) []int32 {
	for i >= len(list) {
		list = append(list, none)
	}
	list[i] = v
	return list
}

// told is an answer that a call has given.
type told struct {
	caller  int32
	outcome policy.Outcome
}

// perform does what an edge asks for. No request comes back to where it was, so
// nothing that is sent uses the edge meanwhile. Answers come last: one may free a worker for
// somebody who calls over the same edge, with the same scratch and perhaps in the
// slot of a call that has just ended. There is mostly one; a place that is granted to
// a call which is late by now answers that one as well.
func (e *engine) perform(over int32, actions []policy.Action) {
	ed := &e.edges[over]
	answered, outcome := none, policy.Outcome{}
	more := len(e.told)
	for i := range actions {
		switch a := &actions[i]; a.Kind {
		case policy.Send:
			e.send(over, a)
		case policy.Abandon:
			e.abandon(over, a)
		case policy.Wake:
			e.wake(over, a)
		case policy.Remark:
			e.out.Note(int(over), a.Note)
		case policy.Answer:
			if answered == none {
				answered, outcome = a.Tag, a.Outcome
			} else {
				e.told = append(e.told, told{a.Tag, a.Outcome})
			}
		case policy.End:
			e.unrefCaller(over, a.Tag)
		}
	}
	ed.actions = actions[:0]
	if answered == none {
		return
	}
	e.tell(over, answered, outcome)
	if more < len(e.told) {
		e.tellMore(over, more)
	}
}

// tellMore works off further answers. Whoever is told performs on top of them.
func (e *engine) tellMore(over int32, from int) {
	for i := from; i < len(e.told); i++ {
		e.tell(over, e.told[i].caller, e.told[i].outcome)
	}
	e.told = e.told[:from]
}

func (e *engine) tell(over, caller int32, o policy.Outcome) {
	if over < e.outer {
		e.clients.told(over, caller, o)
	} else {
		e.answered(over, caller, o)
	}
}

func (e *engine) unrefCaller(over, caller int32) {
	if over < e.outer {
		e.demands.unref(caller)
	} else {
		e.unref(caller)
	}
}

func (e *engine) wake(over int32, a *policy.Action) {
	kind := timeouts
	if a.Rest {
		kind = retries
	}
	ev := e.queue.Open(int64(a.At), kind)
	ev.what, ev.job, ev.ref, ev.gen = toWake, over, a.Ref, a.Arming
}

// send puts an attempt on its way.
func (e *engine) send(over int32, a *policy.Action) {
	ed := &e.edges[over]
	i := e.newJob()
	j := &e.jobs[i]
	j.caller, j.leaf, j.edge, j.service, j.luck = a.Tag, a.Ref, uint16(over), ed.to, a.Luck
	j.sent, j.host = e.now, a.Host
	if e.out.routed {
		j.route = e.routeOf(over, a.Tag)
	}
	if e.extends {
		e.extras[i] = extra{deadline: a.Deadline}
	}
	if a.Number == 1 {
		j.state = isFirst
		if over >= e.outer {
			j.state &= e.jobs[a.Tag].state
		}
	}
	if a.Orphan {
		j.gone = e.now
	}
	ed.serving = setAt(ed.serving, a.Ref.Slot(), i)
	e.out.Sent(int(over), 1)
	if e.out.spans != nil {
		e.out.spans.sent(e, i, over, a.Number)
	}
	if d := drawTime(&ed.latency, j.luck, policy.ForRequest); d > 0 {
		e.pushJob(e.now.Add(d), arrivals, toArrive, i)
		return
	}
	e.arrive(i)
}

// abandon notes that nobody waits for an attempt any more, and passes it on
// when the policy says so: the word travels as the request did, and so never
// overtakes it. The job of an attempt whose reply is on its way may have ended
// and serve another attempt by now, perhaps one of another edge.
func (e *engine) abandon(over int32, a *policy.Action) {
	ed := &e.edges[over]
	i := ed.serving[a.Ref.Slot()]
	j := &e.jobs[i]
	if j.leaf != a.Ref || int32(j.edge) != over || j.is(isReplied) {
		return
	}
	j.gone = min(j.gone, e.now)
	if e.out.spans != nil {
		e.out.spans.heard(i, policy.Failed(policy.Cancelled), e.now)
	}
	if !a.Cancel {
		return
	}
	j.state |= isReplied
	e.keepCaller(j)
	e.took(j, e.now)
	e.queue.Open(int64(e.now), timeouts).done(over, a.Ref, failed(policy.Cancelled))
	e.pushJob(e.now.Add(drawTime(&ed.latency, j.luck, policy.ForRequest)), timeouts, toLeave, i)
}

// reply sends the outcome of a job back to its caller.
func (e *engine) reply(i int32, a answer) {
	j := &e.jobs[i]
	if e.out.spans != nil {
		e.out.spans.left(i, a.received(e.now, 0), e.now)
	}
	if !j.is(isReplied) {
		j.state |= isReplied
		if j.refs > 1 { // something below it goes on
			e.keepCaller(j)
		}
		if a.after != 0 {
			a.after = a.after.sent(clock(e.now, e.services[j.service].Skew))
		}
		at := e.now.Add(drawTime(&e.edges[j.edge].latency, j.luck, policy.ForAnswer))
		e.took(j, at)
		if e.out.spans != nil {
			e.out.spans.heard(i, a.received(at, e.edges[j.edge].skew), at)
		}
		e.pushReply(at, int32(j.edge), j.leaf, a)
	}
	e.over(i)
}
