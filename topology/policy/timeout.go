package policy

import "time"

// TimeoutAfter stops waiting for what is inside it after a while. Inside a
// retry it bounds each attempt, outside a retry all attempts and rests
// together. It starts anew at every hop and every attempt, so it does not bound
// what the layers above wait; a deadline does.
type TimeoutAfter struct {
	Limit time.Duration // more than 0
}

// On implements [Policy].
func (t *TimeoutAfter) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		return Step{Do: Call | Arm, Child: 1, At: now.Add(t.Limit)}
	case Done:
		return returned(ev.Outcome)
	case Timer:
		return Step{Do: Drop | Return, Outcome: Failed(Timeout), Note: TimedOut}
	default:
		return returned(Failed(Cancelled))
	}
}
