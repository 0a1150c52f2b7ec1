package topology

import (
	"math"
	"time"

	"labctl/topology/policy"
)

// Schedule yields the instants of an open loop, one after the other.
type Schedule struct {
	rate   Rate
	seed   uint64
	index  int // of the next instant
	step   int // of the rate
	inStep int64
	last   policy.Instant
}

// NewSchedule returns a schedule at its first instant.
func NewSchedule(r Rate, seed uint64) Schedule { return Schedule{rate: r, seed: seed} }

// Next returns the next instant, and whether there is one.
func (s *Schedule) Next() (policy.Instant, bool) {
	at, ok := s.given()
	if len(s.rate.At) == 0 {
		at, ok = s.paced()
	}
	s.index++
	s.last = at
	return at, ok
}

// Index is how many instants were asked for.
func (s *Schedule) Index() int { return s.index }

func (s *Schedule) given() (policy.Instant, bool) {
	if s.index >= len(s.rate.At) {
		return 0, false
	}
	return policy.Instant(s.rate.At[s.index]), true
}

// paced is the next instant at the rate of the step it falls into. A step that
// the instant would leave is given up for the next one.
func (s *Schedule) paced() (policy.Instant, bool) {
	steps := s.rate.Steps
	for ; s.step < len(steps); s.step, s.inStep = s.step+1, 0 {
		at := s.inThisStep(steps[s.step])
		if s.step+1 == len(steps) || at < policy.Instant(steps[s.step+1].From) {
			s.inStep++
			return at, at < policy.Never
		}
	}
	return 0, false
}

// inThisStep counts even arrivals from the start of their step, so that rounding
// does not add up. A Poisson process has no memory, so it may begin anew with a
// step.
func (s *Schedule) inThisStep(step RateStep) policy.Instant {
	from := policy.Instant(step.From)
	switch {
	case step.Milli == 0:
		return policy.Never
	case !s.rate.Poisson:
		return from.Add(mulDiv(time.Duration(s.inStep), 1_000_000_000_000, step.Milli))
	}
	mean := 1e12 / float64(step.Milli)
	u := policy.RootLuck(s.seed, uint64(s.index), uint64(s.step)).Draw(policy.ForArrival)
	gap := -math.Log(1-float64(u>>11)/(1<<53)) * mean
	return max(s.last, from).Add(time.Duration(min(gap, float64(MaxDuration))))
}

// Arrivals is about how many requests an open loop makes before its horizon,
// saturating.
func (t *Topology) Arrivals() int64 {
	end := policy.Never
	if h := t.Horizon(); h > 0 {
		end = policy.Instant(h)
	}
	if given := t.Load.Rate.At; len(given) > 0 {
		n := 0
		for n < len(given) && policy.Instant(given[n]) < end {
			n++
		}
		return int64(n)
	}
	var sum float64
	steps := t.Load.Rate.Steps
	for i, s := range steps {
		until := end
		if i+1 < len(steps) {
			until = min(until, policy.Instant(steps[i+1].From))
		}
		if from := policy.Instant(s.From); until > from {
			sum += float64(until-from) * float64(s.Milli) / 1e12
		}
	}
	return int64(min(sum, math.MaxInt64/2))
}
