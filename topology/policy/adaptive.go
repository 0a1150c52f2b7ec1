package policy

import (
	"slices"
	"time"
)

// Adaptive is the settings of a limit on concurrent calls that follows the
// latency: it grows while answers come within Target and shrinks when they do
// not, or fail. Calls beyond it are rejected at once. Use it where nobody knows
// the right limit of a [Bulkhead], or where it changes with the load of others.
//
// Without a floor, a ceiling and a slow recovery such a limit swings: it falls to
// 1 at the first bad second and shoots up at the first good one. (Try it: Decrease
// 90, Increase 1000.) Growth by one per limit good answers and a cut by Decrease
// percent is AIMD, additive increase and multiplicative decrease, as in TCP (Chiu
// and Jain, Analysis of the Increase and Decrease Algorithms for Congestion
// Avoidance, 1989) and in Netflix's concurrency-limits (AIMDLimit).
//
// Put it inside a retry, so that it sees every attempt and no rests, and around a
// timeout: one outside that passes cancellation down ends the slow calls before
// they have taught the limit anything.
type Adaptive struct {
	Initial  int           // limit at the start; 0: 20
	Min, Max int           // bounds of the limit; 0: 1 and no limit
	Target   time.Duration // latency above which an answer is a bad one; more than 0
	Decrease int           // percent cut off at a bad answer, at most once per Target; 0: 10
	Increase int           // added per limit good answers, which is one per round trip; 0: 1
}

// AdaptiveSignals is what an adaptive limit saw. The limit is a fraction inside;
// these are about its whole part, which is how many calls it lets in.
type AdaptiveSignals struct {
	Limit              int   // now
	Lowest, Highest    int   // after the first change; before it, both are Limit
	Swings             int64 // how often it turned from growing to shrinking
	Admitted, Rejected int64
	Over               []LimitAt // the limit over time, at most MaxLimits entries
}

// New returns an adaptive limit for one edge.
func (s Adaptive) New() *AdaptiveState {
	s.complete()
	a := &AdaptiveState{Adaptive: s, limit: int64(s.Initial) * thousand}
	a.over.add(LimitAt{Limit: s.Initial})
	return a
}

// mostLimit stands for no limit, and keeps the arithmetic from overflowing.
const mostLimit = 1_000_000_000

// complete puts in the defaults, and the bounds that keep a limit a limit: it is
// never below 1, or nothing could come in that would let it grow again.
func (s *Adaptive) complete() {
	orElse := func(n, otherwise int) int {
		if n <= 0 {
			return otherwise
		}
		return min(n, mostLimit)
	}
	s.Min = orElse(s.Min, 1)
	s.Max = max(s.Min, orElse(s.Max, mostLimit))
	s.Initial = max(s.Min, min(s.Max, orElse(s.Initial, 20)))
	s.Decrease = min(100, orElse(s.Decrease, 10))
	s.Increase = orElse(s.Increase, 1)
}

// AdaptiveState is an adaptive limit at work.
type AdaptiveState struct {
	Adaptive
	limit    int64   // in thousandths of a call
	growth   int64   // that is less than a thousandth, in parts of limit
	inFlight int     // may be more than limit, after a cut
	mayCut   Instant // a bad answer before it does not count
	changed  bool
	growing  bool // at its last change
	signals  AdaptiveSignals
	over     limits
}

// thousand is a call in the unit of AdaptiveState.limit.
const thousand = 1000

func (s *AdaptiveState) whole() int { return int(s.limit / thousand) }

// Signals is what it saw so far.
func (s *AdaptiveState) Signals() AdaptiveSignals {
	saw := s.signals
	saw.Limit, saw.Over = s.whole(), slices.Clone(s.over.at)
	if !s.changed {
		saw.Lowest, saw.Highest = saw.Limit, saw.Limit
	}
	return saw
}

// On implements [Policy]. The frame's rest is the instant of the call.
func (s *AdaptiveState) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		if s.inFlight >= s.whole() {
			s.signals.Rejected++
			return returned(Failed(Rejected))
		}
		s.signals.Admitted++
		s.inFlight++
		f.rest = time.Duration(now)
		return Step{Do: Call, Child: 1}
	case Done:
		s.learn(ev.Outcome, now.Sub(Instant(f.rest)), now)
		s.inFlight--
		return returned(ev.Outcome)
	default:
		return returned(Failed(Cancelled))
	}
}

// learn changes the limit. What was not the service's doing teaches nothing, and
// neither does a good answer while less than half of the limit is in use: it does
// not show that the service could bear more.
func (s *AdaptiveState) learn(o Outcome, latency time.Duration, now Instant) {
	switch {
	case o.Kind == Cancelled || o.Kind == Rejected:
	case latency > s.Target || suffers(o):
		s.cut(now)
	case int64(s.inFlight)*2*thousand >= s.limit:
		s.grow(now)
	}
}

// suffers reports whether an outcome may mean overload. Other 4xx answers are
// about the request, and as good as any when they come in time.
func suffers(o Outcome) bool {
	return o.Kind != Answered || o.Status >= 500 || o.Status == 429
}

// cut shrinks the limit once for all the calls that were in flight together: they
// are bad for one reason, as the losses of one window are to TCP.
func (s *AdaptiveState) cut(now Instant) {
	if now < s.mayCut {
		return
	}
	s.mayCut = now.Add(s.Target)
	s.growth = 0
	s.set(s.limit-s.limit*int64(s.Decrease)/100, now)
}

// grow adds Increase/limit calls. What is less than a thousandth is carried over,
// or a limit above 1000 would not grow at all.
func (s *AdaptiveState) grow(now Instant) {
	s.growth += int64(s.Increase) * thousand * thousand
	more := s.growth / s.limit
	s.growth %= s.limit
	s.set(s.limit+more, now)
}

func (s *AdaptiveState) set(limit int64, now Instant) {
	before := s.whole()
	s.limit = max(int64(s.Min)*thousand, min(limit, int64(s.Max)*thousand))
	is := s.whole()
	if is == before {
		return
	}
	if !s.changed {
		s.changed, s.signals.Lowest, s.signals.Highest = true, is, is
	}
	s.signals.Lowest = min(s.signals.Lowest, is)
	s.signals.Highest = max(s.signals.Highest, is)
	if s.growing && is < before {
		s.signals.Swings++
	}
	s.growing = is > before
	s.over.add(LimitAt{At: now, Limit: is})
}
