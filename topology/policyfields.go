package topology

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"labctl/topology/policy"
)

// The settable fields of each kind of policy, under the names that a file uses.
var (
	fallbackFields = []field[policy.Fallback]{
		{"max_age", func(f *policy.Fallback, v string) error { return parseDuration(&f.MaxAge, v) }},
		{"static", func(f *policy.Fallback, v string) error { return parseBool(&f.Static, v) }},
	}

	deadlineFields = []field[policy.Within]{
		{"limit", func(w *policy.Within, v string) error { return parseDuration(&w.Limit, v) }},
		{"mode", func(w *policy.Within, v string) error {
			return choose(&w.Mode, v, map[string]policy.DeadlineMode{
				"none": policy.Kept, "absolute": policy.Absolute, "remaining": policy.Remaining, "per-hop": policy.PerHop})
		}},
		{"check", func(w *policy.Within, v string) error { return parseBool(&w.Check, v) }},
		{"enforce", func(w *policy.Within, v string) error { return parseBool(&w.Enforce, v) }},
		{"useful", func(w *policy.Within, v string) error { return parseDuration(&w.Useful, v) }},
	}

	adaptiveFields = []field[policy.Adaptive]{
		{"initial", func(a *policy.Adaptive, v string) error { return parseInt(&a.Initial, v) }},
		{"min", func(a *policy.Adaptive, v string) error { return parseInt(&a.Min, v) }},
		{"max", func(a *policy.Adaptive, v string) error { return parseInt(&a.Max, v) }},
		{"target", func(a *policy.Adaptive, v string) error { return parseDuration(&a.Target, v) }},
		{"decrease", func(a *policy.Adaptive, v string) error { return parsePercent(&a.Decrease, v) }},
		{"increase", func(a *policy.Adaptive, v string) error { return parseInt(&a.Increase, v) }},
	}

	bulkheadFields = []field[policy.Bulkhead]{
		{"limit", func(b *policy.Bulkhead, v string) error { return parseInt(&b.Limit, v) }},
		{"queue", func(b *policy.Bulkhead, v string) error {
			if v == "none" {
				b.Queue = policy.NoQueue
				return nil
			}
			return parseInt(&b.Queue, v)
		}},
		{"wait", func(b *policy.Bulkhead, v string) error { return parseDuration(&b.Wait, v) }},
		{"per", func(b *policy.Bulkhead, v string) error { return choose(&b.Per, v, keys) }},
	}

	breakerFields = []field[policy.Breaker]{
		{"failures", func(b *policy.Breaker, v string) error { return parseInt(&b.Failures, v) }},
		{"rate", func(b *policy.Breaker, v string) error { return parsePercent(&b.Rate, v) }},
		{"window", func(b *policy.Breaker, v string) error { return parseDuration(&b.Window, v) }},
		{"volume", func(b *policy.Breaker, v string) error { return parseInt(&b.Volume, v) }},
		{"open_for", func(b *policy.Breaker, v string) error { return parseDuration(&b.OpenFor, v) }},
		{"permits", func(b *policy.Breaker, v string) error { return parsePermits(&b.Permits, v) }},
		{"successes", func(b *policy.Breaker, v string) error { return parseInt(&b.Successes, v) }},
		{"fail_on", func(b *policy.Breaker, v string) (err error) { b.Fail, err = parseFilter(v); return err }},
		{"ignore", func(b *policy.Breaker, v string) (err error) { b.Ignore, err = parseFilter(v); return err }},
		{"per", func(b *policy.Breaker, v string) error { return choose(&b.Per, v, keys) }},
		{"observe", func(b *policy.Breaker, v string) error { return parseBool(&b.Observe, v) }},
		{"forced", func(b *policy.Breaker, v string) error {
			return choose(&b.Forced, v, map[string]policy.Forced{
				"no": policy.NotForced, "open": policy.ForcedOpen, "closed": policy.ForcedClosed})
		}},
	}

	budgetFields = []field[policy.Budget]{
		{"law", func(b *policy.Budget, v string) error { return choose(&b.Law, v, budgetLaws) }},
		{"ratio", func(b *policy.Budget, v string) error { return parseShare(&b.Ratio, v) }},
		{"floor", func(b *policy.Budget, v string) error { return parseNoneOr(&b.Floor, v, policy.NoFloor) }},
		{"window", func(b *policy.Budget, v string) error { return parseDuration(&b.Window, v) }},
		{"tokens", func(b *policy.Budget, v string) error { return parseInt(&b.Tokens, v) }},
		{"cost", func(b *policy.Budget, v string) error { return parseInt(&b.Cost, v) }},
		{"timeout_cost", func(b *policy.Budget, v string) error { return parseInt(&b.TimeoutCost, v) }},
		{"attempts", func(b *policy.Budget, v string) error { return parseInt(&b.Attempts, v) }},
	}

	hedgeFields = []field[policy.Hedge]{
		{"delay", func(h *policy.Hedge, v string) error { return parseDuration(&h.Delay, v) }},
		{"quantile", func(h *policy.Hedge, v string) error { return parsePercent(&h.Quantile, strings.TrimPrefix(v, "p")) }},
		{"max", func(h *policy.Hedge, v string) error { return parseInt(&h.Max, v) }},
		{"share_requests", func(h *policy.Hedge, v string) error { return parsePercent(&h.ShareRequests, v) }},
		{"share_extra", func(h *policy.Hedge, v string) error { return parsePercent(&h.ShareExtra, v) }},
		{"on", func(h *policy.Hedge, v string) (err error) { h.Filter, err = parseFilter(v); return err }},
		{"repeatable_only", func(h *policy.Hedge, v string) error { return parseBool(&h.RepeatableOnly, v) }},
	}

	timeoutFields = []field[policy.TimeoutAfter]{
		{"", func(t *policy.TimeoutAfter, v string) error { return parseDuration(&t.Limit, v) }}, // calls.b.timeout: 1s
		{"limit", func(t *policy.TimeoutAfter, v string) error { return parseDuration(&t.Limit, v) }},
	}

	balanceFields = []field[policy.Balance]{
		{"law", func(b *policy.Balance, v string) error { return choose(&b.Law, v, balanceLaws) }},
		{"failover", func(b *policy.Balance, v string) error { return parseBool(&b.Failover, v) }},
		{"eject_after", func(b *policy.Balance, v string) error { return parseInt(&b.EjectAfter, v) }},
		{"eject_for", func(b *policy.Balance, v string) error { return parseDuration(&b.EjectFor, v) }},
		{"max_ejected", func(b *policy.Balance, v string) error { return parsePercent(&b.MaxEjected, v) }},
	}
)

