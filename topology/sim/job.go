package sim

import (
	"time"

	"labctl/topology/policy"
)

// job is one request at one service while anything of it is left, or one
// logical request of a client. Jobs form a tree: the caller of a job is the job
// that made the attempt.
type job struct {
	luck    policy.Luck
	at      policy.Instant // arrival; of a client's request, when it was due
	gone    policy.Instant // when its caller stopped waiting; Never while it waits
	call    policy.Ref     // its own call to the next service
	leaf    policy.Ref     // the attempt that it answers
	caller  int32          // none for a client's request
	refs    int32          // what still names it: its own work, its call, and the jobs that call made
	effects int32          // of a client's request: how often the tail did the work
	client  uint32         // of a client's request
	number  uint32         // of a client's request, from 0
	gen     uint32
	service int16 // index; −1 for a client's request
	station int16 // replica that serves it
	outcome policy.Outcome
	state   jobState
	place   uint32        // in the queue of its station, while it waits
	work    time.Duration // service time and what the fault adds
}

type jobState uint16

const (
	isFirst   jobState = 1 << iota // the first attempt of every layer above
	isWaiting                      // in the queue of a station
	isServing                      // holds a worker, or would if there were a limit
	isCalling                      // its own call has no answer yet
	isHanging                      // never answers by itself
	isForward                      // the next layer decides the outcome
	isWork                         // ends in a side effect, if it is the tail's
	isReplied                      // its caller has an outcome already
	isOver                         // done here; kept only for the jobs below
)

func (j *job) is(s jobState) bool { return j.state&s != 0 }

const (
	none   = int32(-1)
	client = int16(-1)
)

// newJob takes a job from the free list.
func (e *engine) newJob() int32 {
	i := e.free
	if i == none {
		i = int32(len(e.jobs))
		e.jobs = append(e.jobs, job{})
	} else {
		e.free = e.jobs[i].caller
	}
	e.alive++
	j := &e.jobs[i]
	*j = job{gen: j.gen, gone: policy.Never, caller: none, refs: 1}
	return i
}

// unref lets go of a job, and then perhaps of its callers.
func (e *engine) unref(i int32) {
	for i != none {
		j := &e.jobs[i]
		if j.refs--; j.refs > 0 {
			return
		}
		caller := j.caller
		e.alive--
		j.gen++
		j.caller = e.free
		e.free = i
		i = caller
	}
}

// over marks a job as done here.
func (e *engine) over(i int32) {
	j := &e.jobs[i]
	if !j.is(isOver) {
		j.state |= isOver
		e.unref(i)
	}
}

// goneAt is the earliest instant at which a caller of the job, near or far,
// stopped waiting.
func (e *engine) goneAt(i int32) policy.Instant {
	at := policy.Never
	for ; i != none; i = e.jobs[i].caller {
		at = min(at, e.jobs[i].gone)
	}
	return at
}

// request finds the client's request that a job belongs to.
func (e *engine) request(i int32) *job {
	for e.jobs[i].caller != none {
		i = e.jobs[i].caller
	}
	return &e.jobs[i]
}
