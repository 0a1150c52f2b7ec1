package policy

import (
	"slices"
	"time"
)

// TimeoutAfter stops waiting for what is inside it after a while. Inside a
// retry it bounds each attempt, outside a retry all attempts and rests
// together. It starts anew at every hop and every attempt, so it does not bound
// what the layers above wait; a deadline does.
//
// The called service does not know of it unless a mode says how it is sent along:
// with every attempt inside it, as the deadline of that. Of several that are sent
// the earliest goes, see [Within].
type TimeoutAfter struct {
	Limit time.Duration // more than 0
	Mode  DeadlineMode  // not PerHop: it starts anew at every hop anyway
}

// On implements [Policy].
func (t *TimeoutAfter) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		at := now.Add(t.Limit)
		f.rest = time.Duration(at) // for what is sent below it
		return Step{Do: Call | Arm, Child: 1, At: at}
	case Done:
		return returned(ev.Outcome)
	case Timer:
		return Step{Do: Drop | Return, Outcome: Failed(Timeout), Note: TimedOut}
	default:
		return returned(Failed(Cancelled))
	}
}

// tells reports whether a timeout of the stack is sent along.
func tells(stack []Policy) bool {
	return slices.ContainsFunc(stack, func(p Policy) bool { t, is := p.(*TimeoutAfter); return is && t.Mode != Kept })
}

// timed is what goes on with an attempt that begins now: the deadline of its call or,
// where it ends earlier, one of the timeouts that run around just this attempt. Each
// copy of a hedge so has its own.
func (e *Edge) timed(attempt int32) Deadline {
	f := &e.frames[attempt]
	call := e.callOf(f)
	out := call.send(e.now)
	end := Never
	switch out.Mode {
	case Absolute, Remaining:
		end = call.Deadline
	case PerHop:
		end = e.now.Add(time.Duration(out.Value))
	}
	for at := f.parent; at != none; at = f.parent {
		f = &e.frames[at]
		t, is := e.stack[f.layer].(*TimeoutAfter)
		if until := Instant(f.rest); is && t.Mode != Kept && until < end {
			out, end = deadlineBy(t.Mode, until, e.now), until
		}
	}
	return out
}
