package policy

import "time"

// Unlimited as Retry.Attempts tries again for ever. Give the run an end then.
const Unlimited = -1

// Retry makes attempts until one is not worth repeating or all are used up.
// Attempts counts the first try: 3 attempts are 2 retries. It rests between
// attempts and never after the last one.
//
// Of the layers of one path, let one own the retries: attempts multiply, so
// three layers of three send 27 requests to a service that is already failing.
type Retry struct {
	Attempts int    // 1 and more, or Unlimited
	Filter   Filter // outcomes worth another attempt; the zero value is DefaultFilter
	Rest     Rest   // between two attempts

	// MaxElapsed ends the retries when the call has taken so long, counted from
	// the start of the whole call also where another retry is around this one.
	// Rule says whether that is tested before the rest, which may then cross it,
	// or with the rest included (curl/curl#17444). 0: no limit.
	MaxElapsed time.Duration
	Rule       ElapsedRule

	// RetryAfter is what a Retry-After in the answer does to the rest. A Cap
	// does not shorten it: that is the client's, and this is the server's.
	RetryAfter RetryAfterRule

	// RepeatableOnly retries only requests that are safe to repeat: those with
	// an idempotent method (RFC 9110, section 9.2.2) or an idempotency key.
	RepeatableOnly bool
}

// ElapsedRule is when the elapsed time is compared with Retry.MaxElapsed.
type ElapsedRule uint8

// The rules.
const (
	AfterRest  ElapsedRule = iota // retry while elapsed + rest ≤ limit
	BeforeRest                    // retry while elapsed < limit: the rest may overshoot
)

// allows reports whether MaxElapsed lets another attempt follow a rest from now
// on.
func (r *Retry) allows(c *CallState, now Instant, rest time.Duration) bool {
	if r.MaxElapsed <= 0 {
		return true
	}
	elapsed := now.Sub(c.Begun)
	if r.Rule == BeforeRest {
		return elapsed < r.MaxElapsed
	}
	return addDurations(elapsed, rest) <= r.MaxElapsed
}

func (r *Retry) asksForCall() bool { return r.MaxElapsed > 0 }

// On implements [Policy]. The frame's number is the attempt in progress.
func (r *Retry) On(f *Frame, ev Event, now Instant) (s Step) {
	r.on(f, ev, now, &s)
	return s
}

func (r *Retry) on(f *Frame, ev Event, now Instant, s *Step) {
	switch ev.Kind {
	case Start:
		ev.Call.enlist(f)
		r.attempt(f, &ev, now, s)
	case Done:
		if b := ev.Call.budgetOf(f); b != nil {
			b.ended(ev.Call, f, paidBy(f), ev.Outcome, r.Filter.Has(ev.Outcome))
		}
		r.done(f, &ev, now, s)
	case Timer:
		if f.stopping {
			s.Do, s.Outcome = Return, Outcome{Kind: f.kind, Status: f.status, After: f.rest}
			return
		}
		r.attempt(f, &ev, now, s)
	default:
		if f.is(isArmed) && !f.stopping { // the attempt after this rest will not be made
			ev.Call.budgetOf(f).release()
		}
		s.Do, s.Outcome = Return, Failed(Cancelled)
	}
}

// paidBy is what the attempt in progress was granted as. The frame's kind is how
// the one before it ended.
func paidBy(f *Frame) payment {
	if f.number == 1 {
		return first
	}
	return extraAfter(f.kind)
}

// attempt makes the next attempt, unless it is late by now: real timers are, and
// who comes out of a queue may be.
func (r *Retry) attempt(f *Frame, ev *Event, now Instant, s *Step) {
	if ev.Call.late(now) {
		if f.number > 0 {
			ev.Call.budgetOf(f).release()
		}
		s.Do, s.Outcome, s.Note = Return, Failed(Timeout), Late
		return
	}
	f.number++
	s.Do, s.Child = Call, f.number
}

// done decides after an attempt. Even a rest of zero goes through the timer:
// at one instant replies come before retries, and only the engine can order them.
func (r *Retry) done(f *Frame, ev *Event, now Instant, s *Step) {
	o := ev.Outcome
	rest, then := r.Judge(int(f.number), f.rest, o, f.repeatable, ev.Luck)
	switch {
	case then == GiveUp || f.is(hasReturned):
		s.Do, s.Outcome = Return, o
		return
	case ev.Call.late(now.Add(rest)):
		s.Do, s.Outcome, s.Note = Return, Failed(Timeout), Late
		return
	case !r.allows(ev.Call, now, rest):
		s.Do, s.Outcome = Return, o
		return
	case then == TryAgain && !ev.Call.budgetOf(f).withdraw(ev.Call, now, extraAfter(o.Kind)):
		s.Do, s.Outcome = Return, o
		return
	}
	f.rest, f.kind = rest, o.Kind
	s.Do, s.At = Arm, now.Add(rest)
	if then == RestInVain {
		f.stopping, f.status, s.Note = true, o.Status, WastedRest
		f.rest = o.After // no attempt follows that would ask for the rest
	}
}

// Verdict is what a retry does after an attempt.
type Verdict uint8

// The verdicts.
const (
	GiveUp     Verdict = iota // the outcome stands
	TryAgain                  // rest, and make the next attempt
	RestInVain                // rest, and then let the outcome stand: see Stop
)

// Judge decides what follows attempt n (1 is the first try), which ended so, and
// for how long to rest before that. last is the rest before attempt n, and luck
// that of the attempt. It is all that a retry decides: who needs no engine, since
// nothing else happens to a call meanwhile, may ask it directly.
func (r *Retry) Judge(n int, last time.Duration, o Outcome, repeatable bool, luck Luck) (time.Duration, Verdict) {
	if r.Attempts != Unlimited && n >= r.Attempts || !r.Filter.Has(o) || r.RepeatableOnly && !repeatable {
		return 0, GiveUp
	}
	least := r.RetryAfter.least(o)
	if r.Rest.Base <= 0 {
		return least, TryAgain
	}
	var u uint64
	if r.Rest.Jitter.Law != NoJitter {
		u = luck.Draw(ForJitter)
	}
	rest := max(r.Rest.After(n, last, u), least)
	if r.Rest.stopsAfter(n) {
		return rest, RestInVain
	}
	return rest, TryAgain
}
