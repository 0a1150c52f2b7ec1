package topology

import (
	"time"

	"labctl/topology/policy"
)

// Bound is the longest time that a call can take, worked out from its policies
// alone.
type Bound struct {
	Exact   time.Duration // attempts × timeout + Σ rests
	Article time.Duration // the rule of thumb: retries × timeout + retries × longest rest
}

// Bound works out the longest time of a call whose attempts have a timeout, when
// everything goes wrong. There is none without one, nor without a limit of
// attempts. It knows no waits for a place in a pool, and no Retry-After, which may
// ask for any time: give the call a deadline against those.
func (c Call) Bound() (b Bound, ok bool) {
	r, limit := c.Retry(), c.AttemptTimeout()
	if limit == 0 || r.Attempts == policy.Unlimited {
		return Bound{}, false
	}
	retries := int64(r.Attempts - 1)
	longest := r.Rest.Largest(int(retries))
	b.Article = satDuration(retries, satAddDurations(limit, longest))
	b.Exact = satDuration(retries+1, limit)
	for n := 1; n < r.Attempts; n++ {
		b.Exact = satAddDurations(b.Exact, r.Rest.Largest(n))
		if b.Exact == policy.Longest {
			break
		}
	}
	b.Exact = min(b.Exact, c.outerLimit(limit, longest))
	return b, true
}

// outerLimit is when what stands around the attempts ends the call, at the latest.
func (c Call) outerLimit(attempt, rest time.Duration) time.Duration {
	limit := policy.Longest
	for _, p := range c.Policies {
		switch {
		case p.Deadline != nil && p.Deadline.Limit > 0 && p.Deadline.Enforce:
			limit = min(limit, p.Deadline.Limit)
		case p.Deadline != nil && p.Deadline.Limit > 0 && p.Deadline.Check: // the last attempt begins before it
			limit = min(limit, satAddDurations(p.Deadline.Limit, attempt))
		case p.Retry != nil && p.Retry.MaxElapsed > 0 && p.Retry.Rule == policy.BeforeRest:
			return min(limit, satAddDurations(p.Retry.MaxElapsed, satAddDurations(rest, attempt)))
		case p.Retry != nil && p.Retry.MaxElapsed > 0:
			return min(limit, satAddDurations(p.Retry.MaxElapsed, attempt))
		case p.Retry != nil:
			return limit
		case p.Timeout != nil:
			limit = min(limit, p.Timeout.Limit)
		}
	}
	return limit
}

// AttemptTimeout is the timeout inside the call's retry; 0: none.
func (c Call) AttemptTimeout() time.Duration {
	inside := false
	for _, p := range c.Policies {
		inside = inside || p.Retry != nil
		if p.Timeout != nil && (inside || c.Attempts() == 1) {
			return p.Timeout.Limit
		}
	}
	return 0
}

func satDuration(n int64, d time.Duration) time.Duration { return time.Duration(SatMul(n, int64(d))) }

func satAddDurations(a, b time.Duration) time.Duration {
	return time.Duration(satAdd(int64(a), int64(b)))
}
