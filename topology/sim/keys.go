package sim

import (
	"net/http"

	"labctl/faultserver/idempotency"
)

// name is a job as a table of keys knows it: one that has ended is not found any more.
type name struct {
	job int32
	gen uint32
}

func (e *engine) nameOf(i int32) name { return name{i, e.jobs[i].gen} }

// mayWork shows the key of a job to its service, and reports whether the job may
// begin its work. One that waits for another's answer holds its worker meanwhile.
func (e *engine) mayWork(i int32) bool {
	j := &e.jobs[i]
	answer, code := e.services[j.service].keys.Begin(e.requestName(i), e.nameOf(i))
	switch answer {
	case idempotency.Run:
		j.state |= isReserve
		return true
	case idempotency.Wait:
		j.state |= isHeld
	case idempotency.Conflict:
		e.complete(i, status(http.StatusConflict))
	case idempotency.Replay:
		e.complete(i, status(code))
	}
	return false
}

// release says how the work under a key ended, and lets go on who waited for that.
// One that works now does so by way of the queue, and not down the stack.
func (e *engine) release(i int32, worked bool, code int16) {
	e.jobs[i].state &^= isReserve
	s := &e.services[e.jobs[i].service]
	answer, waiters := s.keys.Finish(e.requestName(i), worked, int(code))
	for _, w := range waiters {
		j := &e.jobs[w.job]
		if j.gen != w.gen || !j.is(isHeld) {
			continue
		}
		j.state &^= isHeld
		if answer == idempotency.Replay {
			e.complete(w.job, status(int(code)))
			continue
		}
		j.state |= isReserve
		e.pushJob(s.finish(e.now, j.work), replies, toServed, w.job)
	}
}

// leaveKey takes back a job that ends before its work does.
func (e *engine) leaveKey(i int32) {
	switch j := &e.jobs[i]; {
	case j.is(isReserve):
		e.release(i, false, 0)
	case j.is(isHeld):
		j.state &^= isHeld
		e.services[j.service].keys.Leave(e.requestName(i), e.nameOf(i))
	}
}
