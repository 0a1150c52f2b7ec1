package bound

import (
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// deadline is what is left of a deadline that comes in with a request, at most.
type deadline struct {
	left time.Duration // Unbounded: there may be none
	hop  time.Duration // likewise, of one that every hop starts anew
}

// receive works out the deadlines that come in at each service. A service that
// several call has the longest of theirs.
func (v *view) receive() {
	v.inbound = make([]deadline, len(v.t.Services))
	v.inbound[0] = deadline{Unbounded, Unbounded}
	for i, e := range v.edges {
		sent := v.sends(i)
		v.inbound[e.To].left = max(v.inbound[e.To].left, sent.left)
		v.inbound[e.To].hop = max(v.inbound[e.To].hop, sent.hop)
	}
}

// sends is the deadline that goes out with the attempts of a call. Of several
// deadlines the innermost says how it travels, and the shortest how long it is.
func (v *view) sends(edge int) deadline {
	e := v.edges[edge]
	in := v.inbound[e.From]
	mode := policy.Kept
	for _, p := range v.stacks[edge] {
		if w := p.Deadline; w != nil {
			mode = w.Mode
			if w.Limit > 0 {
				in.left, in.hop = min(in.left, w.Limit), min(in.hop, w.Limit)
			}
		}
	}
	if own, ahead, is := v.timed(edge); is {
		// The earliest goes, and no other.
		switch mode {
		case policy.Absolute, policy.Remaining:
			own = min(own, in.left)
		case policy.PerHop:
			own = min(own, in.hop)
		}
		return deadline{max(0, own+ahead), Unbounded}
	}
	switch {
	case mode == policy.Absolute && in.left < Unbounded:
		ahead := v.t.Services[e.From].Skew - v.t.Services[e.To].Skew
		return deadline{max(0, in.left+ahead), Unbounded}
	case mode == policy.Remaining:
		return deadline{in.left, Unbounded}
	case mode == policy.PerHop:
		return deadline{in.hop, in.hop}
	}
	return deadline{Unbounded, Unbounded}
}

// within is the instant of the deadline at layer i of a call, from its start, at
// most: the earliest of those that came in and stand around it.
func (v *view) within(edge, i int) time.Duration {
	left := v.inbound[v.edges[edge].From].left
	for _, p := range v.stacks[edge][:i+1] {
		if p.Deadline != nil && p.Deadline.Limit > 0 {
			left = min(left, p.Deadline.Limit)
		}
	}
	return left
}

// checked is the last instant at which the deadline at layer i lets an attempt
// begin, from the start of the call; Unbounded where it does not check. Of several
// deadlines the innermost says whether they are checked.
func (v *view) checked(edge, i int) time.Duration {
	stack := v.stacks[edge]
	w, d := stack[i].Deadline, v.within(edge, i)
	if !w.Check || d == Unbounded || has(stack[i+1:], func(p topology.Policy) bool { return p.Deadline != nil }) {
		return Unbounded
	}
	return max(0, d-max(w.Useful, 1)) // at the instant itself it is too late
}

// waits is how long one attempt of a call is waited for at most, by its timeouts
// and enforced deadlines, and the policy that says so.
func (v *view) waits(edge int) (limit time.Duration, by *topology.Policy) {
	limit = Unbounded
	for i := range v.stacks[edge] {
		p, own := &v.stacks[edge][i], Unbounded
		switch {
		case p.Timeout != nil:
			own = p.Timeout.Limit
		case p.Deadline != nil && p.Deadline.Enforce:
			own = v.within(edge, i)
		}
		if own < limit {
			limit, by = own, p
		}
	}
	return limit, by
}

// timed is the shortest of the timeouts that are sent along with the attempts of a
// call, if there is one, and how much longer what is sent may get on its way, by
// clocks that disagree. Only an instant does, and a duration beside it may be what
// goes.
func (v *view) timed(edge int) (limit, ahead time.Duration, is bool) {
	limit = Unbounded
	instants, durations := false, false
	for _, p := range v.stacks[edge] {
		mode := policy.Kept
		switch {
		case p.Deadline != nil:
			mode = p.Deadline.Mode
		case p.Timeout != nil && p.Timeout.Mode != policy.Kept:
			mode, limit, is = p.Timeout.Mode, min(limit, p.Timeout.Limit), true
		}
		instants = instants || mode == policy.Absolute
		durations = durations || mode == policy.Remaining || mode == policy.PerHop
	}
	if instants {
		e := v.edges[edge]
		ahead = v.t.Services[e.From].Skew - v.t.Services[e.To].Skew
		if durations {
			ahead = max(ahead, 0)
		}
	}
	return limit, ahead, is
}
