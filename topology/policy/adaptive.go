package policy

import "time"

// Adaptive is the settings of a limit on concurrent calls that follows the
// latency: it grows while answers come within Target and shrinks when they do
// not, or fail. Calls beyond it are rejected at once.
//
// Without a floor, a ceiling and a slow recovery such a limit swings: it falls to
// 1 at the first bad second and shoots up at the first good one. Growth by one per
// limit good answers and a cut by Decrease percent is AIMD, as in TCP (Chiu and
// Jain 1989) and in Netflix's concurrency-limits.
type Adaptive struct {
	Initial  int           // limit at the start; 0: 20
	Min, Max int           // bounds of the limit; 0: 1 and no limit
	Target   time.Duration // latency above which an answer is a bad one; more than 0
	Decrease int           // percent cut off at a bad answer, at most once per Target; 0: 10
	Increase int           // added per limit good answers, which is one per round trip; 0: 1
}

// AdaptiveSignals is what an adaptive limit saw.
type AdaptiveSignals struct {
	Limit              int   // now
	Lowest, Highest    int   // after the first change
	Swings             int64 // how often it turned from growing to shrinking
	Admitted, Rejected int64
	Over               []LimitAt // the limit over time, at most MaxLimits entries
}

// LimitAt is an adaptive limit from an instant on.
type LimitAt struct {
	At    Instant
	Limit int
}

// New returns an adaptive limit for one edge.
func (s Adaptive) New() *AdaptiveState { return &AdaptiveState{Adaptive: s} }

// AdaptiveState is an adaptive limit at work.
type AdaptiveState struct {
	Adaptive
	signals AdaptiveSignals
}

// Signals is what it saw so far.
func (s *AdaptiveState) Signals() AdaptiveSignals { return s.signals }

// On implements [Policy].
func (s *AdaptiveState) On(f *Frame, ev Event, now Instant) Step { return passOn(ev) }
