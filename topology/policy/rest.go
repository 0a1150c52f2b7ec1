package policy

import (
	"math"
	"time"
)

// AtCap says what happens once the growing rest reaches its cap.
type AtCap uint8

const (
	// Hold rests for the cap again and again. What most people mean by a cap.
	Hold AtCap = iota
	// Stop gives up: when the rest after the next would exceed the cap, the
	// next is still waited for and no attempt follows it. That is what
	// Kubernetes' wait.Backoff does (kubernetes/kubernetes#131122), and it
	// surprises people; it is here to be seen, not to be used.
	Stop
)

// Order says which of cap and jitter is applied first.
type Order uint8

const (
	// CapThenJitter caps the nominal rest and then randomises it. A share of
	// ±50 % at a cap of 60 s gives up to 90 s (cenkalti/backoff#139).
	CapThenJitter Order = iota
	// JitterThenCap randomises first, so the cap is never exceeded; but once
	// the nominal rest is far above the cap all clients rest for exactly the
	// cap and meet again (aws/aws-sdk-go-v2#3400).
	JitterThenCap
)

// Rest is the wait between the instant at which an outcome is known and the
// start of the next attempt. The zero value is no rest at all.
type Rest struct {
	Base    time.Duration // nominal rest after the first attempt: 0, or 1 µs and more
	Backoff Backoff
	Cap     time.Duration // 0: none
	AtCap   AtCap
	Jitter  Jitter
	Order   Order
}

// limit is the cap, or the end of time where there is none.
func (r *Rest) limit() time.Duration {
	if r.Cap <= 0 {
		return math.MaxInt64
	}
	return r.Cap
}

// After returns the rest that follows attempt n (1 is the first try). last is
// the rest before it, which only decorrelated jitter asks for; u is 64 random
// bits.
func (r *Rest) After(n int, last time.Duration, u uint64) time.Duration {
	if r.Base <= 0 {
		return 0
	}
	if r.Jitter.Law == Decorrelated {
		return r.decorrelated(last, u)
	}
	if r.Order == JitterThenCap {
		return min(r.Jitter.Apply(r.Backoff.Nominal(r.Base, n, math.MaxInt64), u), r.limit())
	}
	return r.Jitter.Apply(r.Backoff.Nominal(r.Base, n, r.limit()), u)
}

// decorrelated is min(cap, uniform(base, 3·last)), starting from base.
func (r *Rest) decorrelated(last time.Duration, u uint64) time.Duration {
	top := scale(max(last, r.Base), 3, 1)
	return min(r.Base+Uniform(u, top-r.Base), r.limit())
}

// Largest returns a bound that the rest after attempt n never exceeds.
func (r *Rest) Largest(n int) time.Duration {
	switch {
	case r.Base <= 0 || n < 1:
		return 0
	case r.Jitter.Law == Decorrelated:
		tripled := Backoff{Growth: Exponential, Factor: 3000}
		return min(tripled.Nominal(r.Base, n+1, math.MaxInt64), r.limit())
	case r.Order == JitterThenCap:
		return min(r.Jitter.Largest(r.Backoff.Nominal(r.Base, n, math.MaxInt64)), r.limit())
	}
	return r.Jitter.Largest(r.Backoff.Nominal(r.Base, n, r.limit()))
}

// stopsAfter reports whether the rest after attempt n is the last one, because
// the one after that would exceed a cap that stops.
func (r *Rest) stopsAfter(n int) bool {
	return r.AtCap == Stop && r.Cap > 0 && r.Base > 0 &&
		r.Backoff.Nominal(r.Base, n+1, math.MaxInt64) > r.Cap
}