var keys = map[string]policy.Key{"edge": policy.PerEdge, "host": policy.PerHost, "route": policy.PerRoute}

// budgetLaws are named by their owners.
var budgetLaws = map[string]policy.BudgetLaw{
	"finagle": policy.Deposit, "envoy": policy.Active, "aws": policy.Tokens, "grpc": policy.HalfFull, "google": policy.PerRequest,
}

var balanceLaws = map[string]policy.BalanceLaw{
	"round-robin": policy.RoundRobin, "random": policy.Random, "least": policy.LeastInFlight,
}

func parseFilter(v string) (policy.Filter, error) {
	return policy.ParseFilter(strings.Split(strings.Trim(v, "[]"), ",")...)
}

// parsePercent reads "50%".
func parsePercent(to *int, v string) error {
	n, err := strconv.Atoi(strings.TrimSuffix(v, "%"))
	if err != nil || n < 0 || n > 100 {
		return fmt.Errorf("%q is no percentage from 0%% to 100%%", v)
	}
	*to = n
	return nil
}

// parseShare reads "7.1%" into thousandths, and "none".
func parseShare(to *int, v string) error {
	if v == "none" {
		*to = policy.NoShare
		return nil
	}
	percent, is := strings.CutSuffix(v, "%")
	f, err := strconv.ParseFloat(percent, 64)
	if !is || err != nil || !(f > 0 && f <= 1000) {
		return fmt.Errorf("%q is no share: write it like 20%% or 7.1%%, or none", v)
	}
	if *to = int(math.Round(10 * f)); *to == 0 {
		return fmt.Errorf("%q is less than 0.1%%: say none, or more", v)
	}
	return nil
}

