package bound

import (
	"math"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// count works out the attempts of each call and the hits at each service. The
// services stand in calling order, so one pass does for all ways, of which there
// may be more than can be counted. A call with a chance counts as made.
func (v *view) count() {
	v.attempts, v.factors = make([]int64, len(v.edges)), make([][]int64, len(v.edges))
	v.hits = make([]int64, len(v.t.Services))
	v.hits[0] = 1
	for i, e := range v.edges {
		v.factors[i] = make([]int64, len(v.stacks[i]))
		for k := range v.stacks[i] {
			v.factors[i][k] = v.factorOf(i, k)
		}
		v.attempts[i] = v.attemptsOf(i)
		v.hits[e.To] = add(v.hits[e.To], topology.SatMul(v.hits[e.From], v.attempts[i]))
	}
}

// attemptsOf is how many attempts one call makes at most: the product of its
// retries and hedges.
func (v *view) attemptsOf(edge int) int64 {
	n, outside := int64(1), int64(1)
	var asked *policy.Budget // the outermost budget, which is the one that is asked
	for i, p := range v.stacks[edge] {
		if p.Budget != nil && asked == nil {
			asked, outside = p.Budget, n
		}
		n = topology.SatMul(n, v.factors[edge][i])
	}
	if asked == nil {
		return n
	}
	return min(n, add(outside, extras(asked)))
}

// extras is what a budget grants one call at most, beyond the first attempts.
func extras(b *policy.Budget) int64 {
	switch {
	case b.Law == policy.PerRequest:
		return positiveOr(b.Attempts, 3) - 1
	case (b.Law == policy.Deposit || b.Law == policy.Active) && b.Ratio == policy.NoShare && b.Floor == policy.NoFloor:
		return 0
	}
	return Unlimited
}

// factorOf is how many attempts one policy makes of one.
func (v *view) factorOf(edge, i int) int64 {
	p := v.stacks[edge][i]
	switch {
	case p.Hedge != nil:
		if p.Hedge.RepeatableOnly && !v.repeatable {
			return 1
		}
		return hedged(p.Hedge)
	case p.Retry != nil:
		return min(v.wanted(p.Retry), v.fitting(edge, i))
	}
	return 1
}

// wanted is how many attempts a retry makes when time does not matter.
func (l *lab) wanted(r *policy.Retry) int64 {
	switch {
	case r.RepeatableOnly && !l.repeatable:
		return 1
	case r.Attempts == policy.Unlimited:
		return stops(r.Rest)
	}
	return min(int64(r.Attempts), stops(r.Rest))
}

// fitting is how many attempts of a retry fit into what is around it and into its
// own limit, when none takes any time and every rest is the shortest.
func (v *view) fitting(edge, i int) int64 {
	r := v.stacks[edge][i].Retry
	limit, _ := v.limitAround(edge, i)
	if limit == Unbounded && r.MaxElapsed <= 0 {
		return Unlimited
	}
	n, at := int64(1), time.Duration(0)
	rests(r.Rest, false, func(d time.Duration, run int64) bool {
		last := limit // instant at which an attempt may begin
		switch {
		case r.MaxElapsed > 0 && r.Rule == policy.BeforeRest:
			last = min(last, add(r.MaxElapsed-1, d))
		case r.MaxElapsed > 0:
			last = min(last, r.MaxElapsed)
		}
		can := int64(math.MaxInt64)
		if d > 0 {
			can = max(0, int64((last-at)/d))
		}
		can = min(can, run)
		n, at = add(n, can), add(at, mul(d, can))
		return can == run
	})
	return n
}

// limitAround is the last instant, from the start of the call, at which an attempt
// may begin inside what stands around layer i, and the layer that says so. A tie
// goes to the limit. Who leaves and keeps the work going ends no retries.
func (v *view) limitAround(edge, i int) (limit time.Duration, by int) {
	limit, by = Unbounded, -1
	for k := range v.stacks[edge][:i] {
		p, own := &v.stacks[edge][k], Unbounded
		switch {
		case p.Deadline != nil && v.checked(edge, k) < Unbounded:
			own = v.checked(edge, k)
		case v.edges[edge].KeepWorking:
		case p.Timeout != nil:
			own = p.Timeout.Limit - 1
		case p.Deadline != nil && p.Deadline.Enforce && v.within(edge, k) < Unbounded:
			own = max(0, v.within(edge, k)-1)
		}
		if own < limit {
			limit, by = own, k
		}
	}
	return limit, by
}
