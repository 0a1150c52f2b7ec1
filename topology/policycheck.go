package topology

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"labctl/topology/policy"
)

// check refuses settings that contradict themselves. Its error starts with the
// field.
func (p Policy) check() error {
	there := 0
	var err error
	for _, k := range kinds {
		if k.in(p) {
			there++
			err = k.check(p)
		}
	}
	if there != 1 {
		return fmt.Errorf("policies: an entry is exactly one of %s", kindNames())
	}
	return err
}

func checkFallback(f policy.Fallback) error { return checkDuration("max_age", f.MaxAge) }

func checkDeadline(w policy.Within) error {
	switch {
	case w.Limit < 0 || w.Limit > MaxDuration:
		return checkDuration("limit", w.Limit)
	case w.Useful < 0 || w.Useful > MaxDuration:
		return checkDuration("useful", w.Useful)
	case !w.Check && !w.Enforce && w.Mode == policy.Kept:
		return fmt.Errorf("limit: a deadline that is not checked, not enforced and not sent on does nothing: say check, enforce, or a mode")
	case w.Useful > 0 && !w.Check:
		return fmt.Errorf("useful: a deadline that is not checked refuses no attempt: say check: true, or leave it out")
	case w.Limit > 0 && w.Useful >= w.Limit:
		return fmt.Errorf("useful: %v are never left of %v: say less, or raise the limit", w.Useful, w.Limit)
	}
	return nil
}

func checkAdaptive(a policy.Adaptive) error {
	switch {
	case a.Target <= 0:
		return fmt.Errorf("target: without a latency to aim at the limit would have nothing to follow: say one, such as 100ms")
	case a.Target > MaxDuration:
		return checkDuration("target", a.Target)
	case a.Initial < 0 || a.Initial > MaxWorkers:
		return fmt.Errorf("initial: %d is not from 1 to %d", a.Initial, MaxWorkers)
	case a.Min < 0 || a.Max < 0 || a.Min > MaxWorkers || a.Max > MaxWorkers:
		return fmt.Errorf("min: the bounds %d and %d are not from 0 (none) to %d", a.Min, a.Max, MaxWorkers)
	case a.Max > 0 && a.Min > a.Max:
		return fmt.Errorf("min: %d is above the max of %d: swap them", a.Min, a.Max)
	case a.Decrease < 0 || a.Decrease > 99:
		return fmt.Errorf("decrease: %d%% is not from 1%% to 99%%", a.Decrease)
	case a.Increase < 0 || a.Increase > MaxWorkers:
		return fmt.Errorf("increase: %d is not from 1 to %d", a.Increase, MaxWorkers)
	}
	return nil
}

func checkBulkhead(b policy.Bulkhead) error {
	switch {
	case b.Limit < 1 || b.Limit > MaxWorkers:
		return fmt.Errorf("limit: %d is not from 1 to %d: with 0 no call would ever be made", b.Limit, MaxWorkers)
	case b.Queue < policy.NoQueue:
		return fmt.Errorf("queue: %d is negative: say how many may wait, 0 for no limit, or none", b.Queue)
	case b.Queue == policy.NoQueue && b.Wait > 0:
		return fmt.Errorf("wait: nobody waits without a queue: leave wait out, or say how many may wait")
	}
	return checkDuration("wait", b.Wait)
}

