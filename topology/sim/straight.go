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
	retry   *policy.Retry
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
	for n := range s.load.PerClient(s.load.Herd) {
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
		s.out.Begun(0)
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
	below := luck.Over(l.id)
	var rest time.Duration
	for n := 1; ; n++ {
		here := below.Attempt(n)
		o, end := s.attempt(layer, here, first && n == 1, at)
		var then policy.Verdict
		rest, then = l.retry.Judge(n, rest, o, s.repeatable, here)
		if then == policy.GiveUp {
			return o, end
		}
		if at = end.Add(rest); then == policy.RestInVain {
			s.out.Wasted(layer, 1)
			return o, at
		}
	}
}

// attempt follows one attempt to a service and back.
func (s *straight) attempt(layer int, luck policy.Luck, first bool, at policy.Instant) (policy.Outcome, policy.Instant) {
	if s.over(at) {
		return nothing, at
	}
	s.out.Sent(layer, 1)
	latency := &s.layers[layer].latency
	if latency.IsZero() {
		return s.serve(layer, luck, first, at)
	}
	at = at.Add(drawTime(latency, luck, policy.ForRequest))
	o, end := s.serve(layer, luck, first, at)
	return o, end.Add(drawTime(latency, luck, policy.ForAnswer))
}

// nothing is the outcome of what does not happen any more. No retry follows it.
var nothing = policy.Failed(policy.Cancelled)

// over reports whether nothing happens any more: at the end of time, and after
// an interrupt. However many attempts are left then, none takes long.
func (s *straight) over(at policy.Instant) bool {
	if s.steps++; s.steps%checkEvery == 0 {
		s.look()
	}
	return at == policy.Never || s.stopped
}

func (s *straight) look() { s.stopped = s.stopped || s.stop() }

// serve is one request at a service.
func (s *straight) serve(layer int, luck policy.Luck, first bool, at policy.Instant) (policy.Outcome, policy.Instant) {
	if at == policy.Never {
		return nothing, at
	}
	svc := &s.layers[layer].service
	s.out.arrive(layer, luck, at, first)
	met := svc.always
	if !svc.constant {
		met = svc.fault("", luck, at)
	}
	if met.kind == program.Refuse {
		return met.outcome, at
	}
	end := svc.finish(at, drawTime(&svc.Time, luck, policy.ForService)+met.delay)
	switch {
	case end == policy.Never:
		return nothing, end
	case met.forward:
		o, end := s.call(layer+1, luck, first, end)
		return gateway(o), end
	case met.kind == program.OK && !svc.calls:
		s.effects++
		s.out.Effect(s.effects)
	}
	return met.outcome, end
}

// drawTime draws from a distribution, and spares the hash where it is constant.
func drawTime(d *topology.Distribution, l policy.Luck, p policy.Purpose) time.Duration {
	if d.Shape == topology.Constant {
		return d.A
	}
	return drawLuck(d, l, p)
}

func drawLuck(d *topology.Distribution, l policy.Luck, p policy.Purpose) time.Duration {
	return d.Draw(l.Draw(p))
}
