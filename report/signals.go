package report

// The signals that a layer is watched by. They stand with the layer that has the
// policy, which is the caller; time and queue with the service.

// TimeShare says where the time of a journey goes: the mean per logical request
// of the client. What a layer waits for below is not its own. Work that goes on when
// nobody waits any more, or side by side, is counted in full.
type TimeShare struct {
	TotalMS float64 `json:"total_ms"`         // waiting for this layer, all attempts together
	OwnMS   float64 `json:"own_ms"`           // less what it waited for itself: its work, queues and rests
	Share   float64 `json:"share"`            // of OwnMS in that of all layers
	Budget  float64 `json:"budget,omitempty"` // of OwnMS in the deadline or timeout of the client, where there is one
}

// Breaker is what a circuit breaker saw.
type Breaker struct {
	Status      string          `json:"status"` // closed, open, half-open, stuck half-open
	Successes   int64           `json:"successes"`
	Failures    int64           `json:"failures"`
	Timeouts    int64           `json:"timeouts"` // of the failures
	Cancelled   int64           `json:"cancelled"`
	Ignored     int64           `json:"ignored"`
	Stale       int64           `json:"stale"` // outcomes from before the last change of state
	Rejected    int64           `json:"rejected"`
	WouldReject int64           `json:"would_reject"` // in observe mode
	Probes      int64           `json:"probes"`
	Opened      int64           `json:"opened"`                 // how often it opened
	MoreChanges int64           `json:"more_changes,omitempty"` // beyond the 10 000 that opened counts
	OpenedMS    float64         `json:"opened_ms,omitempty"`    // when it opened first
	Changes     []BreakerChange `json:"changes,omitempty"`      // the first hundred
	Note        string          `json:"note,omitempty"`
}

// BreakerChange is a change of state.
type BreakerChange struct {
	AtMS float64 `json:"at_ms"`
	Key  int     `json:"key,omitempty"` // replica or route
	To   string  `json:"to"`
}

// Bulkhead is what a bulkhead, a pool or a queue in front of workers saw. Watch
// waiting and the time in queue: a pool runs dry without a single error.
type Bulkhead struct {
	Limit         int     `json:"limit"`
	InUse         int     `json:"in_use"`  // most at once
	Waiting       int     `json:"waiting"` // most at once
	Leaked        int     `json:"leaked"`  // places still taken when nothing ran any more
	Admitted      int64   `json:"admitted"`
	Rejected      int64   `json:"rejected"`  // found the queue full
	TimedOut      int64   `json:"timed_out"` // waited too long
	Left          int64   `json:"left"`      // were cancelled while they waited
	Queued        int64   `json:"queued"`    // had to wait
	MeanQueueMS   float64 `json:"mean_queue_ms"`
	LongestWaitMS float64 `json:"longest_wait_ms"`
}

// Adaptive is what an adaptive limit did.
type Adaptive struct {
	Limit    int       `json:"limit"` // at the end
	Lowest   int       `json:"lowest"`
	Highest  int       `json:"highest"`
	Swings   int64     `json:"swings"` // turns from growing to shrinking
	Admitted int64     `json:"admitted"`
	Rejected int64     `json:"rejected"`
	Over     []LimitAt `json:"over,omitempty"` // the limit over time
}

// LimitAt is a limit from an instant on.
type LimitAt struct {
	AtMS  float64 `json:"at_ms"`
	Limit int     `json:"limit"`
}

// Fallback is what a fallback did.
type Fallback struct {
	Degraded  int64   `json:"degraded"`
	Missing   int64   `json:"missing"` // no answer was at hand, or none fresh enough
	MeanAgeMS float64 `json:"mean_age_ms"`
	OldestMS  float64 `json:"oldest_ms"`
}

// Route is the requests of the herds that ask for one thing.
type Route struct {
	Name     string   `json:"name"`
	Requests int64    `json:"requests"`
	Outcomes Outcomes `json:"outcomes"`
	Hits     int64    `json:"hits"` // at the tail
	// Of the requests that were answered well while the load lasted (load.for), where
	// it has an end.
	Done      int64     `json:"done"`
	RPS       float64   `json:"rps"` // Done per second of an open loop, else until the last of them
	MeanMS    float64   `json:"mean_ms"`
	LatencyMS Quantiles `json:"latency_ms"`
}

// Bound is the longest time that a call can take, by its policies alone: a
// timeout for each attempt and the rests between them.
type Bound struct {
	ExactMS   float64 `json:"exact_ms"`   // attempts × timeout + Σ rests
	ArticleMS float64 `json:"article_ms"` // retries × timeout + retries × longest rest, as the rule of thumb has it
}

// Budget is what a retry budget did.
type Budget struct {
	Requests   int64 `json:"requests"`
	Retries    int64 `json:"retries"`    // granted
	ByFloor    int64 `json:"by_floor"`   // of these: the share alone would not have allowed them
	Suppressed int64 `json:"suppressed"` // refused
}

// Hedge is what a hedge did.
type Hedge struct {
	Requests   int64 `json:"requests"`
	Hedged     int64 `json:"hedged"` // of these: with copies
	Copies     int64 `json:"copies"` // each is an attempt more
	Wins       int64 `json:"wins"`   // a copy answered first
	Suppressed int64 `json:"suppressed"`
}

// Balance is what a balancer left out.
type Balance struct {
	Ejections   int64 `json:"ejections"`
	MostEjected int   `json:"most_ejected"` // at one time
	Spared      int64 `json:"spared"`       // failures that would have led to one, but for the limit
}
