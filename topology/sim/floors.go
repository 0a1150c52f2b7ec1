package sim

import (
	"labctl/faultserver/program"
	"labctl/topology/policy"
)

// floors are the instants before which a call to the tail was asked not to come
// again, where its answers ask for anything.
type floors struct {
	edge int16 // to the tail; none: nobody asks
	list []policy.Instant
}

func newFloors(p *plan) floors {
	last := len(p.faults) - 1
	for _, f := range p.faults[last].all() {
		for _, step := range f.Steps {
			if step.Kind == program.Throttle || step.RetryAfter > 0 || step.RawRetryAfter != "" {
				return floors{edge: int16(last)}
			}
		}
	}
	return floors{edge: int16(none)}
}

func (f *floors) has(edge int16) bool { return f.edge == edge }

// begin forgets what the caller's last call was told.
func (f *floors) begin(caller int32) {
	for int(caller) >= len(f.list) {
		f.list = append(f.list, 0)
	}
	f.list[caller] = 0
}

func (f *floors) raise(caller int32, to policy.Instant) { f.list[caller] = max(f.list[caller], to) }

// early reports whether a hit on the tail comes before its time.
func (f *floors) early(j *job, now policy.Instant) bool {
	return f.edge == int16(j.service) && now < f.list[j.caller]
}
