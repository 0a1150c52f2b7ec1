package sim

import (
	"fmt"

	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// plan is a topology worked out for the engine.
type plan struct {
	topo   topology.Topology
	faults []program.Program // of the services behind the client
	until  policy.Instant
}

func newPlan(t topology.Topology) (*plan, error) {
	p := &plan{topo: t, until: policy.Never}
	if t.Run.Until > 0 {
		p.until = policy.Instant(t.Run.Until)
	}
	for _, s := range t.Services[1:] {
		text := s.Fault
		if text == "" {
			text = "ok"
		}
		f, err := program.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("services.%s.fault: %w", s.Name, err)
		}
		p.faults = append(p.faults, f)
	}
	return p, nil
}

// independent reports whether the clients share nothing: no capacity, no place
// in a fault program, no state of a policy. Each can then be run to its end
// alone.
func (p *plan) independent() bool {
	if p.topo.Load.Open() {
		return false
	}
	for i, s := range p.topo.Services[1:] {
		if s.Coupled() || !p.faults[i].Stateless() {
			return false
		}
	}
	return true
}

// straight reports whether an independent client can even do without a queue:
// nothing of it happens at the same time as anything else. That holds where
// every call has at most a retry, every answer comes, and the run has no end of
// its own.
func (p *plan) straight() bool {
	if p.until != policy.Never {
		return false
	}
	for i, s := range p.topo.Services {
		for _, c := range s.Calls {
			if len(c.Policies) > 1 || len(c.Policies) == 1 && c.Policies[0].Retry == nil {
				return false
			}
		}
		if i > 0 && p.faults[i-1].Hangs() {
			return false
		}
	}
	return true
}