func checkBreaker(b policy.Breaker) error {
	switch {
	case b.Failures < 0 || b.Failures > MaxAttempts:
		return fmt.Errorf("failures: %d is not from 1 to %d", b.Failures, MaxAttempts)
	case b.Rate < 0 || b.Rate > 100:
		return fmt.Errorf("rate: %d%% is not from 1%% to 100%%", b.Rate)
	case b.Rate > 0 && b.Failures > 0:
		return fmt.Errorf("rate: both a number of failures and a rate are given: choose one")
	case b.Volume != 0 && b.Rate == 0:
		return fmt.Errorf("volume: it belongs to a rate: say rate, or leave it out")
	case b.Volume < 0 || b.Volume > MaxWorkers:
		return fmt.Errorf("volume: %d is not from 1 to %d", b.Volume, MaxWorkers)
	case b.Permits < 0 || b.Permits > MaxWorkers:
		return fmt.Errorf("permits: %d is not from 1 to %d", b.Permits, MaxWorkers)
	case b.Successes < 0 || b.Successes > MaxWorkers:
		return fmt.Errorf("successes: %d is not from 1 to %d", b.Successes, MaxWorkers)
	case b.Window < 0 || b.Window > MaxDuration:
		return checkDuration("window", b.Window)
	}
	return checkDuration("open_for", b.OpenFor)
}

func checkTimeout(t policy.TimeoutAfter) error {
	switch {
	case t.Limit <= 0:
		return fmt.Errorf("limit: %v would end before it began: say more than 0, or leave it out", t.Limit)
	case t.Mode > policy.Remaining:
		return fmt.Errorf("mode: a timeout starts anew at every hop anyway: say absolute or remaining, or none")
	}
	return checkDuration("limit", t.Limit)
}

func checkBalance(b policy.Balance) error {
	switch {
	case b.EjectAfter < 0 || b.EjectAfter > MaxAttempts:
		return fmt.Errorf("eject_after: %d is not from 1 to %d", b.EjectAfter, MaxAttempts)
	case b.EjectAfter == 0 && (b.EjectFor != 0 || b.MaxEjected != 0):
		return fmt.Errorf("eject_after: nothing is ejected without it: say after how many failures in a row")
	}
	return checkDuration("eject_for", b.EjectFor)
}

func checkBudget(b policy.Budget) error {
	for _, n := range []struct {
		name  string
		value int
	}{{"tokens", b.Tokens}, {"cost", b.Cost}, {"timeout_cost", b.TimeoutCost}, {"attempts", b.Attempts}} {
		if n.value < 0 || n.value > MaxAttempts {
			return fmt.Errorf("%s: %d is not from 1 to %d", n.name, n.value, MaxAttempts)
		}
	}
	if b.Floor < policy.NoFloor || b.Floor > MaxAttempts {
		return fmt.Errorf("floor: %d is not from 0 to %d", b.Floor, MaxAttempts)
	}
	return checkDuration("window", b.Window)
}

func checkHedge(h policy.Hedge) error {
	switch {
	case h.Max < 0 || h.Max == 1 || h.Max > MaxAttempts:
		return fmt.Errorf("max: %d attempts in total leave no copy: say 2 or more, or leave it out", h.Max)
	case h.Delay == 0 && h.Quantile == 0:
		return fmt.Errorf("delay: without a delay every request is sent twice: say one, or a quantile")
	case h.Quantile < 0 || h.Quantile > 99:
		return fmt.Errorf("quantile: %d is not from 1 to 99", h.Quantile)
	}
	return checkDuration("delay", h.Delay)
}

func checkRetry(r policy.Retry) error {
	switch {
	case r.Attempts == 0:
		return fmt.Errorf("attempts: 0 would never call: say 1 for a single try (0 retries)")
	case r.Attempts < 0 && r.Attempts != policy.Unlimited:
		return fmt.Errorf("attempts: %d is negative: say 1 or more, or unlimited", r.Attempts)
	case r.Attempts > MaxAttempts:
		return fmt.Errorf("attempts: more than %d: say unlimited and give the run an end", MaxAttempts)
	}
	if err := checkDuration("max_elapsed", r.MaxElapsed); err != nil {
		return err
	}
	return checkRest(r.Rest)
}

