package sim

import (
	"time"

	"labctl/topology/policy"
)

// conclude counts what the end found in progress, as a live run does: requests
// are cancelled by the run's end, and hits that nobody waited for any more are
// abandoned. What would go on for ever in a run without an end stays unanswered.
func (e *engine) conclude(why end) {
	at := e.now
	if why != interrupted {
		at = e.until
	}
	if e.demands.used > 0 {
		for i := range e.demands.list {
			if r := &e.demands.list[i]; r.calling {
				e.out.cut(why, r.route, r.at, at)
				if e.out.spans != nil {
					e.out.spans.ended(&e.clients, int32(i), policy.Failed(policy.Cancelled), e.lastOf(at), true)
				}
			}
		}
	}
	if e.out.spans != nil {
		e.out.spans.cut(e.lastOf(at))
	}
	if e.alive == 0 {
		return
	}
	for i := range e.jobs {
		j := &e.jobs[i]
		if j.refs == 0 {
			continue
		}
		if !j.is(isReplied) {
			e.took(j, at)
		}
		if !j.is(isOver) && j.is(isWaiting|isServing) {
			e.ended(int32(i))
		}
	}
}

// lastOf is an instant, or where that never comes the last one at which anything
// happened.
func (e *engine) lastOf(at policy.Instant) policy.Instant {
	if at == policy.Never {
		return e.now
	}
	return at
}

// took books the time of an attempt whose outcome its caller gets at an instant: at
// the end of the run at the latest, and not at all where it never comes.
func (e *engine) took(j *job, at policy.Instant) {
	if at = min(at, e.until); at != policy.Never {
		e.out.Took(int(j.edge), time.Duration(at-j.sent))
	}
}

// watch takes down what is the same for all clients: the policies of the edges, and
// the workers of the services.
func (e *engine) watch(why end) {
	idle := why == drained && e.alive == 0 && e.demands.used == 0
	for i := range e.edges {
		e.out.Watch(i, e.edges[i].core.Stack(), e.now, idle)
	}
	for i := range e.services {
		if q, is := e.services[i].queue(); is {
			e.out.Queue(i, q)
		}
	}
}
