package live

import (
	"fmt"

	"labctl/topology"
)

// Supports refuses what only virtual time has so far, with the field and the
// cure.
func Supports(t topology.Topology) error {
	const cure = "a live run has none so far: use --engine sim, or leave it out"
	for _, s := range t.Services {
		c := s.Capacity
		switch {
		case !c.Time.IsZero():
			return fmt.Errorf("services.%s.time: a service time: %s, or give the delay by the fault program", s.Name, cure)
		case c.Workers > 0:
			return fmt.Errorf("services.%s.workers: a limit of workers: %s", s.Name, cure)
		case c.Replicas > 1:
			return fmt.Errorf("services.%s.replicas: a balancer: %s", s.Name, cure)
		case c.Skew != 0 || len(c.Speed) > 0:
			return fmt.Errorf("services.%s: a skewed clock or a changing speed: %s", s.Name, cure)
		}
		for _, call := range s.Calls {
			if !call.Latency.IsZero() {
				return fmt.Errorf("services.%s.calls.%s.latency: a network latency: %s", s.Name, call.To, cure)
			}
		}
	}
	switch {
	case t.Load.Open():
		return fmt.Errorf("load.rate: an open loop: %s", cure)
	case !t.Load.Herd.Think.IsZero():
		return fmt.Errorf("load.herd.think: a think time: %s", cure)
	}
	return nil
}