func checkRest(r policy.Rest) error {
	if err := checkDuration("rest", r.Base); err != nil {
		return err
	}
	if err := checkDuration("cap", r.Cap); err != nil {
		return err
	}
	if r.Base > 0 && r.Base < MinRest {
		return fmt.Errorf("rest: %v is below %v: say 0 for no rest, or at least that", r.Base, MinRest)
	}
	if r.Cap > 0 && r.Cap < r.Base {
		return fmt.Errorf("cap: %v is below the first rest of %v: raise the cap or shorten the rest", r.Cap, r.Base)
	}
	if r.AtCap == policy.Stop && r.Jitter.Law == policy.Decorrelated {
		return fmt.Errorf("at_cap: decorrelated jitter has no growth that could reach a cap and stop: say hold, or another jitter")
	}
	// Values that were not read from text are held to what text may say.
	if _, err := policy.ParseBackoff(r.Backoff.String()); err != nil {
		return fmt.Errorf("backoff: %w", err)
	}
	if _, err := policy.ParseJitter(r.Jitter.String()); err != nil {
		return fmt.Errorf("jitter: %w", err)
	}
	return nil
}

// checkStack refuses policies of a call that contradict each other.
func (c Call) checkStack(from string, routes []string) error {
	seen := map[string]bool{}
	for _, p := range c.Policies {
		if err := p.check(); err != nil {
			return err
		}
		name := p.Called()
		if p.Budget != nil && p.Budget.PerClient && from != ClientName {
			return fmt.Errorf("%s.per_client: %s makes its calls for all clients: say it on a call of the client", name, from)
		}
		if p.Deadline != nil && p.Deadline.Limit == 0 && from == ClientName {
			return fmt.Errorf("%s.limit: no deadline comes in to the client: say how long it may take", name)
		}
		if seen[name] {
			return fmt.Errorf("%s: the call has two of that name: give them names", name)
		}
		seen[name] = true
		if route := strings.TrimPrefix(p.Route, "!"); p.Route != "" && !slices.Contains(routes, route) {
			return fmt.Errorf("%s.route: no client asks for %q: give a herd that route, such as load.others.%s.clients: 1", name, route, route)
		}
	}
	if err := c.checkHosts(); err != nil {
		return err
	}
	return c.checkTimes()
}

// checkTimes compares the time that a call may take with what stands inside it.
func (c Call) checkTimes() error {
	for i, inner := range c.Policies {
		for _, outer := range c.Policies[:i] {
			limit, within := inner.limit(), outer.limit()
			if meet(inner.Route, outer.Route) && within > 0 && limit > within {
				return fmt.Errorf("%s: %v is longer than the %s of %v around it, and never reached: shorten it, or lengthen that",
					inner.Called(), limit, outer.Called(), within)
			}
		}
	}
	return nil
}

// limit is how long a policy lets a call go on; 0: it says nothing of it.
func (p Policy) limit() time.Duration {
	switch {
	case p.Deadline != nil:
		return p.Deadline.Limit
	case p.Timeout != nil:
		return p.Timeout.Limit
	case p.Retry != nil:
		return p.Retry.MaxElapsed
	}
	return 0
}

// meet reports whether policies for these routes may both be for one request.
func meet(a, b string) bool {
	a, notA := strings.CutPrefix(a, "!")
	b, notB := strings.CutPrefix(b, "!")
	switch {
	case a == "" || b == "" || notA && notB:
		return true
	case notA || notB:
		return a != b
	}
	return a == b
}

// checkHosts refuses a state for each replica where none is chosen yet.
func (c Call) checkHosts() error {
	balanced := false
	for _, p := range c.Policies {
		balanced = balanced || p.Balance != nil
		perHost := p.Breaker != nil && p.Breaker.Per == policy.PerHost ||
			p.Bulkhead != nil && p.Bulkhead.Per == policy.PerHost || p.Pool != nil && p.Pool.Per == policy.PerHost
		if perHost && !balanced {
			return fmt.Errorf("%s.per: no replica is chosen yet where it stands: put a balance outside it, such as policies: retry, balance, %s", p.Called(), p.Called())
		}
	}
	return nil
}
