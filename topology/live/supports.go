package live

import (
	"fmt"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// maxWait is the longest Retry-After that a live run without an end sits out.
const maxWait = time.Hour

// Supports refuses what only virtual time has, with the field and the cure.
func Supports(t topology.Topology) error {
	if t.Fleet() {
		return fmt.Errorf("per_client: the clients of a live run are one process with one budget: use --engine sim")
	}
	for _, s := range t.Services {
		if wait := longestWait(s.Fault); wait > maxWait && t.Run.Until == 0 {
			return fmt.Errorf("services.%s.fault: it asks callers to wait for %v, and those that obey would: give the run an end (--until), or use --engine sim", s.Name, wait)
		}
		for _, r := range s.Routes {
			if faults, err := parseFaults(r.Fault); err == nil && faults.Refuses() {
				return fmt.Errorf("services.%s.routes.%s.fault: a port is closed to all routes or to none: use --engine sim, or reset", s.Name, r.Route)
			}
		}
	}
	return nil
}

// longestWait is the longest Retry-After of a fault program.
func longestWait(fault string) time.Duration {
	p, err := parseFaults(fault)
	if err != nil {
		return 0
	}
	var longest time.Duration
	epoch := time.Unix(0, 0)
	for _, step := range p.Steps {
		if wait, ok := policy.ParseRetryAfter(step.RetryAfterHeader(epoch), epoch); ok {
			longest = max(longest, wait)
		}
	}
	return longest
}
