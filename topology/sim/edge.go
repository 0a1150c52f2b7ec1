package sim

import (
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
	callers []int32         // job that made a call, by slot of its root
	serving []int32         // job that serves an attempt, by slot of its leaf
}

func newEdge(from topology.Service) edge {
	c := from.Calls[0]
	id := policy.NewEdgeID(from.Name, c.To)
	return edge{core: policy.NewEdge(id, c.Stack(), !c.KeepWorking), id: id, latency: c.Latency, keeps: c.KeepWorking}
}

// call makes job j call over an edge. The call keeps the job until nothing of it
// is left, which may be long after its answer.
func (e *engine) call(j int32, over uint8) {
	ed := &e.edges[over]
	caller := &e.jobs[j]
	caller.state |= isCalling
	caller.refs++
	root, actions := ed.core.Start(policy.Request{Luck: caller.luck, Repeatable: e.clients.repeatable}, e.now, ed.actions[:0])
	caller.call = root
	ed.callers = setAt(ed.callers, root.Slot(), j)
	e.perform(over, actions)
}

// setAt grows a list beside an arena.
func setAt(list []int32, i int, v int32) []int32 {
	for i >= len(list) {
		list = append(list, none)
	}
	list[i] = v
	return list
}

// perform does what an edge asks for. The answer comes last: it may free a worker
// for somebody who calls over the same edge, with the same scratch and perhaps in
// the slot of a call that has just ended.
func (e *engine) perform(over uint8, actions []policy.Action) {
	ed := &e.edges[over]
	answered, outcome := none, policy.Outcome{}
	for i := range actions {
		switch a := &actions[i]; a.Kind {
		case policy.Send:
			e.send(over, a)
		case policy.Abandon:
			e.abandon(over, a)
		case policy.Wake:
			e.wake(over, a)
		case policy.Answer:
			answered, outcome = ed.callers[a.Root.Slot()], a.Outcome
		case policy.End:
			e.unref(ed.callers[a.Root.Slot()])
		}
	}
	ed.actions = actions[:0]
	if answered != none {
		e.answered(answered, outcome)
	}
}

func (e *engine) wake(over uint8, a *policy.Action) {
	kind := timeouts
	if a.Rest {
		kind = retries
	}
	e.push(a.At, kind, event{what: toWake, edge: over, ref: a.Ref, job: int32(a.Arming)})
}

// send puts an attempt on its way.
func (e *engine) send(over uint8, a *policy.Action) {
	ed := &e.edges[over]
	i := e.newJob()
	from := ed.callers[a.Root.Slot()]
	j, caller := &e.jobs[i], &e.jobs[from]
	caller.refs++
	j.caller, j.leaf, j.service = from, a.Ref, int16(over)
	j.luck = caller.luck.Attempt(ed.id, int(a.Number))
	if a.Number == 1 {
		j.state = caller.state & isFirst
	}
	if a.Orphan {
		j.gone = e.now
	}
	ed.serving = setAt(ed.serving, a.Ref.Slot(), i)
	e.out.Sent(int(over), 1)
	if d := drawTime(ed.latency, j.luck, policy.ForRequest); d > 0 {
		e.pushJob(e.now.Add(d), arrivals, toArrive, i)
		return
	}
	e.arrive(i)
}

// abandon notes that nobody waits for an attempt any more, and passes it on
// when the policy says so: the word travels as the request did, and so never
// overtakes it. The job of an attempt whose reply is on its way may have ended
// and serve another attempt by now, perhaps one of another edge.
func (e *engine) abandon(over uint8, a *policy.Action) {
	ed := &e.edges[over]
	i := ed.serving[a.Ref.Slot()]
	j := &e.jobs[i]
	if j.leaf != a.Ref || j.service != int16(over) || j.is(isReplied) {
		return
	}
	j.gone = min(j.gone, e.now)
	if !a.Cancel {
		return
	}
	j.state |= isReplied
	e.push(e.now, timeouts, event{what: toDone, edge: over, ref: a.Ref, outcome: policy.Failed(policy.Cancelled)})
	e.pushJob(e.now.Add(drawTime(ed.latency, j.luck, policy.ForRequest)), timeouts, toLeave, i)
}

// reply sends the outcome of a job back to its caller.
func (e *engine) reply(i int32, o policy.Outcome) {
	j := &e.jobs[i]
	over := uint8(j.service)
	if !j.is(isReplied) {
		j.state |= isReplied
		at := e.now.Add(drawTime(e.edges[over].latency, j.luck, policy.ForAnswer))
		e.push(at, replies, event{what: toDone, edge: over, ref: j.leaf, outcome: o})
	}
	e.over(i)
}
