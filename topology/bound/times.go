package bound

import (
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// time works out the longest times, from the tail up: callees stand behind their
// callers.
func (v *view) time() {
	v.total = make([]Time, len(v.edges))
	v.served = make([]Time, len(v.t.Services))
	e := len(v.edges) - 1
	for i := len(v.t.Services) - 1; i >= 0; i-- {
		s, below := &v.t.Services[i], Time{}
		for ; e >= 0 && v.edges[e].From == i; e-- {
			v.total[e] = v.callTime(e)
			below = below.then(v.total[e], s.Parallel)
		}
		v.served[i] = below
		if i > 0 {
			busy := v.busy(s)
			v.served[i] = below.then(Time{Worst: busy, Answering: busy}, false)
			v.served[i] = Time{queued(s, v.served[i].Worst), queued(s, v.served[i].Answering)}
		}
	}
}

// then adds what comes next, or at the same time.
func (t Time) then(o Time, parallel bool) Time {
	if parallel {
		return Time{max(t.Worst, o.Worst), max(t.Answering, o.Answering)}
	}
	return Time{add(t.Worst, o.Worst), add(t.Answering, o.Answering)}
}

// callTime is the longest time of a call: when the callee hangs, and when it
// answers. The callees have theirs already.
func (v *view) callTime(edge int) Time {
	e := v.edges[edge]
	way := longest(&e.Latency)
	answer := add(v.served[e.To].Answering, add(way, way))
	return Time{v.stackTime(edge, Unbounded), v.stackTime(edge, answer)}
}

// stackTime is the longest time of a call whose attempts take so long where no
// policy ends them. It goes from the innermost policy outwards. late is how long
// what the call has begun can go on after the last look at a deadline.
func (v *view) stackTime(edge int, attempt time.Duration) time.Duration {
	stack := v.stacks[edge]
	total, late := attempt, attempt
	for i := len(stack) - 1; i >= 0; i-- {
		switch p := stack[i]; {
		case p.Timeout != nil:
			total, late = min(total, p.Timeout.Limit), min(late, p.Timeout.Limit)
		case p.Bulkhead != nil || p.Pool != nil:
			wait := queueWait(limitOf(p))
			total, late = add(total, wait), max(late, wait)
		case p.Hedge != nil:
			total = v.hedgeTime(p.Hedge, total)
		case p.Retry != nil:
			total = v.retryTime(edge, p.Retry, total)
		case p.Deadline != nil:
			total = v.deadlineTime(edge, i, total, late)
		}
	}
	return total
}

// limitOf is the settings of a bulkhead or a pool; nil: it is neither.
func limitOf(p topology.Policy) *policy.Bulkhead {
	if p.Bulkhead != nil {
		return p.Bulkhead
	}
	return p.Pool
}

// queueWait is the longest wait for a place.
func queueWait(b *policy.Bulkhead) time.Duration {
	switch {
	case b.Queue < 0:
		return 0
	case b.Wait > 0:
		return b.Wait
	}
	return Unbounded
}

// hedgeTime is that of a hedge: the last copy begins at the latest when all before
// it were late, or at once when they have failed.
func (v *view) hedgeTime(h *policy.Hedge, each time.Duration) time.Duration {
	if h.RepeatableOnly && !v.repeatable {
		return each
	}
	apart := each
	if h.Quantile == 0 {
		apart = min(each, h.Delay)
	}
	return add(each, mul(apart, hedged(h)-1))
}

// retryTime is attempts × the longest one + Σ the longest rests. A limit on the
// elapsed time cuts it: the last attempt begins in time, and is not cut itself.
func (v *view) retryTime(edge int, r *policy.Retry, each time.Duration) time.Duration {
	n := v.wanted(r)
	if n == 1 && stops(r.Rest) > 1 {
		return each
	}
	rest, least := r.Rest, v.asked(edge, r)
	if decorrelated(&rest) && least > 0 { // which grows from the rest before, whoever asked for that
		rest.Base = max(rest.Base, least/3+1)
	}
	rests := n - 1
	if n == stops(r.Rest) && (r.Attempts == policy.Unlimited || int64(r.Attempts) > n) {
		rests = n // the last one in vain
	}
	all := Unbounded
	if n < Unlimited {
		all = add(mul(each, n), v.rests.sum(rest, rests, least))
	}
	switch {
	case r.MaxElapsed <= 0:
		return all
	case r.Rule == policy.BeforeRest:
		last := max(least, restAt(rest, rests, true))
		return min(all, add(add(r.MaxElapsed, last), each))
	}
	return min(all, add(r.MaxElapsed, each))
}

// deadlineTime is what a deadline leaves: an enforced one ends the call, a checked
// one only what has not begun.
func (v *view) deadlineTime(edge, i int, total, late time.Duration) time.Duration {
	w, d := v.stacks[edge][i].Deadline, v.within(edge, i)
	if w.Enforce {
		total = min(total, d)
	}
	if v.checked(edge, i) < Unbounded {
		total = min(total, add(d-min(d, w.Useful), late))
	}
	return total
}

// article is the rule of thumb for a call.
func (v *view) article(edge int) time.Duration {
	var r *policy.Retry
	for _, p := range v.stacks[edge] {
		switch {
		case p.Retry != nil && r == nil:
			r = p.Retry
		case p.Timeout != nil && r != nil:
			if r.Attempts < 2 {
				return 0
			}
			retries := int64(r.Attempts) - 1
			return mul(add(p.Timeout.Limit, restAt(r.Rest, retries, true)), retries)
		}
	}
	return 0
}
