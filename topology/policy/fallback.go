package policy

import "time"

// Fallback gives a caller the last good answer when a call fails, marked as
// degraded. Put it outermost. A fallback must say how old its answer is: yesterday's
// price may be worse than none, so give it a MaxAge.
type Fallback struct {
	MaxAge time.Duration // of the last good answer; 0: any age
	Static bool          // an answer without an age is at hand where there is no good one
}

// New returns a fallback for one edge.
func (s Fallback) New() *FallbackState { return &FallbackState{Fallback: s} }

// FallbackState is a fallback with the last good answer.
type FallbackState struct {
	Fallback
	good    []goodAnswer // of each route: another one's answer is none
	signals FallbackSignals
}

// goodAnswer is when the last good answer came, if one did.
type goodAnswer struct {
	at   Instant
	came bool
}

// last is the last good answer for a route.
func (s *FallbackState) last(route uint8) *goodAnswer {
	for int(route) >= len(s.good) {
		s.good = append(s.good, goodAnswer{})
	}
	return &s.good[route]
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
func (s *FallbackState) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		return Step{Do: Call, Child: 1}
	case Done:
		if f.is(hasReturned|isOrphan) && !ev.Outcome.OK() { // nobody waits for a replacement
			return returned(ev.Outcome)
		}
		return s.done(s.last(f.route), ev.Outcome, now)
	default:
		return returned(Failed(Cancelled))
	}
}

// done replaces a failure by the last good answer, or where that is missing or too
// old by the static one.
func (s *FallbackState) done(good *goodAnswer, o Outcome, now Instant) Step {
	switch {
	case o.OK():
		*good = goodAnswer{now, true}
		return returned(o)
	case !replaceable(o):
		return returned(o)
	}
	age := now.Sub(good.at)
	switch {
	case good.came && (s.MaxAge <= 0 || age <= s.MaxAge):
		s.signals.Age = addDurations(s.signals.Age, age)
		s.signals.Oldest = max(s.signals.Oldest, age)
	case !s.Static:
		s.signals.Missing++
		return returned(o)
	}
	s.signals.Degraded++
	return returned(Failed(Degraded))
}

// replaceable reports whether an old answer is better than this failure. What is
// wrong with the request itself is no reason for one, and neither is a caller that
// left.
func replaceable(o Outcome) bool {
	switch o.Kind {
	case Answered:
		return o.Status >= 500 || o.Status == 429
	case Cancelled, Degraded:
		return false
	}
	return true
}
