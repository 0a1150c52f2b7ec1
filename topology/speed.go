package topology

import (
	"math/bits"
	"time"

	"labctl/topology/policy"
)

// Finish is the instant at which work that begins now is done, given how fast the
// service works at which time. A stall halts the work; it does not lose it.
func (c *Capacity) Finish(now policy.Instant, work time.Duration) policy.Instant {
	for _, w := range c.Speed {
		from, until := policy.Instant(w.From), policy.Instant(w.Until)
		if now >= until {
			continue
		}
		if now < from { // full speed until the window begins
			if now.Add(work) <= from {
				return now.Add(work)
			}
			work -= from.Sub(now)
			now = from
		}
		percent := w.at(now)
		can := mulDiv(until.Sub(now), percent, 100)
		if work <= can && percent > 0 {
			return now.Add(mulDivUp(work, 100, percent))
		}
		work -= can
		now = until
	}
	return now.Add(work)
}

// at is the speed for work that is in the window from now on: that of a ramp is
// the one at this instant.
func (w Speed) at(now policy.Instant) int64 {
	if w.To == 0 || w.To == w.Percent {
		return int64(w.Percent)
	}
	into := now.Sub(policy.Instant(w.From))
	change := int64(w.To) - int64(w.Percent)
	share := int64(mulDiv(into, 1_000_000, int64(w.Until-w.From)))
	return int64(w.Percent) + change*share/1_000_000
}

// mulDivUp is mulDiv rounded up: no work is done before it is done.
func mulDivUp(d time.Duration, num, den int64) time.Duration {
	q := mulDiv(d, num, den)
	if mulDiv(q, den, num) < d && q < time.Duration(policy.Never) {
		q++
	}
	return q
}

// mulDiv is d·num÷den for numbers that are not negative, saturating.
func mulDiv(d time.Duration, num, den int64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(num))
	if hi >= uint64(den) {
		return time.Duration(policy.Never)
	}
	q, _ := bits.Div64(hi, lo, uint64(den))
	return time.Duration(min(q, uint64(policy.Never)))
}
