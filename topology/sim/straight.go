package sim

import (
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// straight runs a client that shares nothing without any queue, depth first: an
// attempt is followed down the chain to its outcome, and the policy is asked
// what comes next. The decisions are those of the same policies, and a test
// compares the result with that of the event loop bit for bit.
type straight struct {
	herds      []herdPlan
	end        policy.Instant // of the load
	seed       uint64
	repeatable bool
	layers     []straightLayer
	out        *tally
	effects    int64          // of the current request
	floor      policy.Instant // before which the current call to the tail was asked not to come again
	stop       func() bool    // asked now and then whether to go on
	steps      int
	stopped    bool
}

// straightLayer is a call and the service that it reaches.
type straightLayer struct {
	service service
	script  *script // the only one of the service
	met     fate    // of the current request, where that is not the same for all
	retry   *policy.Retry
	id      policy.EdgeID
	latency topology.Distribution
	skew    time.Duration // of the caller's clock
}

func newStraight(p *plan, out *tally) *straight {
	load := p.topo.Load
	s := &straight{herds: newHerds(&p.topo), end: lastBegin(load), seed: p.topo.Run.Seed, repeatable: repeatable(load), out: out}
	for i := range p.faults {
		from := p.topo.Services[i]
		c := from.Calls[0]
		l := straightLayer{service: newService(p, i), id: policy.NewEdgeID(from.Name, c.To), latency: c.Latency, skew: from.Skew}
		l.script = l.service.scripts[0]
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
	h := herdOf(s.herds, id)
	var at policy.Instant
	var last policy.Outcome
	for n := range h.requests {
		luck := policy.RootLuck(s.seed, uint64(id), uint64(n))
		if n > 0 {
			at = at.Add(h.pause(last, luck))
		} else {
			at = h.begins(luck)
		}
		if at >= s.end {
			return
		}
		s.effects = 0
		s.out.Begun(0)
		o, end := s.call(0, luck, true, at)
		switch {
		case s.stopped:
			s.out.cut(interrupted, 0, at, end)
			return
		case end == policy.Never:
			s.out.cut(drained, 0, at, end)
			return
		}
		s.out.ended(0, o, at, end)
		at, last = end, o
	}
}

// call makes a call over an edge and returns its outcome and when it is known.
func (s *straight) call(layer int, luck policy.Luck, first bool, at policy.Instant) (o policy.Outcome, end policy.Instant) {
	l := &s.layers[layer]
	below := luck.Over(l.id)
	var rest, took time.Duration
	made := int64(0)
	s.floor = 0
	for n := 1; ; n++ {
		here := below.Attempt(n)
		if s.over(at) {
			o, end = policy.Failed(policy.Cancelled), at
		} else {
			made++
			if o, end = s.attempt(layer, here, first && n == 1, at); end != policy.Never {
				took += time.Duration(end - at)
			}
		}
		var then policy.Verdict
		if rest, then = l.retry.Judge(n, rest, o, s.repeatable, here); then == policy.GiveUp {
			break
		}
		if at = end.Add(rest); then == policy.RestInVain {
			s.out.Note(layer, policy.WastedRest)
			end = at
			break
		}
	}
	s.out.Sent(layer, made)
	s.out.Took(layer, took)
	return o, end
}

// attempt follows one attempt to a service and back.
func (s *straight) attempt(layer int, luck policy.Luck, first bool, at policy.Instant) (policy.Outcome, policy.Instant) {
	l := &s.layers[layer]
	if l.latency.IsZero() {
		a, end := s.serve(layer, luck, first, at)
		if a.after != 0 {
			return s.receive(l, a, end)
		}
		return policy.Outcome{Kind: a.kind, Status: a.status}, end
	}
	a, end := s.serve(layer, luck, first, at.Add(drawTime(&l.latency, luck, policy.ForRequest)))
	return s.receive(l, a, end.Add(drawTime(&l.latency, luck, policy.ForAnswer)))
}

// receive is the outcome of an answer that comes at an instant. It may ask the
// caller not to come again before another.
func (s *straight) receive(l *straightLayer, a answer, at policy.Instant) (policy.Outcome, policy.Instant) {
	o := a.received(at, l.skew)
	if o.After > 0 {
		s.floor = max(s.floor, at.Add(o.After))
	}
	return o, at
}

// nothing is the outcome of what does not happen any more. No retry follows it.
var nothing = failed(policy.Cancelled)

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
func (s *straight) serve(layer int, luck policy.Luck, first bool, at policy.Instant) (answer, policy.Instant) {
	if at == policy.Never {
		return nothing, at
	}
	l := &s.layers[layer]
	s.out.arrive(layer, 0, luck, at, first)
	if at < s.floor && layer == len(s.layers)-1 {
		s.out.Early()
	}
	met := &l.script.always
	if !l.script.constant {
		l.met = l.script.fault("", luck, clock(at, l.service.Skew))
		met = &l.met
	}
	end := at
	if met.state&isRefused == 0 {
		end = l.service.finish(at, drawTime(&l.service.Time, luck, policy.ForService)+met.delay)
	}
	switch {
	case end == policy.Never:
		return nothing, end
	case met.state&isForward != 0:
		return s.forward(layer, met, luck, first, end)
	case met.state&isWork != 0:
		s.effects++
		s.out.Effect(s.effects)
	}
	if met.plain {
		return met.answer, end
	}
	return l.send(met, met.answer, end)
}

// forward is a request whose work is to call the next service.
func (s *straight) forward(layer int, met *fate, luck policy.Luck, first bool, at policy.Instant) (answer, policy.Instant) {
	a := met.answer
	o, end := s.call(layer+1, luck, first, at)
	if met.state&isPassing != 0 {
		below := gateway(o)
		a.kind, a.status = below.kind, below.status
	}
	if met.plain {
		return a, end
	}
	return s.layers[layer].send(met, a, end)
}

// send is an answer that says when to come again, or takes its time.
func (l *straightLayer) send(met *fate, a answer, at policy.Instant) (answer, policy.Instant) {
	if at = at.Add(met.over); a.after != 0 {
		a.after = a.after.sent(clock(at, l.service.Skew))
	}
	return a, at
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
