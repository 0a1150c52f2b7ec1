package bound

import (
	"slices"
	"time"

	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// timeOf is the service time for the route of a view.
func (v *view) timeOf(s *topology.Service) *topology.Distribution {
	if r := v.routeOf(s); r != nil && !r.Time.IsZero() {
		return &r.Time
	}
	return &s.Time
}

func (v *view) routeOf(s *topology.Service) *topology.RouteOf {
	for i := range s.Routes {
		if s.Routes[i].Route == v.route {
			return &s.Routes[i]
		}
	}
	return nil
}

// longest is the longest time that a distribution draws.
func longest(d *topology.Distribution) time.Duration {
	switch d.Shape {
	case topology.UniformTime:
		return d.B
	case topology.Empirical:
		return slices.Max(d.Values)
	case topology.Exponential, topology.LogNormal:
		if d.A > 0 {
			return Unbounded
		}
	}
	return d.A
}

// shortest is the shortest time that a distribution draws.
func shortest(d *topology.Distribution) time.Duration {
	switch d.Shape {
	case topology.Empirical:
		return slices.Min(d.Values)
	case topology.Exponential, topology.LogNormal:
		return 0
	}
	return d.A
}

// waitsForKey is the mode in which a request waits for another, as a file names it.
const waitsForKey = "reserve-and-wait"

// busy is how long a service that answers takes for a request, without its calls
// and its queue: its time, what its fault programs add, and all the time in which
// it is slow or stands still.
func (v *view) busy(s *topology.Service) time.Duration {
	if v.t.Load.Key && s.Idempotency.String() == waitsForKey {
		return Unbounded // for another of the same key
	}
	d := longest(v.timeOf(s))
	added := time.Duration(0)
	for _, text := range v.faultsOf(s) {
		added = max(added, faultTime(text))
	}
	for _, w := range s.Speed {
		if w.Percent < 100 || w.To != 0 && w.To < 100 {
			added = add(added, w.Until-w.From)
		}
	}
	return add(d, added)
}

// faultsOf lists the fault programs that a request may meet.
func (v *view) faultsOf(s *topology.Service) []string {
	if r := v.routeOf(s); r != nil && r.Fault != "" {
		return []string{r.Fault}
	}
	faults := []string{s.Fault}
	for _, r := range s.Replica {
		if r.Fault != "" {
			faults = append(faults, r.Fault)
		}
	}
	return faults
}

// faultTime is the longest that a fault program adds to an answer.
func faultTime(text string) (most time.Duration) {
	for _, step := range stepsOf(text) {
		over := time.Duration(0)
		if step.Kind == program.Slow {
			if over = step.Over; over == 0 {
				over = program.DefaultOver
			}
		}
		delay := max(step.Delay, min(longest(&step.Drawn), program.MaxDelay))
		if step.Kind.Seen() == program.SeenNothing {
			delay = Unbounded
		}
		most = max(most, add(delay, over))
	}
	return most
}

// stepsOf reads a program that was found valid.
func stepsOf(text string) []program.Step {
	if text == "" {
		return nil
	}
	p, err := program.Parse(text)
	if err != nil {
		return nil
	}
	return p.Steps
}

// queued adds the longest wait in a service's queue to the time of a request: so
// many are in front of it, and each worker ends one within that time.
func queued(s *topology.Service, each time.Duration) time.Duration {
	workers := s.Workers
	for _, r := range s.Routes {
		if r.Workers > 0 && (workers == 0 || r.Workers < workers) {
			workers = r.Workers
		}
	}
	switch {
	case workers == 0 || s.Queue == topology.Full:
		return each
	case s.Queue == 0 || s.Order != topology.FIFO:
		return Unbounded
	}
	turns := (s.Queue + workers - 1) / workers
	return mul(each, int64(turns)+1)
}

// asked is the longest Retry-After that the file lets the callee send, where the
// retry obeys. It counts as an answer of its own: a gateway does not pass it on.
func (v *view) asked(edge int, r *policy.Retry) (most time.Duration) {
	if r.RetryAfter != policy.Obey {
		return 0
	}
	e := v.edges[edge]
	from, to := &v.t.Services[e.From], &v.t.Services[e.To]
	for _, text := range v.faultsOf(to) {
		for _, step := range stepsOf(text) {
			switch {
			case step.RawRetryAfter != "":
				wait, _ := policy.ParseRetryAfter(step.RawRetryAfter, time.Unix(0, 0)) // a date has spaces, and a program none
				most = max(most, wait)
			case step.Kind == program.Throttle:
				n := time.Duration(step.Rate.N)
				most = max(most, wholeSeconds((step.Rate.Per+n-1)/n)) // for the next token
			case step.RetryAfterDate: // rounded up to a second, and read off another clock
				most = max(most, add(step.RetryAfter+time.Second, max(0, to.Skew-from.Skew)))
			default:
				most = max(most, step.RetryAfter)
			}
		}
	}
	return most
}

func wholeSeconds(d time.Duration) time.Duration {
	return (d + time.Second - 1) / time.Second * time.Second
}
