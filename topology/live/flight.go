package live

import (
	"context"

	"labctl/topology/policy"
)

// flight is one call in progress. Its caller waits for it, and makes attempts
// meanwhile: a goroutine for each would cost as much as the rest of the call.
type flight struct {
	*request
	ctx  context.Context // of the caller
	root policy.Ref
	wake chan struct{} // tells a caller that waits; nil until it does

	// Under the mutex of the edge.
	here      bool     // the caller can make an attempt
	next      *attempt // that it is to make
	tried     bool     // an attempt was begun
	cancelled bool     // the caller left
	answered  bool
	outcome   policy.Outcome
	floor     policy.Instant // before which a Retry-After asked not to come again
}

// call makes one logical request and waits for its answer, or for the caller to
// leave. at is the instant of its start.
func (e *edge) call(ctx context.Context, r *request, at policy.Instant) policy.Outcome {
	f := &flight{request: r, ctx: ctx, here: !e.keeps}
	e.lab.takeOff()
	e.mu.Lock()
	defer e.mu.Unlock()
	root, actions := e.core.Start(policy.Request{
		Luck: r.luck, Repeatable: r.repeatable(), Route: r.route, Deadline: r.deadline,
	}, at, e.actions[:0])
	f.root = root
	e.slot(root).flight = f
	e.perform(actions)
	waits := r.start != nil && f.tried
	if r.start != nil && !f.tried { // it waits for its turn, or was refused
		r.start.gate.absent()
	}
	o := e.attend(f)
	if waits && !e.lab.hasBegun(at) { // the end of the run found it before its start
		e.sent--
	}
	return o
}

// attend makes the attempts that are handed to the caller until there is an
// answer. The caller holds the mutex.
func (e *edge) attend(f *flight) policy.Outcome {
	for !f.answered || f.next != nil {
		if a := f.next; a != nil {
			f.next = nil
			e.mu.Unlock()
			o := e.client.roundTrip(a)
			e.mu.Lock()
			if o.Kind == policy.Cancelled && f.ctx.Err() != nil {
				e.cancel(f)
			}
			f.here = true
			e.done(a, o)
			continue
		}
		if f.wake == nil {
			f.wake = make(chan struct{}, 1)
		}
		e.mu.Unlock()
		left := f.wait()
		e.mu.Lock()
		if left && e.keeps {
			f.here = false
			return policy.Failed(policy.Cancelled)
		}
		if left {
			e.cancel(f)
		}
	}
	return f.outcome
}

// wait waits for word of the call, and reports whether the caller left.
func (f *flight) wait() (left bool) {
	done := f.ctx.Done()
	if f.cancelled { // that is known
		done = nil
	}
	select {
	case <-f.wake:
		return false
	case <-done:
		return true
	}
}

// cancel tells the composer that the caller of a call left.
func (e *edge) cancel(f *flight) {
	if !f.cancelled {
		f.cancelled, f.here = true, false
		e.perform(e.core.Cancel(f.root, e.lab.clock.now(), e.actions[:0]))
	}
}

// hand gives the caller an attempt to make, if it can.
func (f *flight) hand(a *attempt) bool {
	f.tried = true
	if !f.here {
		return false
	}
	f.here, f.next = false, a
	f.tell()
	return true
}

func (f *flight) answer(o policy.Outcome) {
	f.answered, f.outcome = true, o
	f.tell()
}

// tell wakes a caller that waits.
func (f *flight) tell() {
	if f.wake != nil {
		select {
		case f.wake <- struct{}{}:
		default:
		}
	}
}
