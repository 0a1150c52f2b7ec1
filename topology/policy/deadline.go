package policy

import "time"

// DeadlineMode is how a deadline travels to the next service.
type DeadlineMode uint8

// The modes. None of them is free of error: an instant needs clocks that agree,
// a remaining duration forgets the time on the way and in queues, and a fresh
// duration at every hop is no deadline at all.
const (
	Kept      DeadlineMode = iota // not sent on
	Absolute                      // the instant, by the sender's clock
	Remaining                     // what is left of it when the attempt is sent
	PerHop                        // its whole length, so that every hop starts its clock anew
)

// Deadline is a deadline on its way between two services.
type Deadline struct {
	Mode  DeadlineMode
	Value int64 // nanoseconds: of Absolute the instant, of the others a duration
}

// Within bounds a whole call, with all its attempts and rests, by an instant.
// Put it outside the retry. Its two switches are independent: checked, no attempt
// begins at or after the instant, and a rest that would end there is not begun;
// enforced, the caller stops waiting at it, whatever runs, and does not call at
// all when it has passed. With neither the deadline is only sent on.
//
// Limit counts from the start of the call. Whatever came in with the request
// holds as well, and the earlier of the two counts. It is what gRPC calls a
// deadline; it goes on as Mode says.
type Within struct {
	Limit   time.Duration // 0: only what comes in
	Mode    DeadlineMode
	Check   bool
	Enforce bool
	Useful  time.Duration // with less than this left no attempt is worth making; checked
}

func (w *Within) asksForCall() bool { return true }

// On implements [Policy].
func (w *Within) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		return w.start(ev.Call, now)
	case Done:
		return returned(ev.Outcome)
	case Timer:
		return Step{Do: Drop | Return, Outcome: Failed(Timeout), Note: Expired}
	default:
		return returned(Failed(Cancelled))
	}
}

func (w *Within) start(c *CallState, now Instant) Step {
	if w.Mode != Kept {
		c.Mode = w.Mode
	}
	c.Checked, c.Useful = c.Checked || w.Check, max(c.Useful, int64(w.Useful)) // one further out counts as well
	if w.Limit > 0 {
		c.Deadline = min(c.Deadline, c.Begun.Add(w.Limit))
		if c.Limit <= 0 || int64(w.Limit) < c.Limit { // the shorter one, as of the deadline itself
			c.Limit = int64(w.Limit)
		}
	}
	if c.late(now) || w.Enforce && c.Deadline <= now { // a timer must not be set for the past
		return Step{Do: Return, Outcome: Failed(Timeout), Note: Late}
	}
	s := Step{Do: Call, Child: 1}
	if w.Enforce && c.Deadline < Never {
		s.Do, s.At = s.Do|Arm, c.Deadline
	}
	return s
}

// late reports whether an attempt must not begin at an instant.
func (c *CallState) late(at Instant) bool {
	if c == nil || !c.Checked || c.Deadline == Never {
		return false
	}
	left := c.Deadline.Sub(at)
	return left <= 0 || left < time.Duration(c.Useful)
}

// receive takes the deadline that came in with a request. A duration counts from
// now, which is when the service turns to the request. Whatever is in the past
// has passed: by a clock that is ahead, an instant even lies before the run.
func (c *CallState) receive(d Deadline, now Instant) {
	c.Deadline = d.End(now)
	if d.Mode == PerHop {
		c.Limit = d.Value
	}
}

// send is what goes on with an attempt that begins now.
func (c *CallState) send(now Instant) Deadline {
	if c == nil || c.Deadline == Never {
		return Deadline{}
	}
	if c.Mode == PerHop && c.Limit > 0 {
		return Deadline{PerHop, c.Limit}
	}
	return deadlineBy(c.Mode, c.Deadline, now)
}

// deadlineBy is an instant as a deadline that is sent now.
func deadlineBy(mode DeadlineMode, end, now Instant) Deadline {
	switch mode {
	case Absolute:
		return Deadline{Absolute, int64(end)}
	case Remaining:
		return Deadline{Remaining, int64(max(end.Sub(now), 0))}
	}
	return Deadline{}
}

// End is the instant of a deadline that came in at arrival.
func (d Deadline) End(arrival Instant) Instant {
	switch d.Mode {
	case Absolute:
		return Instant(d.Value)
	case Remaining, PerHop:
		return arrival.Add(time.Duration(d.Value))
	}
	return Never
}
