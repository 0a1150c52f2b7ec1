package bound

import (
	"fmt"

	"labctl/topology"
	"labctl/topology/policy"
)

// outside is how many attempts the policies around layer i make of one call.
func (s *site) outside(i int) int64 {
	n := int64(1)
	for k := range i {
		n = topology.SatMul(n, s.factors[s.edge][k])
	}
	return n
}

// through is how many calls come by layer i at most, in the whole run.
func (s *site) through(i int) int64 {
	_, requests := s.herd()
	return topology.SatMul(topology.SatMul(requests, s.hits[s.call.From]), s.outside(i))
}

// checkBreakers finds breakers that see little, or too little to ever open.
func (s *site) checkBreakers() {
	for i := range s.stack {
		p := &s.stack[i]
		b := p.Breaker
		if b == nil || b.Forced != policy.NotForced || b.Observe {
			continue
		}
		for k, r := range s.retries {
			if k > i {
				s.add("breaker-outside-retry", Warning, p, "it stands around %s, so it sees a failure only when all %s attempts are used up, and opens that much later: put it inside",
					r.Called(), countText(s.factors[s.edge][k]))
				break
			}
		}
		needs, what := s.opensAfter(b)
		if calls := s.through(i); calls < needs {
			s.add("breaker-never-opens", Warning, p, "at this load %d calls come by at most, and it opens after %d %s: ask for fewer", calls, needs, what)
		}
	}
}

// opensAfter is how many calls a breaker must see at least.
func (s *site) opensAfter(b *policy.Breaker) (n int64, what string) {
	full := b.New().Breaker // with its defaults
	if full.Rate > 0 {
		return int64(full.Volume), "calls (volume)"
	}
	return int64(full.Failures), "failures"
}

// places is how many calls a bulkhead or pool lets in, of one key and of all.
func (s *site) places(b *policy.Bulkhead) (each, all int64) {
	keys := 1
	switch b.Per {
	case policy.PerHost:
		keys = max(1, s.t.Services[s.call.To].Replicas)
	case policy.PerRoute:
		keys = len(s.t.Routes())
	}
	return int64(b.Limit), topology.SatMul(int64(b.Limit), int64(keys))
}

// checkLimits compares each limit on concurrent calls with the next one inside it.
func (s *site) checkLimits() {
	for i := range s.stack {
		outer := limitOf(s.stack[i])
		if outer == nil || s.stack[i].Route != "" {
			continue
		}
		for k := i + 1; k < len(s.stack); k++ {
			inner := limitOf(s.stack[k])
			if inner == nil || s.stack[k].Route != "" {
				continue
			}
			s.compare(i, outer, k, inner)
			break
		}
	}
}

// compare looks at the limits at two layers. Where a call has no copies between them,
// and none of its attempts works on when it has been left, the inner one sees it
// once at a time. With a retry between them, who rests needs no place further in.
func (s *site) compare(i int, outer *policy.Bulkhead, k int, inner *policy.Bulkhead) {
	p, q, between := &s.stack[i], &s.stack[k], s.stack[i:k]
	each, all := s.places(outer)
	innerEach, innerAll := s.places(inner)
	copies := has(between, func(p topology.Policy) bool { return p.Hedge != nil })
	switch {
	case each > innerAll:
		how := Warning
		if has(between, func(p topology.Policy) bool { return p.Retry != nil }) {
			how = Note
		}
		s.add("pool-below-bulkhead", how, q, "%s lets %d calls in at once, and only %d of them get a place here: the others hold one there in vain; make both alike", p.Called(), each, innerAll)
	case all < innerEach && !copies && !s.call.KeepWorking:
		s.add("limit-never-reached", Note, q, "%s around it lets only %d calls in at once, so its %d are never taken: leave one of the two out", p.Called(), all, innerEach)
	}
}

// checkQueues finds queues in which callers may wait for ever.
func (s *site) checkQueues() {
	for i := range s.stack {
		p := &s.stack[i]
		b := limitOf(*p)
		bounded := has(s.stack[:i], func(p topology.Policy) bool {
			return p.Timeout != nil || p.Deadline != nil && p.Deadline.Enforce && p.Deadline.Limit > 0
		})
		if b != nil && b.Queue == 0 && b.Wait == 0 && !bounded && s.mayWait(b) {
			s.add("unbounded-queue", Warning, p, "the queue has no limit and nobody waits too long in it, so overload turns into latency without an error: say queue or wait")
		}
	}
}

