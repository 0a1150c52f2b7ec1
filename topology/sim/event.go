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
	toBegin                // client job begins its request
	toGenerate             // the next of the load's arrivals
)

// event is one thing that will happen. It is kept small: a million of them wait
// at once.
type event struct {
	ref     policy.Ref
	job     int32  // or the arming of a timer
	gen     uint32 // of the job: an event of a job that has ended is ignored
	outcome policy.Outcome
	edge    uint8
	what    what
}
