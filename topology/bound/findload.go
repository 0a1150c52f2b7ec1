package bound

import (
	"fmt"
	"math"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// overloaded finds services that carry an open loop by itself and not with the
// retries of it: there an outage that has begun need not end. The load that is
// safe is the capacity ÷ what retries make of a request.
func (v *view) overloaded() (found []Finding) {
	rate := v.perSecond()
	if rate == 0 || v.t.Load.Rate.Workers > 0 { // a bound on what is in flight ends it
		return nil
	}
	once, worst := make([]float64, len(v.t.Services)), make([]float64, len(v.t.Services))
	once[0], worst[0] = rate, rate
	for i, e := range v.edges {
		share := 1.0
		if e.Chance > 0 {
			share = float64(e.Chance) / 1e6
		}
		once[e.To] += once[e.From] * share
		worst[e.To] += worst[e.From] * share * v.grows(i, worst[e.From]*share)
	}
	for i := range v.t.Services {
		s := &v.t.Services[i]
		can := v.capacity(s)
		if can == 0 || s.Drop != topology.DropNone || s.Queue != 0 || once[i] >= can || worst[i] <= can {
			continue
		}
		found = append(found, Finding{"retries-exceed-capacity", "services." + s.Name, fmt.Sprintf(
			"it can do %.4g/s, and retries may make %.4g/s of a load of %.4g/s, so that an outage may not end by itself: load it with at most %.4g/s, or bound the retries by a budget",
			can, worst[i], once[i], can*once[i]/worst[i]), Warning})
	}
	return found
}

// grows is what a call makes of each request at most, by what is certain: policies
// that may hold retries back by what they see count as if they held back all.
func (v *view) grows(edge int, rate float64) float64 {
	n := float64(v.attempts[edge])
	for _, p := range v.stacks[edge] {
		switch b := p.Budget; {
		case p.Breaker != nil, p.Adaptive != nil, limitOf(p) != nil:
			return 1
		case b == nil || v.attempts[edge] == 1:
		case b.Law == policy.Deposit:
			full := b.New().Budget
			n = min(n, 1+float64(full.Ratio)/1000+float64(full.Floor)/rate)
		case b.Law == policy.PerRequest:
			n = min(n, 1+float64(b.New().Ratio)/1000)
		default:
			return 1
		}
	}
	return n
}

// capacity is how many requests a service can do per second; 0: no limit, or one
// that is not known.
func (v *view) capacity(s *topology.Service) float64 {
	if s.Workers == 0 || len(s.Routes) > 0 || len(s.Calls) > 0 {
		return 0
	}
	mean := meanOf(&s.Time)
	if mean <= 0 {
		return 0
	}
	return float64(s.Workers) * float64(max(1, s.Replicas)) * float64(time.Second) / mean
}

// meanOf is the mean of a distribution, in nanoseconds.
func meanOf(d *topology.Distribution) float64 {
	switch d.Shape {
	case topology.UniformTime:
		return (float64(d.A) + float64(d.B)) / 2
	case topology.LogNormal:
		return float64(d.A) * math.Exp(d.Sigma*d.Sigma/2)
	case topology.Empirical:
		sum := 0.0
		for _, x := range d.Values {
			sum += float64(x)
		}
		return sum / float64(len(d.Values))
	}
	return float64(d.A)
}
