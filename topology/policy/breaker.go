package policy

import "time"

// Breaker is the settings of a circuit breaker: it stops calling a service that
// fails, so that the service gets rest and the caller an answer at once. Put it
// inside a retry and it sees every attempt; outside, it sees only what is left
// when the retries are used up, and opens that much later.
//
// The zero value of a field is its default. See [Breaker.New].
type Breaker struct {
	Failures int           // opens after so many consecutive failures; 0: 5, unless Rate is set
	Rate     int           // opens at so many percent failures within Window; 0: not looked at
	Window   time.Duration // of Rate; with Failures, counts failures within it, consecutive or not; 0: 10 s for Rate
	Volume   int           // calls that Window must hold before Rate counts; 0: 20

	OpenFor   time.Duration // how long it rejects before it tries again; 0: 60 s
	Permits   int           // probes in flight at once while half-open; 0: 1
	Successes int           // good probes that close it; 0: as many as Permits

	Fail   Filter // outcomes that count as failures; the zero value is DefaultFailures
	Ignore Filter // outcomes that count as nothing at all; the zero value is none
	Per    Key    // one breaker for the edge, or one per replica or route

	Observe bool // counts what it would reject, and rejects nothing
	Forced  Forced
}

// Forced is a manual override.
type Forced uint8

// The overrides.
const (
	NotForced    Forced = iota
	ForcedOpen          // rejects everything
	ForcedClosed        // rejects nothing, whatever happens
)

// Key says what has a state of its own.
type Key uint8

// The keys.
const (
	PerEdge  Key = iota // all calls of the edge share one
	PerHost             // one per replica; put it inside a Balance
	PerRoute            // one per route
)

// of is the index of the state that a frame uses.
func (k Key) of(f *Frame) int {
	switch k {
	case PerHost:
		return int(f.host)
	case PerRoute:
		return int(f.route)
	}
	return 0
}

// BreakerStatus is a state of a circuit breaker.
type BreakerStatus uint8

// The states.
const (
	Closed BreakerStatus = iota
	Open
	HalfOpen
)

func (s BreakerStatus) String() string {
	return [...]string{"closed", "open", "half-open"}[s]
}

// BreakerSignals is what a breaker saw, of all its keys together.
type BreakerSignals struct {
	Successes, Failures, Timeouts, Cancelled, Ignored int64 // outcomes recorded; a timeout is a failure as well
	Stale                                             int64 // outcomes from before the last change of state, dropped
	Rejected                                          int64
	WouldReject                                       int64 // in observe mode
	Probes                                            int64 // admitted while half-open
	Changes                                           []BreakerChange
	Status                                            BreakerStatus // of the last key that changed
	ProbesInFlight                                    int           // while half-open
	OldestProbe                                       Instant       // when the oldest of them began
}

// BreakerChange is a change of state.
type BreakerChange struct {
	At  Instant
	Key int // replica or route; 0 where all share one
	To  BreakerStatus
}

// New returns a closed breaker for one edge.
func (s Breaker) New() *BreakerState { return &BreakerState{Breaker: s} }

// BreakerState is a breaker at work.
type BreakerState struct {
	Breaker
	signals BreakerSignals
}

// Signals is what it saw so far.
func (s *BreakerState) Signals() BreakerSignals { return s.signals }

// On implements [Policy].
func (s *BreakerState) On(f *Frame, ev Event, now Instant) Step { return passOn(ev) }

// passOn is a policy that does nothing.
func passOn(ev Event) Step {
	switch ev.Kind {
	case Start:
		return Step{Do: Call, Child: 1}
	case Done:
		return returned(ev.Outcome)
	}
	return returned(Failed(Cancelled))
}
