package sim

import (
	"labctl/faultserver/program"
	"labctl/topology/policy"
)

// floors are the instants before which a call to the tail was asked not to come
// again, by who makes it: there is one such call of each.
type floors struct {
	requests, jobs []policy.Instant
}

// asks reports whether any answer asks for that.
func (p programs) asks() bool {
	for _, f := range p.all() {
		for _, step := range f.Steps {
			if step.Kind == program.Throttle || step.RetryAfter > 0 || step.RawRetryAfter != "" {
				return true
			}
		}
	}
	return false
}

func (f *floors) of(outer bool) *[]policy.Instant {
	if outer {
		return &f.requests
	}
	return &f.jobs
}

// newFloor forgets what the caller's last call was told.
func (e *engine) newFloor(over, caller int32) {
	list := e.floors.of(over < e.outer)
	for int(caller) >= len(*list) {
		*list = append(*list, 0)
	}
	(*list)[caller] = 0
}

func (e *engine) floorOf(over, caller int32) *policy.Instant {
	return &(*e.floors.of(over < e.outer))[caller]
}

// isEarly reports whether a hit comes before its time.
func (e *engine) isEarly(j *job) bool {
	over := int32(j.edge)
	return e.edges[over].heeded && e.now < *e.floorOf(over, j.caller)
}
