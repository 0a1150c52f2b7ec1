package infer

import "slices"

// A wait is a gap that follows an answer which asked for one.
type wait struct {
	asked, took float64
	retry       int
}

func (c *inquiry) waitsOf(q *question) []wait {
	asked, _ := askedMS(q.Fault.Name)
	var all []wait
	for _, row := range c.gapsOf(q).rows {
		for k, took := range row {
			all = append(all, wait{asked, took, k})
		}
	}
	return all
}

// share reports whether nine in ten do.
func (c *inquiry) share(all []wait, do func(w wait) bool) bool {
	n := 0
	for _, w := range all {
		if do(w) {
			n++
		}
	}
	return 10*n >= 9*len(all)
}

// late is how much longer than asked still is what was asked for: timers that add up.
func (c *inquiry) late(asked float64) float64 { return 2*c.noise.of(asked) + 0.1*asked + 20 }

// isOwn reports whether a gap may be the subject's own rest.
func (c *inquiry) isOwn(retry int, took float64) bool {
	column := c.own.column(retry)
	if len(column) == 0 {
		return took <= c.ownMost(retry) && took >= c.ownLeast(retry)
	}
	low, high := column[0], column[len(column)-1]
	room := c.noise.of(high)
	if c.policy.Rest != nil && c.policy.Rest.Jitter != lawNone {
		room += (high - low) / 2
	}
	return took >= low-room && took <= high+room+10
}

// ownLeast and ownMost bound the subject's own rest: by what was seen, or else by the
// retry before.
func (c *inquiry) ownLeast(retry int) float64 {
	if column := c.own.column(retry); len(column) > 0 {
		return column[0] - c.noise.of(column[0])
	}
	return 0
}

func (c *inquiry) ownMost(retry int) float64 {
	if column := c.own.column(retry); len(column) > 0 {
		return column[len(column)-1]
	}
	return 2 * c.nominal(retry)
}

func (c *inquiry) ownNeverLonger(all []wait) bool {
	return !slices.ContainsFunc(all, func(w wait) bool { return c.ownMost(w.retry) > w.asked+c.late(w.asked) })
}
