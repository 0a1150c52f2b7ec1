package sim

import (
	"time"

	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// straight runs a client that shares nothing without any queue, depth first: an
// attempt is followed down the chain to its outcome, and the policy is asked
// what comes next. The decisions are those of the same policies, and a test
// compares the result with that of the event loop bit for bit.
type straight struct {
	load       topology.Load
	seed       uint64
	repeatable bool
	layers     []straightLayer
	out        *tally
	effects    int64       // of the current request
	stop       func() bool // asked now and then whether to go on
	steps      int
	stopped    bool
}

// straightLayer is a call and the service that it reaches.
type straightLayer struct {
	service service
	retry   *policy.Retry // nil: a single attempt
	id      policy.EdgeID
	latency topology.Distribution
}

func newStraight(p *plan, out *tally) *straight {
	s := &straight{load: p.topo.Load, seed: p.topo.Run.Seed, repeatable: repeatable(p.topo.Load), out: out}
	for i, callee := range p.topo.Services[1:] {
		from := p.topo.Services[i]
		c := from.Calls[0]
		l := straightLayer{service: newService(callee, p.faults[i]), id: policy.NewEdgeID(from.Name, c.To), latency: c.Latency}
		if len(c.Policies) > 0 {
			l.retry = c.Policies[0].Retry
		} else {
			l.retry = &policy.Retry{Attempts: 1}
		}
		s.layers = append(s.layers, l)
	}
	return s
}

// client makes all requests of one client.
func (s *straight) client(id int) {
	var at policy.Instant
	for n := range s.load.Herd.PerClient() {
		luck := policy.RootLuck(s.seed, uint64(id), uint64(n))
		switch {
		case n > 0:
			at = at.Add(s.load.Herd.Think.Draw(luck.Draw(policy.ForThink)))
		case s.load.Herd.Smear > 0:
			at = policy.Instant(policy.Uniform(luck.Draw(policy.ForArrival), s.load.Herd.Smear))
		}
		if at == policy.Never {
			return
		}
		s.effects = 0
		s.out.Begun()
		o, end := s.call(0, luck, true, at)
		switch {
		case s.stopped:
			s.out.cut(interrupted, at, end)
			return
		case end == policy.Never:
			s.out.cut(drained, at, end)
			return
		}
		s.out.ended(o, at, end)
		at = end
	}
}

// call makes a call over an edge and returns its outcome and when it is known.
func (s *straight) call(layer int, luck policy.Luck, first bool, at policy.Instant) (policy.Outcome, policy.Instant) {
	l := &s.layers[layer]
	return l.retry.Walk(policy.Request{Luck: luck, Repeatable: s.repeatable}, l.id, at,
		func(n int, luck policy.Luck, at policy.Instant) (policy.Outcome, policy.Instant) {
			if s.over(at) {
				return nothing, at
			}
			s.out.Sent(layer, 1)
			at = at.Add(drawTime(l.latency, luck, policy.ForRequest))
			o, end := s.serve(layer, luck, first && n == 1, at)
			return o, end.Add(drawTime(l.latency, luck, policy.ForAnswer))
		})
}

// nothing is the outcome of what does not happen any more. No retry follows it.
var nothing = policy.Failed(policy.Cancelled)

// over reports whether nothing happens any more: at the end of time, and after
// an interrupt. However many attempts are left then, none takes long.
func (s *straight) over(at policy.Instant) bool {
	if s.steps++; s.steps&(checkEvery-1) == 0 && s.stop() {
		s.stopped = true
	}
	return at == policy.Never || s.stopped
}

// serve is one request at a service.
func (s *straight) serve(layer int, luck policy.Luck, first bool, at policy.Instant) (policy.Outcome, policy.Instant) {
	if at == policy.Never {
		return nothing, at
	}
	svc := &s.layers[layer].service
	s.out.arrive(layer, luck, at, first)
	a := svc.fault("", luck, at)
	if a.Kind == program.Refuse {
		return policy.Failed(policy.Refused), at
	}
	o, forward := svc.decide(a)
	end := svc.finish(at, drawTime(svc.Time, luck, policy.ForService)+a.Delay)
	if end == policy.Never {
		return nothing, end
	}
	if forward {
		o, end := s.call(layer+1, luck, first, end)
		return gateway(o), end
	}
	if layer == len(s.layers)-1 && a.Kind == program.OK {
		s.effects++
		s.out.Effect(s.effects)
	}
	return o, end
}

// drawTime draws from a distribution, and spares the hash where it is constant.
func drawTime(d topology.Distribution, l policy.Luck, p policy.Purpose) time.Duration {
	if d.Shape == topology.Constant {
		return d.A
	}
	return d.Draw(l.Draw(p))
}
