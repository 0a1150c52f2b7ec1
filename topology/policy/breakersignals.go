package policy

import "slices"

// BreakerStatus is a state of a circuit breaker.
type BreakerStatus uint8

// The states.
const (
	Closed   BreakerStatus = iota // everything passes
	Open                          // everything is rejected
	HalfOpen                      // a few probes pass
)

// String is the state in one word.
func (s BreakerStatus) String() string {
	return [...]string{"closed", "open", "half-open"}[s]
}

// BreakerSignals is what a breaker saw, of all its keys together. Of the calls
// that it admitted, each ends as one of successes, failures, cancelled, ignored
// and stale; the rest is in flight.
type BreakerSignals struct {
	Admitted                                          int64 // calls let through, probes included
	Successes, Failures, Timeouts, Cancelled, Ignored int64 // outcomes; a timeout is a failure as well
	Stale                                             int64 // outcomes from before the last change of state, dropped
	Rejected                                          int64
	WouldReject                                       int64           // in observe mode; these are admitted all the same
	Probes                                            int64           // admitted while half-open
	Changes                                           []BreakerChange // in order, the first 10,000
	MoreChanges                                       int64           // that followed
	Status                                            BreakerStatus   // of the last key that changed; of all keys if Forced
	ProbesInFlight                                    int             // while half-open
	OldestProbe                                       Instant         // when the oldest of them began
}

// mostChanges bounds the list of a breaker that flaps for hours: 240 kB.
const mostChanges = 10_000

// BreakerChange is a change of state. A breaker becomes half-open with the call
// that is its first probe, so At may be later than the end of OpenFor.
type BreakerChange struct {
	At  Instant
	Key int // replica or route; 0 where all share one
	To  BreakerStatus
}

// Signals is what it saw so far. A breaker that is half-open with all permits
// taken since OldestProbe is stuck: put a timeout inside it.
func (s *BreakerState) Signals() BreakerSignals {
	g := s.signals
	g.Changes = slices.Clip(g.Changes) // may be appended to by the reader
	switch s.Forced {
	case ForcedOpen:
		g.Status = Open
	case ForcedClosed:
		g.Status = Closed
	}
	for i := range s.circuits {
		probes := s.circuits[i].probes
		if len(probes) > 0 && (g.ProbesInFlight == 0 || probes[0] < g.OldestProbe) {
			g.OldestProbe = probes[0]
		}
		g.ProbesInFlight += len(probes)
	}
	return g
}

// changed notes a change of state.
func (g *BreakerSignals) changed(c BreakerChange) {
	g.Status = c.To
	if len(g.Changes) < mostChanges {
		g.Changes = append(g.Changes, c)
	} else {
		g.MoreChanges++
	}
}

// finding is what an outcome says about the service.
type finding uint8

const (
	wentWell finding = iota
	wentBadly
	callerLeft  // says nothing: nobody waited for it
	saysNothing // was told to be ignored
)

// find judges an outcome. A call that was rejected further inside did not ask
// the service. A fallback's answer went well, since no filter can name it: it is
// what its owner chose to be content with.
func (s *Breaker) find(o Outcome) finding {
	switch {
	case o.Kind == Cancelled:
		return callerLeft
	case o.Kind == Rejected, s.Ignore.given && s.Ignore.Has(o):
		return saysNothing
	case s.Fail.Has(o):
		return wentBadly
	}
	return wentWell
}

// count adds an outcome to the counters.
func (g *BreakerSignals) count(what finding, o Outcome) {
	switch what {
	case wentWell:
		g.Successes++
	case callerLeft:
		g.Cancelled++
	case saysNothing:
		g.Ignored++
	case wentBadly:
		g.Failures++
		if o.Kind == Timeout {
			g.Timeouts++
		}
	}
}
