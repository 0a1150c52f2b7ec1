package bound

import (
	"math"
	"time"

	"labctl/topology/policy"
)

// rests yields the shortest or the longest rests after attempts 1, 2, …, so many
// alike at a time, until the last that stay the same for ever. They never get
// shorter. The rests of a long linear growth are taken together in blocks, each
// rounded to the safe side by less than 1/4000.
func rests(r policy.Rest, longest bool, yield func(d time.Duration, n int64) bool) {
	top := restOf(&r, math.MaxInt64, longest)
	for k, nominal := int64(1), firstNominal(&r, longest); ; {
		n := int64(1)
		if r.Backoff.Growth == policy.Linear && !decorrelated(&r) {
			n = max(1, k/4096)
			last := k
			if longest {
				last = k + n - 1
			}
			nominal = r.Backoff.Nominal(r.Base, int(last), math.MaxInt64)
		}
		d := restOf(&r, nominal, longest)
		if d == top || r.Base <= 0 || fixed(&r, longest) {
			yield(d, math.MaxInt64)
			return
		}
		if !yield(d, n) {
			return
		}
		k += n
		nominal = grown(&r, nominal)
	}
}

func decorrelated(r *policy.Rest) bool { return r.Jitter.Law == policy.Decorrelated }

// fixed reports whether all rests are drawn alike.
func fixed(r *policy.Rest, longest bool) bool {
	if decorrelated(r) {
		return !longest
	}
	return r.Backoff.Growth == policy.Fixed
}

// tripled is how decorrelated jitter grows at most, whatever the backoff.
var tripled = policy.Backoff{Growth: policy.Exponential, Factor: 3000}

func firstNominal(r *policy.Rest, longest bool) time.Duration {
	if decorrelated(r) && longest {
		return tripled.Nominal(r.Base, 2, math.MaxInt64)
	}
	return r.Base
}

// grown is the nominal rest after this one, step by step: asking for the n-th from
// the start would take as long as n.
func grown(r *policy.Rest, nominal time.Duration) time.Duration {
	if decorrelated(r) {
		return tripled.Nominal(nominal, 2, math.MaxInt64)
	}
	return r.Backoff.Nominal(nominal, 2, math.MaxInt64)
}

// restOf is the shortest or longest rest of a nominal one.
func restOf(r *policy.Rest, nominal time.Duration, longest bool) time.Duration {
	limit := r.Cap
	if limit <= 0 {
		limit = math.MaxInt64
	}
	switch {
	case r.Base <= 0:
		return 0
	case decorrelated(r):
		return min(nominal, limit)
	case r.Order == policy.JitterThenCap:
		return min(jittered(r.Jitter, nominal, longest), limit)
	}
	return jittered(r.Jitter, min(nominal, limit), longest)
}

func jittered(j policy.Jitter, d time.Duration, longest bool) time.Duration {
	if longest {
		return j.Largest(d)
	}
	return j.Apply(d, 0)
}

// restAt is the shortest or longest rest after attempt n.
func restAt(r policy.Rest, n int64, longest bool) (at time.Duration) {
	rests(r, longest, func(d time.Duration, run int64) bool {
		at, n = d, n-run
		return n > 0
	})
	return at
}

// restKey is what a sum of rests depends on.
type restKey struct {
	rest  policy.Rest
	n     int64
	least time.Duration
}

// restSums remembers sums, since the calls of a big file are much alike.
type restSums map[restKey]time.Duration

// sum is the longest that the first n rests take together, none of them shorter
// than least.
func (s restSums) sum(r policy.Rest, n int64, least time.Duration) time.Duration {
	key := restKey{r, n, least}
	if sum, ok := s[key]; ok {
		return sum
	}
	sum := time.Duration(0)
	rests(r, true, func(d time.Duration, run int64) bool {
		run = min(run, n)
		sum, n = add(sum, mul(max(d, least), run)), n-run
		return n > 0 && sum < Unbounded
	})
	s[key] = sum
	return sum
}

// stops is the attempt after whose rest a cap that stops gives up; Unlimited: none.
func stops(r policy.Rest) int64 {
	if r.AtCap != policy.Stop || r.Cap <= 0 || r.Base <= 0 {
		return Unlimited
	}
	switch r.Backoff.Growth {
	case policy.Linear:
		return int64(r.Cap / r.Base)
	case policy.Exponential:
		n := int64(1)
		for d := grown(&r, r.Base); d <= r.Cap; d = grown(&r, d) {
			n++
		}
		return n
	}
	return Unlimited // it does not grow, and a cap is never below the base
}
