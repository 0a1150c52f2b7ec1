package sim

import (
	"time"

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
	skew    time.Duration   // of the caller's clock
	serving []int32         // job that serves an attempt, by slot of its leaf
}

func newEdge(t *topology.Topology, from *topology.Service) edge {
	c := from.Calls[0]
	id := policy.NewEdgeID(from.Name, c.To)
	return edge{core: policy.NewEdge(id, c.Stack(t), !c.KeepWorking), id: id, latency: c.Latency, keeps: c.KeepWorking, skew: from.Skew}
}

// call makes a call over an edge for a job or, over the first, for a client's
// request. The call keeps its caller until nothing of it is left, which may be
// long after its answer.
func (e *engine) call(over int16, caller int32, luck policy.Luck) {
	ed := &e.edges[over]
	if e.floors.has(over) {
		e.floors.begin(caller)
	}
	r := policy.Request{Luck: luck, Repeatable: e.clients.repeatable, Route: e.routeOf(over, caller), Tag: caller}
	if e.extends && over > 0 { // what is left of a duration counts from now on
		r.Deadline = topology.Carry(e.extras[caller].deadline, &e.topo.Services[over-1], &e.topo.Services[over])
	}
	root, actions := ed.core.Start(r, e.now, ed.actions[:0])
	if over > 0 {
		e.jobs[caller].call = root
	}
	e.perform(over, actions)
}

// routeOf is the route of who calls over an edge. Do not ask where there is only one:
// a retry need not touch what its client left in memory long ago.
func (e *engine) routeOf(over int16, caller int32) uint8 {
	if over == 0 {
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

// perform does what an edge asks for. Answers come last: one may free a worker for
// somebody who calls over the same edge, with the same scratch and perhaps in the
// slot of a call that has just ended. There is mostly one; a place that is granted to
// a call which is late by now answers that one as well.
func (e *engine) perform(over int16, actions []policy.Action) {
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
func (e *engine) tellMore(over int16, from int) {
	for i := from; i < len(e.told); i++ {
		e.tell(over, e.told[i].caller, e.told[i].outcome)
	}
	e.told = e.told[:from]
}

func (e *engine) tell(over int16, caller int32, o policy.Outcome) {
	if over == 0 {
		e.clients.answered(caller, o)
	} else {
		e.answered(caller, o)
	}
}

func (e *engine) unrefCaller(over int16, caller int32) {
	if over == 0 {
		e.demands.unref(caller)
	} else {
		e.unref(caller)
	}
}

func (e *engine) wake(over int16, a *policy.Action) {
	kind := timeouts
	if a.Rest {
		kind = retries
	}
	ev := e.queue.Open(int64(a.At), kind)
	ev.what, ev.job, ev.ref, ev.gen = toWake, int32(over), a.Ref, a.Arming
}

// send puts an attempt on its way.
func (e *engine) send(over int16, a *policy.Action) {
	ed := &e.edges[over]
	i := e.newJob()
	j := &e.jobs[i]
	j.caller, j.leaf, j.service, j.luck = a.Tag, a.Ref, int8(over), a.Luck
	j.sent, j.host = e.now, a.Host
	if e.out.routed {
		j.route = e.routeOf(over, a.Tag)
	}
	if e.extends {
		e.extras[i] = extra{deadline: a.Deadline}
	}
	if a.Number == 1 {
		j.state = isFirst
		if over > 0 {
			j.state &= e.jobs[a.Tag].state
		}
	}
	if a.Orphan {
		j.gone = e.now
	}
	ed.serving = setAt(ed.serving, a.Ref.Slot(), i)
	e.out.Sent(int(over), 1)
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
func (e *engine) abandon(over int16, a *policy.Action) {
	ed := &e.edges[over]
	i := ed.serving[a.Ref.Slot()]
	j := &e.jobs[i]
	if j.leaf != a.Ref || int16(j.service) != over || j.is(isReplied) {
		return
	}
	j.gone = min(j.gone, e.now)
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
	if !j.is(isReplied) {
		j.state |= isReplied
		if j.refs > 1 { // something below it goes on
			e.keepCaller(j)
		}
		if a.after != 0 {
			a.after = a.after.sent(clock(e.now, e.services[j.service].Skew))
		}
		at := e.now.Add(drawTime(&e.edges[j.service].latency, j.luck, policy.ForAnswer))
		e.took(j, at)
		e.pushReply(at, int16(j.service), j.leaf, a)
	}
	e.over(i)
}
