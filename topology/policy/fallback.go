package policy

import "time"

// Fallback gives a caller the last good answer when a call fails, marked as
// degraded. Put it outermost. A fallback must say how old its answer is: yesterday's
// price may be worse than none, so give it a MaxAge.
type Fallback struct {
	MaxAge time.Duration // of the last good answer; 0: any age
	Static bool          // an answer is at hand from the start, without an age
}

// New returns a fallback for one edge.
func (s Fallback) New() *FallbackState { return &FallbackState{Fallback: s, good: -1} }

// FallbackState is a fallback with the last good answer.
type FallbackState struct {
	Fallback
	good    Instant // when that came; negative: none yet
	signals FallbackSignals
}

// FallbackSignals is what a fallback did.
type FallbackSignals struct {
	Degraded int64         // calls answered so
	Missing  int64         // calls that failed because there was no answer, or none fresh enough
	Oldest   time.Duration // age of the oldest answer given
	Age      time.Duration // sum of the ages
}

// Signals is what it did so far.
func (s *FallbackState) Signals() FallbackSignals { return s.signals }

// On implements [Policy].
func (s *FallbackState) On(_ *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		return Step{Do: Call, Child: 1}
	case Done:
		return s.done(ev.Outcome, now)
	default:
		return returned(Failed(Cancelled))
	}
}

// done replaces a failure. What is wrong with the request itself is no reason for
// an old answer, and neither is a caller that left.
func (s *FallbackState) done(o Outcome, now Instant) Step {
	switch {
	case o.OK():
		s.good = now
		return returned(o)
	case o.Kind == Cancelled || o.Kind == Degraded || o.Kind == Answered && o.Status < 500 && o.Status != 429:
		return returned(o)
	case s.Static && s.good < 0:
		s.signals.Degraded++
		return returned(Failed(Degraded))
	}
	age := now.Sub(max(s.good, 0))
	if s.good < 0 || s.MaxAge > 0 && age > s.MaxAge {
		s.signals.Missing++
		return returned(o)
	}
	s.signals.Degraded++
	s.signals.Age = addDurations(s.signals.Age, age)
	s.signals.Oldest = max(s.signals.Oldest, age)
	return returned(Failed(Degraded))
}
