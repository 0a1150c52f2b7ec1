package sim

import (
	"labctl/topology"
	"labctl/topology/policy"
)

// MaxCalls bounds the calls of a topology, so that a job can name the edge that it
// came over in two bytes.
const MaxCalls = 1 << 16

// calls are those that a service makes for each request: edges, one behind the other.
type calls struct {
	first, count int32
	parallel     bool
}

// callsOf lists the calls of all services in the order of their edges.
func callsOf(services []topology.Service) []calls {
	list := make([]calls, len(services))
	first := int32(0)
	for i, s := range services {
		list[i] = calls{first: first, count: int32(len(s.Calls)), parallel: s.Parallel}
		first += list[i].count
	}
	return list
}

// fork is how far one who makes several calls has come with them: a job or a
// client's request. It lies beside them, since few have one.
type fork struct {
	made    []made         // by place
	running int32          // calls that have no answer yet, those to be made at once included
	place   int32          // of the call that decides the outcome so far
	outcome policy.Outcome // of that
	began   policy.Instant // when it turned to its calls
	left    bool           // its caller is gone: no call is made any more
}

// made is one call that a job makes.
type made struct {
	root policy.Ref
	runs bool // has no answer yet
}

// weight orders outcomes by how much they decide. That an answer is old counts for
// more than that others are not, and a failure for more than either.
func weight(o policy.Outcome) int {
	switch {
	case o.OK():
		return 0
	case o.Kind == policy.Degraded:
		return 1
	}
	return 2
}

const failure = 2

// hear notes the outcome of the call at a place. Of failures the first in the
// caller's own order decides, of answers the last, whenever they came.
func (f *fork) hear(place int32, o policy.Outcome) {
	w, was := weight(o), weight(f.outcome)
	if f.place == none || w > was || w == was && (w == failure) == (place < f.place) {
		f.place, f.outcome = place, o
	}
}

// forkOf is the fork of who calls over an edge.
func (e *engine) forkOf(over, caller int32) *fork {
	if over < e.outer {
		return &e.asked[caller]
	}
	return &e.forks[caller]
}

// newFork makes one for who makes these calls.
func (e *engine) newFork(c *calls, caller int32) *fork {
	list := &e.forks
	if c.first < e.outer {
		list = &e.asked
	}
	for int(caller) >= len(*list) {
		*list = append(*list, fork{})
	}
	f := &(*list)[caller]
	*f = fork{made: f.made[:0], place: none, began: e.now}
	return f
}

// makes reports whether a call with a chance is made for a request. Attempts count
// from 1, so attempt 0 of the edge is a place whose luck nothing else asks for this.
func (e *engine) makes(over int32, luck policy.Luck) bool {
	ed := &e.edges[over]
	return ed.chance == 0 || ed.chance.Hit(luck.Attempt(ed.id, 0).Draw(policy.ForFault))
}

// begin makes a caller's calls, or the first of them, and reports whether there is
// any. All may be answered already.
func (e *engine) begin(c *calls, caller int32, luck policy.Luck) bool {
	if c.count == 1 {
		return e.makes(c.first, luck) && e.callFor(c.first, caller, luck)
	}
	f := e.newFork(c, caller)
	if !c.parallel {
		return e.nextCall(c, c.first, caller, luck)
	}
	end := c.first + c.count
	for over := c.first; over < end; over++ {
		if e.makes(over, luck) {
			f.running++
		}
	}
	any := f.running > 0
	for over := c.first; over < end; over++ { // what answers meanwhile may move the fork, and the last one end it
		if e.makes(over, luck) {
			e.callFor(over, caller, luck)
		}
	}
	return any
}

// nextCall makes the next of the calls that are made in turn, from an edge on, and
// reports whether there is one.
func (e *engine) nextCall(c *calls, over, caller int32, luck policy.Luck) bool {
	for ; over < c.first+c.count; over++ {
		if e.makes(over, luck) {
			e.forkOf(over, caller).running = 1
			return e.callFor(over, caller, luck)
		}
	}
	return false
}

// callFor makes a call that is one of a caller's own, which it keeps.
func (e *engine) callFor(over, caller int32, luck policy.Luck) bool {
	if over < e.outer {
		e.demands.list[caller].refs++
	} else {
		e.jobs[caller].refs++
	}
	e.call(over, caller, luck)
	return true
}

// hear notes how one of several calls ended, and returns how all of them did unless
// there is more to wait for.
func (e *engine) hear(c *calls, over, caller int32, o policy.Outcome) (all policy.Outcome, is bool) {
	f := e.forkOf(over, caller)
	f.hear(over-c.first, o)
	if over >= e.outer {
		f.made[over-c.first].runs = false
	}
	if f.running--; f.running > 0 {
		return all, false
	}
	all = f.outcome
	if c.parallel || f.left || weight(all) == failure {
		return all, true
	}
	return all, !e.nextCall(c, over+1, caller, e.luckOf(over, caller))
}

// luckOf is the luck of who calls over an edge.
func (e *engine) luckOf(over, caller int32) policy.Luck {
	if over < e.outer {
		return e.clients.luck(caller)
	}
	return e.jobs[caller].luck
}

// note keeps the root of a job's call, to cancel it by.
func (f *fork) note(place int32, root policy.Ref) {
	for int(place) >= len(f.made) {
		f.made = append(f.made, made{})
	}
	f.made[place] = made{root, true}
}

// leaveCalls ends the calls of a job whose caller took it along. Where one goes on
// all the same, it does so for nobody: the job has no worker any more.
func (e *engine) leaveCalls(i int32) {
	j := &e.jobs[i]
	c, gen := &e.calls[j.service+1], j.gen
	if c.count == 1 {
		e.cancel(c.first, j.call)
	} else {
		e.forks[i].left = true
		for place := range c.count {
			if e.jobs[i].gen != gen { // the end of one was its own
				return
			}
			if m := e.forks[i].made; int(place) < len(m) && m[place].runs {
				e.cancel(c.first+place, m[place].root)
			}
		}
	}
	if j = &e.jobs[i]; j.gen == gen && j.is(isCalling) {
		s, st := &e.services[j.service], e.station(j)
		j.state &^= isServing
		e.leaveKey(i)
		e.freeWorker(s, st)
	}
}

// cancel tells a call that its caller has left, unless it goes on all the same.
func (e *engine) cancel(over int32, root policy.Ref) {
	if ed := &e.edges[over]; !ed.keeps {
		e.perform(over, ed.core.Cancel(root, e.now, ed.actions[:0]))
	}
}
