package sim

import (
	"fmt"

	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// plan is a topology worked out for the engine.
type plan struct {
	topo   topology.Topology
	edges  []topology.Edge
	calls  []calls    // of the services, the client first
	faults []programs // of the services behind the client
	until  policy.Instant
}

// programs are the fault programs of one service.
type programs struct {
	own      program.Program
	routes   []*program.Program // by number of the route; nil: the service's own
	replicas []*program.Program // likewise by replica
}

// all lists them.
func (p programs) all() []program.Program {
	list := []program.Program{p.own}
	for _, other := range append(p.routes[:len(p.routes):len(p.routes)], p.replicas...) {
		if other != nil {
			list = append(list, *other)
		}
	}
	return list
}

func newPlan(t topology.Topology) (*plan, error) {
	p := &plan{topo: t, edges: t.Edges(), until: policy.Never}
	if len(p.edges) > MaxCalls {
		return nil, fmt.Errorf("services: %d calls in all are over the limit of %d", len(p.edges), MaxCalls)
	}
	p.calls = callsOf(t.Services)
	if t.Run.Until > 0 {
		p.until = policy.Instant(t.Run.Until)
	}
	for _, s := range t.Services[1:] {
		f, err := p.programsOf(s)
		if err != nil {
			return nil, fmt.Errorf("services.%s.%w", s.Name, err)
		}
		p.faults = append(p.faults, f)
	}
	return p, nil
}

func (p *plan) programsOf(s topology.Service) (f programs, err error) {
	text := s.Fault
	if text == "" {
		text = "ok"
	}
	if f.own, err = program.Parse(text); err != nil {
		return f, fmt.Errorf("fault: %w", err)
	}
	if len(s.Routes) > 0 {
		f.routes = make([]*program.Program, len(p.topo.Routes()))
	}
	for _, r := range s.Routes {
		if f.routes[p.topo.Route(r.Route)], err = parseOverride(r.Fault); err != nil {
			return f, fmt.Errorf("routes.%s.fault: %w", r.Route, err)
		}
	}
	for i, r := range s.Replica {
		other, err := parseOverride(r.Fault)
		if err != nil {
			return f, fmt.Errorf("replica.%d.fault: %w", i, err)
		}
		f.replicas = append(f.replicas, other)
	}
	return f, nil
}

func parseOverride(text string) (*program.Program, error) {
	if text == "" {
		return nil, nil
	}
	p, err := program.Parse(text)
	return &p, err
}

// independent reports whether the clients share nothing: no capacity, no place
// in a fault program, no state of a policy. Each can then be run to its end
// alone. An idempotency key is one client's own, so what a service remembers of
// it is no reason to meet, as long as it remembers all.
func (p *plan) independent() bool {
	if p.topo.Load.Open() {
		return false
	}
	for i, s := range p.topo.Services {
		for _, c := range s.Calls {
			if c.Shares(&p.topo) {
				return false
			}
		}
		if i > 0 && (coupledBy(s) || !p.faults[i-1].stateless() || p.keyed(s) && !p.keysFit()) {
			return false
		}
	}
	return true
}

func coupledBy(s topology.Service) bool {
	for _, r := range s.Routes {
		if r.Workers > 0 {
			return true
		}
	}
	return s.Coupled()
}

func (p programs) stateless() bool {
	for _, f := range p.all() {
		if !f.Stateless() {
			return false
		}
	}
	return true
}

func (p programs) hangs() bool {
	for _, f := range p.all() {
		if f.Hangs() {
			return true
		}
	}
	return false
}

// straight reports whether an independent client can even do without a queue:
// nothing of it happens at the same time as anything else. That holds in a chain where
// every call has at most a retry, every answer comes, and the run has no end of
// its own. What differs between routes and replicas is left to the event loop.
func (p *plan) straight() bool {
	if !p.topo.IsChain() || p.until != policy.Never || len(p.topo.Routes()) > 1 {
		return false
	}
	for i, s := range p.topo.Services {
		for _, c := range s.Calls {
			if !onlyRetries(c) {
				return false
			}
		}
		if s.Replicas > 1 || len(s.Replica) > 0 || len(s.Routes) > 0 || p.keyed(s) || i > 0 && p.faults[i-1].hangs() {
			return false
		}
	}
	return true
}

// onlyRetries reports whether a call has no other policy than one retry, which
// looks at nothing but the attempt before.
func onlyRetries(c topology.Call) bool {
	switch len(c.Policies) {
	case 0:
		return true
	case 1:
		only := c.Policies[0]
		return only.Retry != nil && only.Retry.MaxElapsed == 0 && only.Route == ""
	}
	return false
}

// keyed reports whether a service looks at the keys that requests carry.
func (p *plan) keyed(s topology.Service) bool {
	return p.topo.Load.Key && s.Idempotency != idempotency.None
}

// extends reports whether jobs have an extra: some attempt carries a deadline, or
// some answer takes its time.
func (p *plan) extends() bool {
	for _, s := range p.topo.Services {
		for _, c := range s.Calls {
			for _, stacked := range c.Policies {
				if d := stacked.Deadline; d != nil && d.Mode != policy.Kept {
					return true
				}
				if t := stacked.Timeout; t != nil && t.Mode != policy.Kept {
					return true
				}
			}
		}
	}
	for _, f := range p.faults {
		for _, program := range f.all() {
			if hasSlow(program) {
				return true
			}
		}
	}
	return false
}

func hasSlow(p program.Program) bool {
	for _, step := range p.Steps {
		if step.Kind == program.Slow || step.Kind == program.Stall {
			return true
		}
	}
	return false
}

// keysFit reports whether a service remembers the key of every request. Where it does
// not, a client can find the place taken by another's.
func (p *plan) keysFit() bool {
	requests := int64(0)
	for _, h := range newHerds(&p.topo) {
		requests += topology.SatMul(int64(h.Clients), int64(h.requests))
	}
	return requests <= idempotency.MaxKeys
}
