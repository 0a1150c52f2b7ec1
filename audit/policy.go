package audit

import "time"

// A Policy is what was inferred of a subject's retries. A field that could not be
// decided is empty, and Undecided says why.
type Policy struct {
	Attempts int  `json:"attempts"`           // of one request, the first included; 0: not decided
	AtLeast  bool `json:"at_least,omitempty"` // it was still at it when the probe's time was over

	On    []string `json:"on,omitempty"`     // what it tries again: words of a retry's filter
	NotOn []string `json:"not_on,omitempty"` // what it was seen to leave alone
	// OnlyWithRetryAfter are statuses that it tries again only where the answer asks for it.
	OnlyWithRetryAfter []string `json:"only_with_retry_after,omitempty"`

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
	BaseMS     float64       `json:"base_ms"`
	FirstMS    *float64      `json:"first_ms,omitempty"` // of the first retry, where it does not follow the rule: often 0
	Growth     string        `json:"growth"`             // fixed, linear, exponential; "" not decided
	Factor     float64       `json:"factor,omitempty"`   // of an exponential growth
	CapMS      float64       `json:"cap_ms,omitempty"`
	Jitter     string        `json:"jitter"`          // none, full, equal, decorrelated, 50%; "" not decided
	Order      string        `json:"order,omitempty"` // cap-then-jitter, jitter-then-cap; "" not decided or the same
	Confidence float64       `json:"confidence"`      // of the law, from 0 to 1
	Samples    int           `json:"samples"`         // gaps that it rests on
}

// RetryAfterRule is what the subject makes of Retry-After.
type RetryAfterRule struct {
	Seconds   string  `json:"seconds"`            // exact, floor, ignored, early, clamped, gives-up, not-decided
	Date      string  `json:"date,omitempty"`     // likewise
	EarlyMS   float64 `json:"early_ms,omitempty"` // how much too soon it came
	ClampMS   float64 `json:"clamp_ms,omitempty"` // the longest that it waits
	Malformed string  `json:"malformed,omitempty"`
	Huge      string  `json:"huge,omitempty"` // waits, overflow, clamped, ignored, gives-up
}

// Elapsed is a limit of the time of all attempts together.
type Elapsed struct {
	LimitMS float64 `json:"limit_ms"`
	Rule    string  `json:"rule"` // before-rest or after-rest, as in a lab's file; "" not decided
}

// Timeout is what the subject does to an attempt that is never answered.
type Timeout struct {
	LimitMS float64 `json:"limit_ms"`
	Spans   string  `json:"spans"` // attempt or call
}

// A MethodRule is whether a request with such a method is repeated.
type MethodRule struct {
	Method  string `json:"method"`
	Key     bool   `json:"key,omitempty"`
	Retried string `json:"retried"`          // yes, no, or the faults that it is retried on
	Bodies  string `json:"bodies,omitempty"` // whole, empty, partial: what the repetitions carry
}

// HiddenReplays are repetitions that the HTTP stack makes and no policy knows of.
type HiddenReplays struct {
	Faults  []string `json:"faults"`  // reset, close …
	Methods []string `json:"methods"` // GET, POST …
	Fresh   bool     `json:"fresh"`   // also on a connection that was never used before
	Times   int      `json:"times"`
}
