package bound

import (
	"slices"
	"time"

	"labctl/topology"
)

// checkCaller finds calls that may take longer than the caller's caller waits.
func (s *site) checkCaller() {
	above, wait, by := -1, Unbounded, (*topology.Policy)(nil)
	for _, i := range s.into[s.call.From] {
		if w, p := s.waits(i); w < wait && !s.told(i) {
			above, wait, by = i, w, p
		}
	}
	takes := s.total[s.edge].Worst
	if above < 0 || takes < wait || takes == Unbounded && !s.edges[above].KeepWorking {
		return // who hangs is told to stop
	}
	caller := s.edges[above]
	p, what := s.longestPart(wait)
	who := s.t.Services[caller.From].Name
	switch {
	case takes == Unbounded:
		s.add("timeout-above-caller", Warning, p, "nothing ends %s, and %s waits %v (%s) and tells %s nothing, which works on for nobody: say a timeout, or pass cancellation or a deadline on",
			what, who, wait, by.Called(), s.from())
	case caller.KeepWorking:
		s.add("timeout-above-caller", Warning, p, "%s may take %v, and %s waits %v (%s) and tells %s nothing, which works on for nobody: make it shorter, or pass cancellation or a deadline on",
			what, takes, who, wait, by.Called(), s.from())
	default:
		s.add("timeout-above-caller", Note, p, "%s may take %v, and %s leaves after %v (%s), so that the rest is never done: make it shorter, or let %s wait longer",
			what, takes, who, wait, by.Called(), who)
	}
}

// told reports whether a call tells its callee the deadline, and the call of this
// site minds it.
func (s *site) told(above int) bool {
	return s.sends(above).left < Unbounded && has(s.stack, func(p topology.Policy) bool {
		return p.Deadline != nil && (p.Deadline.Check || p.Deadline.Enforce)
	})
}

// longestPart is the policy to change where a call takes too long: a timeout that
// alone is not shorter than the caller waits, or else the outermost retry.
func (s *site) longestPart(wait time.Duration) (p *topology.Policy, what string) {
	for i := range s.stack {
		if p := &s.stack[i]; p.Timeout != nil && p.Timeout.Limit >= wait {
			return p, "the call"
		}
	}
	for _, p := range s.retries {
		return p, "all its attempts"
	}
	_, p = s.waits(s.edge)
	return p, "the call" // nil: it has no policy that could be blamed
}

// checkAnswerInTime finds limits below what an answer takes at least.
func (s *site) checkAnswerInTime() {
	to := &s.t.Services[s.call.To]
	fast := func(w topology.Speed) bool { return max(w.Percent, w.To) > 100 }
	if slices.ContainsFunc(to.Speed, fast) || s.t.Load.Key && to.Idempotency != 0 { // an answer that is remembered takes no time
		return
	}
	way := shortest(&s.call.Latency)
	least := add(shortest(s.timeOf(to)), add(way, way))
	for i := range s.stack {
		p, limit := &s.stack[i], Unbounded
		switch {
		case p.Timeout != nil:
			limit = p.Timeout.Limit
		case p.Deadline != nil && p.Deadline.Enforce && p.Deadline.Limit > 0:
			limit = p.Deadline.Limit
		}
		if limit < least {
			s.add("deadline-cannot-be-met", Error, p, "%v is over before any answer of %s, which takes at least %v: raise it", limit, s.to(), least)
		}
	}
}

// checkAttemptsInTime finds retries that have no time for their attempts, even when
// these fail at once and the rests are the shortest.
func (s *site) checkAttemptsInTime() {
	for i := range s.stack {
		p := &s.stack[i]
		if p.Retry == nil {
			continue
		}
		wants, fits := s.wanted(p.Retry), s.fitting(s.edge, i)
		limit, by := s.limitIn(i)
		switch {
		case fits >= wants || wants == Unlimited && fits > 1:
		case fits == 1:
			s.add("deadline-cannot-be-met", Warning, p, "the first rest, at least %v, is over the %v of %s, so nothing is ever tried again: shorten the rest, or raise that",
				restAt(p.Retry.Rest, 1, false), limit, by)
		default:
			s.add("deadline-cannot-be-met", Note, p, "only %d of %d attempts can begin within the %v of %s: shorten the rests, or say fewer attempts", fits, wants, limit, by)
		}
	}
}

// limitIn is what leaves a retry no time: its own limit, or one around it.
func (s *site) limitIn(i int) (limit time.Duration, by string) {
	around, k := s.limitAround(s.edge, i)
	if own := s.stack[i].Retry.MaxElapsed; own > 0 && own <= around {
		return own, "max_elapsed"
	}
	if k < 0 {
		return around, ""
	}
	if p := &s.stack[k]; p.Timeout != nil {
		return p.Timeout.Limit, p.Called()
	}
	return s.within(s.edge, k), s.stack[k].Called()
}
