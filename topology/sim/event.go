package sim

import "labctl/topology/policy"

// The kinds of events in the order in which they happen at one instant.
const (
	replies  uint8 = iota // an outcome is known; work is done
	timeouts              // a timeout, or a caller that leaves
	retries               // a rest is over
	arrivals              // a request begins
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
	gen    uint32      // of the job: an event of a job that has ended is ignored; of toWake, the arming
	status int16       // with kind, the outcome that is told
	kind   policy.Kind // likewise
	what   what
}

// done makes it the event that tells an edge the outcome of an attempt.
func (ev *event) done(over int16, attempt policy.Ref, o policy.Outcome) {
	ev.what, ev.job, ev.ref, ev.kind, ev.status = toDone, int32(over), attempt, o.Kind, o.Status
}

func (ev *event) outcome() policy.Outcome {
	return policy.Outcome{Kind: ev.kind, Status: ev.status}
}
