package policy

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

	// RepeatableOnly retries only requests that are safe to repeat: those with
	// an idempotent method (RFC 9110, section 9.2.2) or an idempotency key.
	RepeatableOnly bool
}

// On implements [Policy]. The frame's number is the attempt in progress.
func (r *Retry) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		f.number = 1
		return Step{Do: Call, Child: 1}
	case Done:
		return r.done(f, ev, now)
	case Timer:
		if f.stopping {
			return returned(f.outcome)
		}
		f.number++
		return Step{Do: Call, Child: f.number}
	default:
		return returned(Failed(Cancelled))
	}
}

// done decides after an attempt. Even a rest of zero goes through the timer:
// at one instant replies come before retries, and only the engine can order them.
func (r *Retry) done(f *Frame, ev Event, now Instant) Step {
	if !r.again(f, ev.Outcome) {
		return returned(ev.Outcome)
	}
	f.rest = r.Rest.After(f.number, f.rest, ev.Luck.Draw(ForJitter))
	step := Step{Do: Arm, At: now.Add(f.rest)}
	if r.Rest.stopsAfter(f.number) {
		f.stopping, f.outcome, step.Note = true, ev.Outcome, WastedRest
	}
	return step
}

func (r *Retry) again(f *Frame, o Outcome) bool {
	return (r.Attempts == Unlimited || f.number < r.Attempts) &&
		r.Filter.Has(o) &&
		(f.request.Repeatable || !r.RepeatableOnly)
}
