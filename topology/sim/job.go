package sim

import (
	"time"

	"labctl/topology/policy"
)

// job is one attempt at one service while anything of it is left. Its caller is
// the job that made the attempt or, on a call of the client, the client's request.
//
// A job need not keep its caller: the call that it is part of does, until the
// job's outcome is told. Only one that stays beyond that keeps it from then on.
// So a retry does not touch what its client left in memory long ago.
type job struct {
	luck    policy.Luck
	sent    policy.Instant
	gone    policy.Instant // when its caller stopped waiting; Never while it waits
	work    time.Duration  // service time and what the fault adds
	call    policy.Ref     // its own call, where its service makes only one
	leaf    policy.Ref     // the attempt that it answers
	caller  int32          // job or request, by the edge
	refs    int32          // what still names it: its own work, its call, and jobs that keep it
	gen     uint32
	place   uint32     // in the queue of its station, while it waits
	after   retryAfter // with status and kind, its answer, unless its calls decide that
	status  int16
	kind    policy.Kind
	route   uint8
	state   jobState
	host    int16  // replica that serves it
	service int16  // index
	edge    uint16 // that it came over: an index up to MaxCalls
}

// extra is what the jobs of few topologies have beside that.
type extra struct {
	deadline policy.Deadline // that came with the attempt
	over     time.Duration   // that the answer takes when the work is done
}

type jobState uint16

const (
	isFirst   jobState = 1 << iota // the first attempt of every layer above
	isWaiting                      // in the queue of a station
	isServing                      // holds a worker, or would if there were a limit
	isCalling                      // its own calls have no answer yet
	isRefused                      // met a closed port
	isHanging                      // never answers by itself
	isForward                      // its work is to call other services
	isPassing                      // those decide the outcome
	isWork                         // ends in a side effect, if it is the tail's
	isReserve                      // is at work on its idempotency key
	isHeld                         // waits for another one that is
	isAnswer                       // its work is done; only the answer takes its time
	isReplied                      // its caller has an outcome already
	isKeeping                      // keeps its caller
	isOver                         // done here; kept only for the jobs below
)

func (j *job) is(s jobState) bool { return j.state&s != 0 }

// answer is what the job answers, in the job's own fields for the room that they
// would take otherwise.
func (j *job) answer() answer { return answer{after: j.after, status: j.status, kind: j.kind} }

func (j *job) setAnswer(a answer) { j.after, j.status, j.kind = a.after, a.status, a.kind }

// isOuter reports whether a client made the job's attempt.
func (e *engine) isOuter(j *job) bool { return int32(j.edge) < e.outer }

const none = int32(-1)

// newJob takes a job from the free list.
func (e *engine) newJob() int32 {
	i := e.free
	if i == none {
		i = int32(len(e.jobs))
		e.jobs = append(e.jobs, job{})
		if e.extends {
			e.extras = append(e.extras, extra{})
		}
	} else {
		e.free = e.jobs[i].caller
	}
	e.alive++
	j := &e.jobs[i]
	gen := j.gen
	*j = job{}
	j.gen, j.gone, j.refs = gen, policy.Never, 1
	return i
}

// unref lets go of a job, and then perhaps of its callers.
func (e *engine) unref(i int32) {
	for {
		j := &e.jobs[i]
		if j.refs--; j.refs > 0 {
			return
		}
		caller := j.caller
		e.alive--
		j.gen++
		j.caller = e.free
		e.free = i
		switch {
		case !j.is(isKeeping):
			return
		case e.isOuter(j):
			e.demands.unref(caller)
			return
		}
		i = caller
	}
}

// keepCaller lets a job stay when its caller has an outcome already.
func (e *engine) keepCaller(j *job) {
	j.state |= isKeeping
	if e.isOuter(j) {
		e.demands.list[j.caller].refs++
	} else {
		e.jobs[j.caller].refs++
	}
}

// over marks a job as done here.
func (e *engine) over(i int32) {
	j := &e.jobs[i]
	if !j.is(isOver) {
		j.state |= isOver
		if e.out.spans != nil {
			e.out.spans.left(i, policy.Failed(policy.Cancelled), e.now)
		}
		e.unref(i)
	}
}

// goneAt is the earliest instant at which a caller of the job, near or far,
// stopped waiting. A client waits to the end.
func (e *engine) goneAt(i int32) policy.Instant {
	j := &e.jobs[i]
	at := j.gone
	for !e.isOuter(j) {
		j = &e.jobs[j.caller]
		at = min(at, j.gone)
	}
	return at
}

// arrived is when a job reached its service, or will.
func (e *engine) arrived(j *job) policy.Instant {
	return j.sent.Add(drawTime(&e.edges[j.edge].latency, j.luck, policy.ForRequest))
}

// request finds the client's request that a job belongs to.
func (e *engine) request(i int32) *demand {
	j := &e.jobs[i]
	for !e.isOuter(j) {
		j = &e.jobs[j.caller]
	}
	return &e.demands.list[j.caller]
}
