package topology

import (
	"slices"

	"labctl/topology/policy"
)

// Part is a piece of a topology whose fields have names and texts: what reads or
// writes a whole one, such as a file, goes through its parts. To change one field
// by its path, use [Topology.Set].
type Part interface {
	// Fields lists the fields in the order in which they are written. It is the
	// same for all parts of a kind, and not to be changed.
	Fields() []Field
	// Get is the text of a field, which Set reads back into the same value; empty
	// is a zero value that has no text, and every other name of a field.
	Get(name string) string
	// Set changes a field. What it refuses changes nothing.
	Set(name, value string) error
}

// Field is what is known of a field without its value.
type Field struct {
	Name  string // empty: the part itself may stand for it, as in timeout: 1s
	Same  string // the field that it is another name for; empty: none
	Shape Shape
}

// Part gives the load's own fields: those of its herds are parts of their own.
func (l *Load) Part() Part { return part[Load]{l, loadFields} }

// Part gives the herd's fields.
func (h *Herd) Part() Part { return part[Herd]{h, herdFields} }

// Part gives the run's fields.
func (r *Run) Part() Part { return part[Run]{r, runFields} }

// Part gives the service's own fields, without its calls, routes and replicas.
func (s *Service) Part() Part { return part[Service]{s, serviceFields} }

// Part gives the fields of the route.
func (r *RouteOf) Part() Part { return part[RouteOf]{r, routeFields} }

// Part gives the fields of the replica.
func (r *ReplicaOf) Part() Part { return part[ReplicaOf]{r, replicaFields} }

// Part gives the call's own fields, without its policies.
func (c *Call) Part() Part { return part[Call]{c, callFields} }

// Part gives the policy's settings, which depend on its kind, or nil for a policy
// of none. Name and Route are fields of every policy and not among them.
func (p *Policy) Part() Part {
	if of, ok := policyParts[p.Kind()]; ok {
		return of(p)
	}
	return nil
}

// Kinds lists the kinds of policy in their usual order, outermost first.
func Kinds() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// NewPolicy returns a policy of a kind, at its defaults, and whether there is
// such a kind.
func NewPolicy(kind string) (Policy, bool) {
	var p Policy
	of, ok := policyParts[kind]
	if ok {
		of(&p)
	}
	return p, ok
}

var policyParts = map[string]func(*Policy) Part{
	"fallback": partAt(func(p *Policy) **policy.Fallback { return &p.Fallback }, fallbackFields),
	"deadline": partAt(func(p *Policy) **policy.Within { return &p.Deadline }, deadlineFields),
	"adaptive": partAt(func(p *Policy) **policy.Adaptive { return &p.Adaptive }, adaptiveFields),
	"bulkhead": partAt(func(p *Policy) **policy.Bulkhead { return &p.Bulkhead }, bulkheadFields),
	"budget":   partAt(func(p *Policy) **policy.Budget { return &p.Budget }, budgetFields),
	"hedge":    partAt(func(p *Policy) **policy.Hedge { return &p.Hedge }, hedgeFields),
	"retry":    partAt(func(p *Policy) **policy.Retry { return &p.Retry }, retryFields),
	"breaker":  partAt(func(p *Policy) **policy.Breaker { return &p.Breaker }, breakerFields),
	"timeout":  partAt(func(p *Policy) **policy.TimeoutAfter { return &p.Timeout }, timeoutFields),
	"pool":     partAt(func(p *Policy) **policy.Bulkhead { return &p.Pool }, bulkheadFields),
	"balance":  partAt(func(p *Policy) **policy.Balance { return &p.Balance }, balanceFields),
}

// partAt gives the settings of one kind, and makes them where there are none.
func partAt[T any](at func(*Policy) **T, fields []field[T]) func(*Policy) Part {
	return func(p *Policy) Part {
		if *at(p) == nil {
			*at(p) = new(T)
		}
		return part[T]{*at(p), fields}
	}
}

// part is a T with its fields.
type part[T any] struct {
	of     *T
	fields []field[T]
}

func (p part[T]) Fields() []Field {
	out := make([]Field, len(p.fields))
	for i, f := range p.fields {
		out[i] = Field{Name: f.name, Same: f.of, Shape: f.shape}
	}
	return out
}

func (p part[T]) Get(name string) string {
	i := slices.IndexFunc(p.fields, func(f field[T]) bool { return f.name == name })
	if i < 0 {
		return ""
	}
	return p.fields[i].get(p.of)
}

func (p part[T]) Set(name, value string) error { return setField(p.of, p.fields, name, value) }