// parseNoneOr reads a number, or none where 0 would stand for a default.
func parseNoneOr(to *int, v string, none int) error {
	if v == "none" || v == "0" {
		*to = none
		return nil
	}
	return parseInt(to, v)
}

// parsePermits refuses the 0 that would stand for the default: a half-open
// breaker without permits never closes again.
func parsePermits(to *int, v string) error {
	if err := parseInt(to, v); err != nil {
		return err
	}
	if *to == 0 {
		return fmt.Errorf("a half-open breaker with 0 permits never closes again: say 1 or more")
	}
	return nil
}

// setPolicies puts the call's policies into an order, outermost first. Each is
// named once, and one that is not named is taken out.
func (c *Call) setPolicies(value string) error {
	var ordered []Policy
	for word := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
		name := strings.TrimSpace(word)
		if name == "" {
			continue
		}
		i := c.find(name)
		if i < 0 {
			return fmt.Errorf("the call has no policy %q: it has %s", name, c.stackText())
		}
		ordered = append(ordered, c.Policies[i])
	}
	for i := range ordered {
		for _, other := range ordered[:i] {
			if other.Called() == ordered[i].Called() {
				return fmt.Errorf("%q stands twice: name each policy once, outermost first", other.Called())
			}
		}
	}
	c.Policies = ordered
	return nil
}

// stackText lists the call's policies, outermost first.
func (c *Call) stackText() string {
	if len(c.Policies) == 0 {
		return "none"
	}
	var names []string
	for _, p := range c.Policies {
		names = append(names, p.Called())
	}
	return strings.Join(names, ", ")
}

// find is the place of a policy by its name, else by its kind, else −1.
func (c *Call) find(name string) int {
	for _, same := range []func(Policy) bool{
		func(p Policy) bool { return name != "" && p.Name == name },
		func(p Policy) bool { return p.Kind() == name },
	} {
		for i, p := range c.Policies {
			if same(p) {
				return i
			}
		}
	}
	return -1
}

// setPolicy changes a field of a policy, takes it out with the value none, or
// adds it, by its kind, in its usual place.
func (c *Call) setPolicy(name, field, value string) error {
	i := c.find(name)
	if field == "" && value == "none" {
		if i >= 0 {
			c.Policies = append(c.Policies[:i:i], c.Policies[i+1:]...)
		}
		return nil
	}
	p := Policy{}
	k := kindNamed(name)
	if i >= 0 {
		p = c.Policies[i].clone()
		k = kindNamed(p.Kind())
	} else if k.name == "retry" {
		p.Retry = &policy.Retry{Attempts: 1}
	}
	if err := p.setField(k, field, value); err != nil {
		return err
	}
	if i >= 0 {
		c.Policies[i] = p
		return nil
	}
	c.insert(p)
	return nil
}

func (p *Policy) setField(k *kind, field, value string) error {
	if field == "route" {
		if !k.in(*p) {
			return fmt.Errorf("the call has no %s that could be for one route: set its other fields first", k.name)
		}
		p.Route = value
		return nil
	}
	return k.set(p, field, value)
}

// insert adds a policy in front of the first that usually stands further in.
func (c *Call) insert(p Policy) {
	at := len(c.Policies)
	for i, other := range c.Policies {
		if rank(other.Kind()) > rank(p.Kind()) {
			at = i
			break
		}
	}
	c.Policies = append(c.Policies[:at:at], append([]Policy{p}, c.Policies[at:]...)...)
}
