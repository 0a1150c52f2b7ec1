package topology

import (
	"fmt"
	"slices"
	"strings"

	"labctl/topology/policy"
)

// Policy is one layer of a call's stack: exactly one of its settings is there.
type Policy struct {
	Name  string // tells two of one kind on a call apart; empty: its kind is its name
	Route string // only for requests of this route, or with a ! in front for all others; empty: for all

	Fallback *policy.Fallback
	Deadline *policy.Within
	Adaptive *policy.Adaptive
	Bulkhead *policy.Bulkhead
	Budget   *policy.Budget
	Hedge    *policy.Hedge
	Retry    *policy.Retry
	Breaker  *policy.Breaker
	Timeout  *policy.TimeoutAfter
	Pool     *policy.Bulkhead
	Balance  *policy.Balance
}

// Kind is the policy's kind as a file names it; empty when there is none.
func (p Policy) Kind() string {
	for _, k := range kinds {
		if k.in(p) {
			return k.name
		}
	}
	return ""
}

// Called is the policy's name in a path such as
// services.b.calls.c.retry.attempts.
func (p Policy) Called() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Kind()
}

// clone copies the settings.
func (p Policy) clone() Policy {
	for _, k := range kinds {
		if k.in(p) {
			k.copy(&p)
		}
	}
	return p
}

func clonePolicies(in []Policy) []Policy {
	out := slices.Clone(in)
	for i := range out {
		out[i] = out[i].clone()
	}
	return out
}

// kind is all that is known of one kind of policy.
type kind struct {
	name  string
	in    func(Policy) bool
	copy  func(*Policy)                              // its settings, so that they are shared no more
	set   func(p *Policy, field, value string) error // one field; the policy is there
	check func(Policy) error                         // its error starts with the field
	state func(p Policy, to *Service) policy.Policy  // as the composer wants it, for one edge
}

// kinds lists them in their usual order, outermost first, which is where a
// setting adds one that a call lacks. A fallback sees every failure; a deadline
// bounds all attempts; a bulkhead holds its place over the retries; a budget is asked
// by the retries and hedges inside it; a breaker
// sees every attempt; a timeout bounds an attempt, with its wait for a connection.
var kinds = []kind{
	kindOf("fallback", func(p *Policy) **policy.Fallback { return &p.Fallback }, fallbackFields, checkFallback,
		func(f *policy.Fallback, _ *Service) policy.Policy { return f.New() }),
	kindOf("deadline", func(p *Policy) **policy.Within { return &p.Deadline }, deadlineFields, checkDeadline,
		func(w *policy.Within, _ *Service) policy.Policy { return w }),
	kindOf("adaptive", func(p *Policy) **policy.Adaptive { return &p.Adaptive }, adaptiveFields, checkAdaptive,
		func(a *policy.Adaptive, _ *Service) policy.Policy { return a.New() }),
	kindOf("bulkhead", func(p *Policy) **policy.Bulkhead { return &p.Bulkhead }, bulkheadFields, checkBulkhead,
		func(b *policy.Bulkhead, _ *Service) policy.Policy { return b.New() }),
	kindOf("budget", func(p *Policy) **policy.Budget { return &p.Budget }, budgetFields, checkBudget,
		func(b *policy.Budget, _ *Service) policy.Policy { return b.New() }),
	kindOf("hedge", func(p *Policy) **policy.Hedge { return &p.Hedge }, hedgeFields, checkHedge,
		func(h *policy.Hedge, _ *Service) policy.Policy { return h.New() }),
	kindOf("retry", func(p *Policy) **policy.Retry { return &p.Retry }, retryFields, checkRetry,
		func(r *policy.Retry, _ *Service) policy.Policy { return r }),
	kindOf("breaker", func(p *Policy) **policy.Breaker { return &p.Breaker }, breakerFields, checkBreaker,
		func(b *policy.Breaker, _ *Service) policy.Policy { return b.New() }),
	kindOf("timeout", func(p *Policy) **policy.TimeoutAfter { return &p.Timeout }, timeoutFields, checkTimeout,
		func(t *policy.TimeoutAfter, _ *Service) policy.Policy { return t }),
	kindOf("pool", func(p *Policy) **policy.Bulkhead { return &p.Pool }, bulkheadFields, checkBulkhead,
		func(b *policy.Bulkhead, _ *Service) policy.Policy { return b.New() }),
	kindOf("balance", func(p *Policy) **policy.Balance { return &p.Balance }, balanceFields, checkBalance,
		func(b *policy.Balance, to *Service) policy.Policy {
			with := *b
			with.Hosts = to.replicas()
			return with.New()
		}),
}

// kindOf describes a kind by where its settings lie in a Policy.
func kindOf[T any](name string, at func(*Policy) **T, fields []field[T], check func(T) error, state func(*T, *Service) policy.Policy) kind {
	return kind{
		name: name,
		in:   func(p Policy) bool { return *at(&p) != nil },
		copy: func(p *Policy) { c := **at(p); *at(p) = &c },
		set: func(p *Policy, name, value string) error {
			if *at(p) == nil {
				*at(p) = new(T)
			}
			return setField(*at(p), fields, name, value)
		},
		check: func(p Policy) error {
			if err := check(**at(&p)); err != nil {
				return fmt.Errorf("%s.%w", name, err)
			}
			return nil
		},
		state: func(p Policy, to *Service) policy.Policy { return state(*at(&p), to) },
	}
}

func kindNamed(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

func kindNames() string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// rank is the usual place of a kind, from the outside.
func rank(name string) int {
	return slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
}

// Stack makes the call's policies as the composer wants them, outermost first,
// for one edge of a topology: they hold what the calls of that edge share. A
// callee with replicas is called by way of a balancer, innermost unless the call
// says where.
func (c Call) Stack(t *Topology) []policy.Policy {
	to := t.Service(c.To)
	stack := make([]policy.Policy, 0, len(c.Policies)+1)
	balanced := to.replicas() == 1
	for _, p := range c.Policies {
		k := kindNamed(p.Kind())
		stack = append(stack, t.only(p.Route, k.state(p, to)))
		balanced = balanced || p.Balance != nil
	}
	if !balanced {
		stack = append(stack, policy.Balance{Hosts: to.replicas(), Law: to.Balance}.New())
	}
	return stack
}

// only narrows a policy to the requests it is for.
func (t *Topology) only(route string, p policy.Policy) policy.Policy {
	if route == "" {
		return p
	}
	name, except := strings.CutPrefix(route, "!")
	return &policy.Only{Policy: p, Route: t.Route(name), Except: except}
}

// Shares reports whether calls of different clients meet in the call's policies.
func (c Call) Shares(t *Topology) bool {
	to := t.Service(c.To)
	if to.replicas() > 1 && to.Balance != policy.Random && !slices.ContainsFunc(c.Policies, func(p Policy) bool { return p.Balance != nil }) {
		return true // by the balancer that Stack adds
	}
	for _, p := range c.Policies {
		switch p.Kind() {
		case "retry", "timeout", "deadline":
		case "budget":
			if !p.Budget.PerClient {
				return true
			}
		case "balance":
			if p.Balance.Law != policy.Random && to.replicas() > 1 {
				return true
			}
		default:
			return true
		}
	}
	return false
}
