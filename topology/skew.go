package topology

import "labctl/topology/policy"

// Carry is what a deadline says to a service when another has sent it: an instant
// is read off the one's clock and compared with the other's, so that it moves by
// the difference of the two. A duration needs no clocks that agree.
func Carry(d policy.Deadline, from, to *Service) policy.Deadline {
	if d.Mode == policy.Absolute {
		d.Value += int64(from.Skew - to.Skew)
	}
	return d
}
