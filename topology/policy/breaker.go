package policy

import "time"

// Breaker is the settings of a circuit breaker: it stops calling a service that
// fails, so that the service gets rest and the caller an answer at once. Put it
// inside a retry and it sees every attempt; outside, it sees only what is left
// when the retries are used up, and opens that much later. Put it outside a
// timeout, and a service that hangs counts as failing; inside, the breaker hears
// of it only if the call ends after all.
//
// Failures alone counts in a row: for a service that is up or down. With Window
// it counts what lies within it, so that a trickle of successes does not hide the
// failures; but the busier the edge, the smaller a share of its calls that is.
// Rate is a share.
//
// The zero value of a field, or one below zero, is its default. See [Breaker.New].
type Breaker struct {
	Failures int           // opens after so many consecutive failures; 0: 5, unless Rate is set
	Rate     int           // opens at so many percent failures within Window, 1…100; 0: not looked at
	Window   time.Duration // of Rate; without Rate, Failures counts within it, consecutive or not; 0: 10 s for Rate
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

// The defaults, from what is widely used: 5 failures is Envoy's consecutive_5xx,
// 60 s and one probe are sony/gobreaker's, and 20 calls in 10 s are Hystrix's
// requestVolumeThreshold and rolling window.
const (
	defaultFailureCount = 5
	defaultWindow       = 10 * time.Second
	defaultVolume       = 20
	defaultOpenFor      = 60 * time.Second
	defaultPermits      = 1
)

// DefaultFailures is what a breaker takes as a sign that the service is not well:
// every 5xx, 429, and no answer that can be read. That is more than a retry
// repeats, see [DefaultFilter]: a 500 may not go away by itself, yet tells of the
// service. Other 4xx tell of the request, and count as successes.
func DefaultFailures() Filter {
	return mustFilter("5xx", "429", "timeout", "refused", "reset", "malformed")
}

// Forced is a manual override. It may be set while the breaker is at work: the
// state it finds then is the one that goes on when the override ends. Outcomes
// are counted meanwhile, and change nothing.
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

// New returns a closed breaker for one edge, with the defaults filled in.
func (s Breaker) New() *BreakerState {
	if s.Failures <= 0 && s.Rate <= 0 {
		s.Failures = defaultFailureCount
	}
	if s.Rate > 0 {
		s.Window = positiveOr(s.Window, defaultWindow)
	}
	s.Volume = positiveOr(s.Volume, defaultVolume)
	s.OpenFor = positiveOr(s.OpenFor, defaultOpenFor)
	s.Permits = positiveOr(s.Permits, defaultPermits)
	s.Successes = positiveOr(s.Successes, s.Permits)
	if !s.Fail.given { // whose own default is that of a retry
		s.Fail = DefaultFailures()
	}
	return &BreakerState{Breaker: s}
}

func positiveOr[T int | time.Duration](v, otherwise T) T {
	if v > 0 {
		return v
	}
	return otherwise
}
