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
// attempts.
func (c Call) Bound() (b Bound, ok bool) {
	r, limit := c.Retry(), c.perAttempt()
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
	return b, true
}

// perAttempt is the timeout inside the call's retry; 0: none.
func (c Call) perAttempt() time.Duration {
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
