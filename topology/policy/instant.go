package policy

import (
	"math"
	"time"
)

// Instant is a point in time as the distance from the release of the run, in
// nanoseconds. Arithmetic on it saturates, so that a wait of centuries stays a
// wait of centuries instead of wrapping into the past (case: a Retry-After of
// 9,223,372,037 s became "now" in real clients, hashicorp/go-retryablehttp#297).
type Instant int64

// Never is the last instant there is; a timer set for it does not fire.
const Never = Instant(math.MaxInt64)

// Add returns the instant d after t, at most Never. A negative d counts as 0:
// policies only ever look forward.
func (t Instant) Add(d time.Duration) Instant {
	if d <= 0 {
		return t
	}
	if sum := t + Instant(d); sum >= t {
		return sum
	}
	return Never
}

// Sub returns the time from u to t, saturating.
func (t Instant) Sub(u Instant) time.Duration {
	d := t - u
	switch {
	case t >= u && d < 0:
		return math.MaxInt64
	case t < u && d > 0:
		return math.MinInt64
	}
	return time.Duration(d)
}

// addDurations adds two durations that are not negative, saturating.
func addDurations(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
