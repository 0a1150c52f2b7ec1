package audit

import "time"

// A Policy is what was inferred of a subject's retries. A field that could not be
// decided is empty, and Undecided says why.
type Policy struct {
	Attempts int  `json:"attempts"`           // of one request, the first included; 0: not decided
	AtLeast  bool `json:"at_least,omitempty"` // something ended it before a number did: the probe's time, its own limit of time, or a fault that passed

	On    []string `json:"on,omitempty"`     // what it tries again: words of a retry's filter
	NotOn []string `json:"not_on,omitempty"` // what it was seen to leave alone
	// OnlyWithRetryAfter are statuses that it tries again only where the answer asks for it.
	OnlyWithRetryAfter []string `json:"only_with_retry_after,omitempty"`
	// Exceptions are what the words above cannot say: a fault that has its own number of
	// attempts, or one of several behind a word that is treated otherwise.
	Exceptions []string `json:"exceptions,omitempty"`

	// Overlaps are faults on which attempts overlap: hedging or parallel requests, of which
	// none is taken for a retry.
	Overlaps []string `json:"overlaps,omitempty"`

	Rest       *Rest           `json:"rest,omitempty"`
	RetryAfter *RetryAfterRule `json:"retry_after,omitempty"`
	Elapsed    *Elapsed        `json:"elapsed,omitempty"`
	Timeout    *Timeout        `json:"timeout,omitempty"`
	Methods    []MethodRule    `json:"methods,omitempty"`
	Hidden     *HiddenReplays  `json:"hidden_replays,omitempty"`

	Undecided []string `json:"undecided,omitempty"`
}

// Rest is the wait between attempts.
type Rest struct {
	Base       time.Duration `json:"-"`
	BaseMS     float64       `json:"base_ms"`            // that of the rule after the first attempt
	FirstMS    *float64      `json:"first_ms,omitempty"` // of the first retry, where it does not follow the rule: often 0
	Growth     string        `json:"growth"`             // fixed, linear, exponential; "" not decided
	Factor     float64       `json:"factor,omitempty"`   // of an exponential growth; where Growth is not decided, second rest ÷ first
	CapMS      float64       `json:"cap_ms,omitempty"`   // where one was reached
	Jitter     string        `json:"jitter"`             // none, full, equal, decorrelated, 50%; "" not decided
	Order      string        `json:"order,omitempty"`    // cap-then-jitter, jitter-then-cap; "" not decided or the same
	LongestMS  float64       `json:"longest_ms"`         // that was seen
	Confidence float64       `json:"confidence"`         // of the law, from 0 to 1; 0 where there is none
	Samples    int           `json:"samples"`            // gaps that it rests on

	// Where the law is not decided and the gaps of one retry differ: the middle of those of
	// the first rest of the rule, and how far any were from the middle of theirs. Who must
	// simulate something takes these for base and jitter.
	MiddleMS      float64 `json:"middle_ms,omitempty"`
	SpreadPercent float64 `json:"spread_percent,omitempty"`
}

// RetryAfterRule is what the subject makes of Retry-After. Seconds and Date are exact
// (as long as asked, however long its own rest), floor (at least as long), ignored,
// early, clamped or gives-up; "" where it was not decided, or not asked.
type RetryAfterRule struct {
	Seconds   string  `json:"seconds"`
	Date      string  `json:"date,omitempty"`
	EarlyMS   float64 `json:"early_ms,omitempty"`  // how much too soon it came
	ClampMS   float64 `json:"clamp_ms,omitempty"`  // the longest that it waits
	Malformed string  `json:"malformed,omitempty"` // ignored, at-once, gives-up, waits; "" not decided
	Huge      string  `json:"huge,omitempty"`      // waits, overflow, clamped, ignored, gives-up; "" not decided
}

// Elapsed is a limit of the time of all attempts together.
type Elapsed struct {
	LimitMS float64 `json:"limit_ms"` // the roundest value between FromMS and ToMS
	FromMS  float64 `json:"from_ms"`  // what was seen allows no smaller limit
	ToMS    float64 `json:"to_ms"`    // and no larger one
	Rule    string  `json:"rule"`     // before-rest or after-rest, as in a lab's file; "" not decided
}

// Timeout is what the subject does to an attempt that is never answered.
type Timeout struct {
	LimitMS float64 `json:"limit_ms"`
	Spans   string  `json:"spans"` // attempt or call; "" not decided
}

// A MethodRule is whether a request with such a method is repeated.
type MethodRule struct {
	Method  string `json:"method"`
	Key     bool   `json:"key,omitempty"`
	Retried string `json:"retried"`          // yes, no, or the faults that it is retried on; "" not decided
	Bodies  string `json:"bodies,omitempty"` // whole, empty, partial: what the repetitions carry
}

// HiddenReplays are repetitions that the HTTP stack makes and no policy knows of.
type HiddenReplays struct {
	Faults  []string `json:"faults"`  // reset, close …
	Methods []string `json:"methods"` // GET, POST …
	Fresh   bool     `json:"fresh"`   // also on a connection that was never used before
	Times   int      `json:"times"`   // in one request, at most
}
