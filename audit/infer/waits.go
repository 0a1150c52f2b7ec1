package infer

import (
	"math"
	"slices"

	"labctl/audit"
)

// tooSoon tells a limit of the waits from a haste that is always the same.
func (c *inquiry) tooSoon(r *audit.RetryAfterRule, all []wait, date bool) string {
	byAsked := map[float64][]float64{}
	longest := 0.
	for _, w := range all {
		byAsked[w.asked] = append(byAsked[w.asked], w.took)
		longest = max(longest, w.asked)
	}
	slices.Sort(byAsked[longest])
	took := quantile(byAsked[longest], 0.5)
	switch {
	case width(byAsked[longest]) > 2*c.noise.of(took) || took > longest:
		if c.policy.Rest != nil && c.policy.Rest.Jitter != lawNone && c.share(all, func(w wait) bool { return w.took < longest/2 }) {
			return ignored // as random as its own rests, and far from what is asked for
		}
		return notDecided
	case c.share(all, func(w wait) bool { return w.took < c.ownLeast(w.retry) }):
		return c.misread(longest, took)
	case c.followed(byAsked, c.noise.of, func(asked float64) float64 { return asked - longest + took }):
		if len(byAsked) == 1 && !date {
			return notDecided // of one wait alone: too soon by so much, or no longer than that
		}
		r.EarlyMS = round(longest - took)
		return early
	case took > max(workLike, c.ownMost(0)+c.noise.of(took)) && c.followed(byAsked, c.late, func(asked float64) float64 { return min(asked, took) }):
		r.ClampMS = c.noise.asMeant(took)
		return clamped
	}
	return notDecided
}

// misread is a wait that is sooner over than the subject's own rest: it does something
// with the header, and nothing that anybody asked for.
func (c *inquiry) misread(asked, took float64) string {
	c.undecided("Retry-After: asked for %s it comes after %s, sooner than by its own rests: it may read another unit than seconds, or take the wait for none", span(asked), span(took))
	return notDecided
}

// followed reports whether waits took what a rule makes of what was asked for, or longer
// by so much at most.
func (c *inquiry) followed(byAsked map[float64][]float64, late func(float64) float64, rule func(asked float64) float64) bool {
	for asked, took := range byAsked {
		slices.Sort(took)
		if by := quantile(took, 0.5) - rule(asked); by > late(asked) || by < -c.noise.of(asked) {
			return false
		}
	}
	return true
}

// huge judges a wait that overflows 64 bits of nanoseconds: from what followed, not
// from what was read. Who obeys shorter waits and comes sooner after this one than after
// those took it for none, or for no wait at all and rests as it would without.
func (c *inquiry) huge(r *audit.RetryAfterRule, q *question, obeyed float64) string {
	all := c.waitsOf(q)
	own := c.share(all, func(w wait) bool { return c.isOwn(w.retry, w.took) })
	soon := c.share(all, func(w wait) bool { return w.took < obeyed-c.noise.of(obeyed) })
	atOnce := c.share(all, func(w wait) bool { return w.took <= c.noise.of(0) })
	took := quantile(c.gapsOf(q).column(0), 0.5)
	switch {
	case len(all) == 0 && q.timedOut():
		return waits
	case len(all) == 0:
		return givesUp
	case soon && (atOnce || !own || c.quick(all)):
		return overflow
	case own:
		return ignored
	case atOnce && c.ownMost(0) > 2*c.noise.of(0):
		return overflow // whatever becomes of shorter ones
	case obeyed > 0 && took >= obeyed-c.noise.of(obeyed) && c.share(all, func(w wait) bool { return math.Abs(w.took-took) <= c.late(took) }):
		r.ClampMS = c.noise.asMeant(took)
		return clamped
	}
	return notDecided
}

// quick reports whether waits are no more than work, and far below the subject's own rests.
func (c *inquiry) quick(all []wait) bool {
	return c.share(all, func(w wait) bool {
		return w.took <= workLike && w.took <= quantile(c.own.column(w.retry), 0.5)/8
	})
}

// obeyed is the longest wait that was kept; 0: none was.
func (c *inquiry) obeyed(questions []*question) float64 {
	longest := 0.
	for _, q := range questions {
		asked, _ := askedMS(q.Fault.Name)
		if all := c.waitsOf(q); len(all) > 0 && c.share(all, func(w wait) bool { return w.took >= w.asked-c.noise.of(w.asked) }) {
			longest = max(longest, asked)
		}
	}
	return longest
}

// obeys reports whether the subject comes later where Retry-After asks for it.
func (c *inquiry) obeys() bool {
	r := c.policy.RetryAfter
	return r != nil && slices.Contains([]string{exact, floor, early, clamped}, r.Seconds)
}

// malformed judges a Retry-After that cannot be read.
func (c *inquiry) malformed(q *question) string {
	all := c.waitsOf(q)
	switch {
	case len(all) == 0 && q.timedOut():
		return waits
	case len(all) == 0:
		return givesUp
	case c.share(all, func(w wait) bool { return c.isOwn(w.retry, w.took) }):
		return ignored
	case c.share(all, func(w wait) bool { return w.took <= c.noise.of(0) }):
		return atOnce
	}
	return notDecided
}
