package policy

import "slices"

// BreakerState is a breaker at work.
type BreakerState struct {
	Breaker
	circuits []circuit // by key; grows on demand
	signals  BreakerSignals
}

// circuit is the state of one key.
type circuit struct {
	status     BreakerStatus
	generation int32   // grows with each change of status: outcomes of an older one are stale
	until      Instant // while open: the first call from then on is a probe

	run      int // consecutive failures, while closed
	failures lastFailures
	rate     failureRate

	good   int       // probes, while half-open
	probes []Instant // when those in flight began, oldest first; each holds a permit
}

// ticket is what a call was admitted as, kept in the frame's status. The
// generation it is valid for is in the frame's number, and when it began in rest.
type ticket = int16

const (
	asBystander ticket = iota // its outcome is counted, and moves no state
	asMember                  // of a closed circuit
	asProbe                   // of a half-open one; holds a permit
)

// On implements [Policy]. It never stops listening to its child, so whatever
// happens to a call that was admitted, Done comes once: the one place where
// permits come back. (In resilience4j an outcome that was ignored kept its permit,
// and the breaker stayed half-open for ever: resilience4j/resilience4j#544.)
func (s *BreakerState) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		return s.start(f, now)
	case Done:
		s.done(f, ev.Outcome, now)
		return returned(ev.Outcome)
	default:
		return returned(Failed(Cancelled))
	}
}

// start admits a call or not.
func (s *BreakerState) start(f *Frame, now Instant) Step {
	if !s.admits(f, now) {
		if !s.Observe {
			s.signals.Rejected++
			return returned(Failed(Rejected))
		}
		s.signals.WouldReject++ // and is a bystander: a real breaker would not hear of it
	}
	s.signals.Admitted++
	return Step{Do: Call, Child: 1}
}

// admits gives the frame its ticket. Time alone opens no circuit halfway, the
// first call after it does: a policy has no timer between calls.
func (s *BreakerState) admits(f *Frame, now Instant) bool {
	f.status = asBystander
	if s.Forced != NotForced {
		return s.Forced == ForcedClosed
	}
	key := s.Per.of(f)
	c := s.circuit(key)
	if c.status == Open && now >= c.until {
		s.change(key, HalfOpen, now)
	}
	switch {
	case c.status == Closed:
		f.status = asMember
	case c.status == HalfOpen && len(c.probes) < s.Permits:
		f.status = asProbe
		f.rest = now.Sub(0)
		c.probes = append(c.probes, now)
		s.signals.Probes++
	default:
		return false
	}
	f.number = c.generation
	return true
}

// circuit finds the state of a key. The pointer is good until the next one is
// asked for.
func (s *BreakerState) circuit(key int) *circuit {
	for key >= len(s.circuits) {
		s.circuits = append(s.circuits, circuit{})
	}
	return &s.circuits[key]
}

// done hears how an admitted call ended.
func (s *BreakerState) done(f *Frame, o Outcome, now Instant) {
	what := s.find(o)
	if f.status == asBystander {
		s.signals.count(what, o)
		return
	}
	key := s.Per.of(f)
	c := s.circuit(key)
	if f.number != c.generation {
		s.signals.Stale++
		return
	}
	if f.status == asProbe {
		c.release(Instant(f.rest))
	}
	s.signals.count(what, o)
	if s.Forced == NotForced && (what == wentWell || what == wentBadly) {
		s.record(key, what == wentBadly, now)
	}
}

// release takes back the permit of a probe that began then.
func (c *circuit) release(began Instant) {
	if i := slices.Index(c.probes, began); i >= 0 {
		c.probes = slices.Delete(c.probes, i, i+1)
	}
}

// record moves the state by a success or a failure of the current generation.
func (s *BreakerState) record(key int, failed bool, now Instant) {
	c := s.circuit(key)
	switch {
	case c.status == Closed:
		if c.trips(&s.Breaker, failed, now) {
			s.change(key, Open, now)
		}
	case failed:
		s.change(key, Open, now)
	default:
		if c.good++; c.good >= s.Successes {
			s.change(key, Closed, now)
		}
	}
}

// trips notes an outcome of a closed circuit and reports whether it opens.
func (c *circuit) trips(s *Breaker, failed bool, now Instant) bool {
	if s.Rate > 0 && s.tooMany(c.rate.add(now, failed, s.Window)) {
		return true
	}
	if !failed {
		c.run = 0
		return false
	}
	if s.Rate <= 0 && s.Window > 0 {
		return c.failures.add(now, s.Failures, s.Window)
	}
	c.run++
	return s.Failures > 0 && c.run >= s.Failures
}

// tooMany compares the failures among so many calls with the rate. A success may
// be the call that completes the volume.
func (s *Breaker) tooMany(calls, failures int64) bool {
	return calls >= int64(s.Volume) && 100*failures >= int64(s.Rate)*calls
}

// change begins a new generation, which knows nothing of what was before. Probes
// of an older one hold no permit of it: one that hangs must not take the place of
// the next.
func (s *BreakerState) change(key int, to BreakerStatus, now Instant) {
	c := s.circuit(key)
	c.status = to
	c.generation++
	c.run, c.good, c.probes = 0, 0, c.probes[:0]
	c.failures.clear()
	c.rate.clear()
	if to == Open {
		c.until = now.Add(s.OpenFor)
	}
	s.signals.changed(BreakerChange{At: now, Key: key, To: to})
}
