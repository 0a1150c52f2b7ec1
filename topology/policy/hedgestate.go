package policy

import "time"

// HedgeState is a hedge at work.
type HedgeState struct {
	Hedge
	requests  share
	extra     share
	latencies *latencies // nil without a Quantile
	signals   HedgeSignals
}

// Signals is what it did so far.
func (s *HedgeState) Signals() HedgeSignals {
	g := s.signals
	g.Delay, _ = s.delay()
	return g
}

// On implements [Policy]. It never stops listening to its children: each grant of
// a budget comes back with the Done of its copy, also when the call is over. The
// frame's number is the attempts made; rest is the instant of the call, until one
// has failed; then kind, status and rest are its outcome.
func (s *HedgeState) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		s.signals.Requests++
		s.requests.deposit()
		s.extra.deposit()
		ev.Call.enlist(f)
		f.rest = time.Duration(now)
		return s.attempt(f, now)
	case Done:
		return s.done(f, &ev, now)
	case Timer:
		return s.timer(f, &ev, now)
	default:
		return returned(Failed(Cancelled))
	}
}

// attempt calls once more, and sets the timer for the one after that.
func (s *HedgeState) attempt(f *Frame, now Instant) Step {
	f.number++
	step := Step{Do: Call, Child: f.number}
	if wait, known := s.delay(); known && s.more(f) {
		step.Do, step.At = Call|Arm, now.Add(wait)
	}
	return step
}

// more reports whether the call may ask for another copy. Who was refused one has
// had its turn: if it asked again later, a share would be of the requests that ask
// often, and not of all.
func (s *HedgeState) more(f *Frame) bool {
	return int(f.number) < s.Max && !f.stopping && (!s.RepeatableOnly || f.repeatable)
}

// delay is how long an answer may take before it is late.
func (s *HedgeState) delay() (wait time.Duration, known bool) {
	switch {
	case s.latencies == nil:
		return s.Delay, true
	case s.latencies.count >= hedgeSamples:
		return s.latencies.quantile(), true
	}
	return s.Delay, s.Delay > 0
}

// timer sends a copy if it may. If not, what runs goes on, and a call that has
// nothing running gets the outcome that it would have been spared.
func (s *HedgeState) timer(f *Frame, ev *Event, now Instant) Step {
	late := ev.Call.late(now)
	if !late && s.mayCopy(f, ev.Call, now) {
		return s.attempt(f, now)
	}
	f.stopping = true
	switch {
	case f.running > 0:
		return Step{}
	case late:
		return Step{Do: Return, Outcome: Failed(Timeout), Note: Late}
	}
	return returned(Outcome{Kind: f.kind, Status: f.status, After: f.rest})
}

// mayCopy asks both shares and then the budget, so that nothing is taken from one
// for a copy that another refuses.
func (s *HedgeState) mayCopy(f *Frame, c *CallState, now Instant) bool {
	isFirst := f.number == 1
	if isFirst && !s.requests.has() || !s.extra.has() || !c.budgetOf(f).withdraw(c, now, extra) {
		s.signals.Suppressed++
		return false
	}
	if isFirst {
		s.signals.Hedged++
		s.requests.take()
	}
	s.extra.take()
	s.signals.Copies++
	return true
}

// done hears of an attempt. The next copy goes through the timer even when it is
// due at once: another answer of the same instant comes first, and may be good.
func (s *HedgeState) done(f *Frame, ev *Event, now Instant) Step {
	o := ev.Outcome
	curable := s.Filter.Has(o)
	if b := ev.Call.budgetOf(f); b != nil {
		p := first
		if ev.Child > 1 {
			p = extra
		}
		b.ended(ev.Call, f, p, o, curable)
	}
	switch {
	case f.is(hasReturned):
		return Step{}
	case o.OK():
		s.won(f, ev.Child, now)
		return returned(o)
	case o.Kind == Answered && !curable:
		return returned(o)
	case curable && s.more(f):
		f.kind, f.status, f.rest = o.Kind, o.Status, o.After
		return Step{Do: Arm, At: now}
	case f.running > 0:
		return Step{}
	}
	return returned(o)
}

// won notes a good answer. A call that a copy answers took no less than the delay,
// so cutting the tail off does not lower the quantile that the delay is. One with a
// failure says nothing about how long answers take.
func (s *HedgeState) won(f *Frame, child int, now Instant) {
	if child > 1 {
		s.signals.Wins++
	}
	if s.latencies != nil && f.kind == Answered && f.status == 0 {
		s.latencies.add(now.Sub(Instant(f.rest)))
	}
}
