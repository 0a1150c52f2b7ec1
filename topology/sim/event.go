package sim

import "labctl/topology/policy"

// The kinds of events in the order in which they happen at one instant.
const (
	replies  uint8 = iota // an outcome is known; work is done
	timeouts              // a timeout, or a caller that leaves
	retries               // a rest is over
	starts                // a client begins its first request; all these are known from the start, in the order of the clients
	arrivals              // a request begins, or reaches a service
)

// what an event does.
type what uint8

const (
	toDone     what = iota // tell the edge the outcome of attempt ref
	toServed               // job's service time is over
	toWake                 // tell the edge that the timer of ref has come
	toLeave                // job's caller has left
	toArrive               // job reaches its service
	toBegin                // a client begins its request
	toGenerate             // the next of the load's arrivals
)

// event is one thing that will happen. It is kept small: a million of them wait
// at once, and with its instant one fills half a line of the cache.
type event struct {
	ref    policy.Ref  // the frame that is told
	job    int32       // job or request; of toDone and toWake, the edge of ref
	gen    uint32      // of the job: an event of a job that has ended is ignored; of toWake, the arming; of toDone, the retryAfter
	status int16       // with kind, the answer that is told
	kind   policy.Kind // likewise
	what   what
}

// done makes it the event that tells an edge how an attempt ended.
func (ev *event) done(over int32, attempt policy.Ref, a answer) {
	ev.what, ev.job, ev.ref, ev.kind, ev.status, ev.gen = toDone, over, attempt, a.kind, a.status, uint32(a.after)
}

func (ev *event) answer() answer {
	return answer{kind: ev.kind, status: ev.status, after: retryAfter(ev.gen)}
}
