package imports

import (
	"fmt"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// layer is what one format says of the requests to a host.
type layer struct {
	format  string
	route   *Route // nil: it says nothing of when to try again
	cluster *Cluster
}

// stack is the policies of a layer, outermost first: the time for all attempts, then
// the budget that the attempts ask, then what holds for each attempt.
func (l layer) stack() []topology.Policy {
	var out []topology.Policy
	r, c := l.route, l.cluster
	if r == nil {
		r = &Route{}
	}
	if c == nil {
		c = &Cluster{}
	}
	switch {
	case r.Timeout > 0 && r.Carried:
		out = append(out, topology.Policy{Deadline: &policy.Within{Limit: r.Timeout, Mode: policy.Remaining, Enforce: true}})
	case r.Timeout > 0:
		out = append(out, topology.Policy{Name: "overall", Timeout: &policy.TimeoutAfter{Limit: r.Timeout}})
	}
	if c.Budget != nil && r.attempts() > 1 {
		out = append(out, topology.Policy{Budget: c.Budget})
	}
	switch {
	case r.Hedge != nil:
		out = append(out, topology.Policy{Hedge: r.Hedge})
	case r.Retry != nil:
		out = append(out, topology.Policy{Retry: r.Retry})
	}
	if r.PerTry > 0 {
		out = append(out, topology.Policy{Timeout: &policy.TimeoutAfter{Limit: r.PerTry}})
	}
	if c.Limit != nil {
		out = append(out, topology.Policy{Bulkhead: c.Limit})
	}
	if b := l.balance(r, c); b != nil {
		out = append(out, topology.Policy{Balance: b})
	}
	return out
}

func (l layer) balance(r *Route, c *Cluster) *policy.Balance {
	b := policy.Balance{}
	if c.Balance != nil {
		b = *c.Balance
	}
	b.Failover = b.Failover || r.Elsewhere
	if c.Balance == nil && (c.Replicas < 2 || !b.Failover) {
		return nil
	}
	return &b
}

// placed is a policy with the place that it was read from.
type placed struct {
	topology.Policy
	at Place
}

// stacks puts the layers of a call around each other, the first one outermost.
func stacks(layers []layer) []placed {
	var out []placed
	used := map[string]bool{}
	for _, l := range layers {
		for _, p := range l.stack() {
			own := p.Called()
			for n := 1; used[p.Called()]; n++ {
				p.Name = l.format + "-" + own
				if n > 1 {
					p.Name += fmt.Sprint("-", n)
				}
			}
			used[p.Called()] = true
			out = append(out, placed{p, l.at()})
		}
	}
	return out
}

// at is where a layer was read.
func (l layer) at() Place {
	if l.route != nil {
		return l.route.At
	}
	return l.cluster.At
}

// fit leaves out what can never come, since something around it ends the call
// earlier: a lab refuses it, and the products pass it over.
func fit(stack []placed, note func(at Place, format string, args ...any)) []topology.Policy {
	var out []topology.Policy
	around := time.Duration(0) // the shortest so far; 0: none
	for _, p := range stack {
		limit := limitOf(p.Policy)
		if around > 0 && limit >= around {
			note(p.at, "the %s of %v is left out: around it the call ends after %v", p.Called(), limit, around)
			continue
		}
		if limit > 0 {
			around = limit
		}
		out = append(out, p.Policy)
	}
	return out
}

func limitOf(p topology.Policy) time.Duration {
	switch {
	case p.Deadline != nil:
		return p.Deadline.Limit
	case p.Timeout != nil:
		return p.Timeout.Limit
	}
	return 0
}
