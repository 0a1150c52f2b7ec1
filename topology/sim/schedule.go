package sim

import (
	"math"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// schedule yields the instants of an open loop, one after the other.
type schedule struct {
	rate   topology.Rate
	seed   uint64
	index  int // of the next instant
	step   int // of the rate
	inStep int64
	last   policy.Instant
}

func (s *schedule) next() (policy.Instant, bool) {
	at, ok := s.given()
	if len(s.rate.At) == 0 {
		at, ok = s.paced()
	}
	s.index++
	s.last = at
	return at, ok
}

func (s *schedule) given() (policy.Instant, bool) {
	if s.index >= len(s.rate.At) {
		return 0, false
	}
	return policy.Instant(s.rate.At[s.index]), true
}

// paced is the next instant at the rate of the step it falls into. A step that
// the instant would leave is given up for the next one.
func (s *schedule) paced() (policy.Instant, bool) {
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

// inThisStep counts even arrivals from the start of their step, so that
// rounding does not add up. A Poisson process has no memory, so it may begin
// anew with a step.
func (s *schedule) inThisStep(step topology.RateStep) policy.Instant {
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
	return max(s.last, from).Add(time.Duration(min(gap, float64(topology.MaxDuration))))
}