// mayWait reports whether more calls can come at once than there are places.
func (s *site) mayWait(b *policy.Bulkhead) bool {
	clients, _ := s.herd()
	return s.t.Load.Open() || s.call.From != 0 || clients > int64(b.Limit) || s.call.KeepWorking || s.attempts[s.edge] > 1
}

// checkBudgets finds budgets that nobody asks, or that refuse nothing.
func (s *site) checkBudgets() {
	var outer *topology.Policy
	for i := range s.stack {
		p := &s.stack[i]
		if p.Budget == nil {
			continue
		}
		inside := int64(1) // attempts that each call which comes by may want
		for k := i + 1; k < len(s.stack); k++ {
			inside = topology.SatMul(inside, s.factors[s.edge][k])
		}
		switch why := s.unused(i, p.Budget, inside); {
		case outer != nil:
			s.add("budget-does-nothing", Warning, p, "only the outermost budget is asked, which is %s: leave one of the two out", outer.Called())
		case inside == 1 && s.outside(i) > 1:
			s.add("budget-does-nothing", Warning, p, "only what is inside it asks it, and the retry is outside: put it outside the retry")
		case inside == 1:
			s.add("budget-does-nothing", Note, p, "no retry and no hedge is inside it that could ask it: leave it out")
		case why != "":
			s.add("budget-does-nothing", Warning, p, "%s: lower it", why)
		}
		if outer == nil {
			outer = p
		}
	}
}

// unused says why a budget grants all that its calls can want, each of them so
// many attempts; empty: it may refuse some.
func (s *site) unused(i int, settings *policy.Budget, inside int64) string {
	b := settings.New().Budget // with its defaults
	calls := s.through(i)
	extra := Unlimited
	if inside < Unlimited {
		extra = topology.SatMul(calls, inside-1)
	}
	share := float64(b.Ratio) / 1000
	switch b.Law {
	case policy.Deposit:
		return s.depositUnused(i, b, inside, extra)
	case policy.Active:
		clients, _ := s.herd()
		alone := s.call.From == 0 && clients > 0 && !s.call.KeepWorking && s.onlyRetries(i)
		switch {
		case s.onlyRetries(i) && share >= 1:
			return fmt.Sprintf("a call has one retry in flight at most, and a share of %g%% grants each its own", 100*share)
		case alone && clients <= int64(b.Floor):
			return fmt.Sprintf("the floor of %d in flight is enough for the retries of all %d clients at once", b.Floor, clients)
		}
	case policy.Tokens:
		if cost := int64(max(b.Cost, b.TimeoutCost)); topology.SatMul(extra, cost) <= int64(b.Tokens) {
			return fmt.Sprintf("at this load %d retries are made at most, and %d tokens pay for all of them", extra, b.Tokens)
		}
	case policy.HalfFull:
		if topology.SatMul(topology.SatMul(calls, inside), 2) < int64(b.Tokens) {
			return fmt.Sprintf("at this load %d attempts are made at most, too few to bring %d tokens down to half", topology.SatMul(calls, inside), b.Tokens)
		}
	}
	return ""
}

// onlyRetries reports whether exactly one retry asks the budget at layer i.
func (s *site) onlyRetries(i int) bool {
	asking := 0
	for k := i + 1; k < len(s.stack); k++ {
		if s.stack[k].Hedge != nil {
			return false
		}
		if s.factors[s.edge][k] > 1 {
			asking++
		}
	}
	return asking == 1
}

// depositUnused compares the share with the retries of each request, and the floor
// with those of a whole run, or of a second of an open loop.
func (s *site) depositUnused(i int, b policy.Budget, inside, extra int64) string {
	share, floor := float64(b.Ratio)/1000, float64(b.Floor)*b.Window.Seconds()
	rate := s.perSecond() * float64(s.hits[s.call.From]) * float64(s.outside(i))
	switch retries := float64(inside - 1); {
	case inside < Unlimited && share >= retries:
		return fmt.Sprintf("a share of %g%% grants every request all its %d retries", 100*share, inside-1)
	case extra < Unlimited && floor >= float64(extra):
		return fmt.Sprintf("the floor of %d/s grants %g retries in its window of %v, and at this load %d are made at most in the whole run", b.Floor, floor, b.Window, extra)
	case rate > 0 && inside < Unlimited && share*rate+float64(b.Floor) >= rate*retries:
		return fmt.Sprintf("at this load %g retries per second are made at most, and it grants %g by the share and %d by the floor", rate*retries, share*rate, b.Floor)
	}
	return ""
}
