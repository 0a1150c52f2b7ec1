// Package report holds the result model of the lab and everything that is
// done with a result once it exists: folding hits into bins, comparing with a
// baseline, judging published figures, and rendering as a table, JSON, CSV,
// Markdown, JUnit or annotations of GitHub.
//
// A run folds what it saw into a [Result]; renderers only read it. Doubts about
// a number are [Warning] values in the result and are shown beside the number.
//
// Use [Table] for people, [Markdown] for a pull request, [WriteJSON] for programs
// and for later, [Measure] to ask a variant for one number by its name. [Compare]
// fails on any count that changed, an [Expect] only on what must stay true, and
// [Diff] tells all that changed and fails nothing. The package imports neither
// engine.
package report

// Schema names of the two JSON documents. Version 1 grows only by optional
// fields.
const (
	Schema     = "labctl/result/v1"
	SetSchema  = "labctl/results/v1"
	maxSamples = 100_000
)

// Set is several results in one document.
type Set struct {
	Schema  string   `json:"schema"`
	Results []Result `json:"results"`
}

// Result is what one scenario gave.
type Result struct {
	Schema   string    `json:"schema"`
	Scenario string    `json:"scenario"`
	Title    string    `json:"title,omitempty"` // one sentence, shown above the table
	Engine   string    `json:"engine"`          // live, sim or both
	Net      string    `json:"net"`             // tcp or pipe
	Seed     uint64    `json:"seed"`
	Labctl   string    `json:"labctl"`            // version of the program
	Command  string    `json:"command,omitempty"` // that gives this result again
	Partial  bool      `json:"partial,omitempty"` // interrupted: what was measured so far
	Variants []Variant `json:"variants"`
	Grids    []Grid    `json:"grids,omitempty"`
	Readings []Reading `json:"readings,omitempty"`
	Figures  []Figure  `json:"figures"`
	Findings []Finding `json:"findings"`
	Warnings []Warning `json:"warnings"`
	Repeats  *Repeats  `json:"repeats,omitempty"` // of --repeat
	// Expectations are how those of a file fared, see JudgeExpectations.
	Expectations []Verdict `json:"expectations,omitempty"`
}

// Variant is one run of a topology.
type Variant struct {
	Name          string     `json:"name"`
	Group         string     `json:"group,omitempty"` // shown as a cell of this grid instead of a row
	Engine        string     `json:"engine"`
	Requests      int64      `json:"requests"`          // logical requests of the outermost client
	Hits          int64      `json:"hits"`              // requests that the tail received
	Amplification float64    `json:"amplification"`     // hits ÷ requests
	Effects       int64      `json:"effects"`           // side effects that the tail performed
	ElapsedMS     float64    `json:"elapsed_ms"`        // release to the last outcome
	LoadMS        float64    `json:"load_ms,omitempty"` // how long the load lasted, where it has an end
	Layers        []Layer    `json:"layers"`            // client first, tail last
	Edges         []CallEdge `json:"edges,omitempty"`   // every call on its own, where the layers are no chain
	Outcomes      Outcomes   `json:"outcomes"`
	HitKinds      HitKinds   `json:"hit_kinds"`
	Abandoned     int64      `json:"abandoned"`
	EarlyHits     int64      `json:"early_hits,omitempty"` // before the instant that a Retry-After asked to wait for
	At            string     `json:"at,omitempty"`         // layer whose hits are binned, when not the tail
	BinMS         float64    `json:"bin_ms"`
	BinOffsetMS   float64    `json:"bin_offset_ms,omitempty"`
	Bins          []int64    `json:"bins"`
	Goodput       []int64    `json:"goodput,omitempty"`      // good answers to clients, in the same bins
	RecoveredMS   float64    `json:"recovered_ms,omitempty"` // start of the first bin from which on 4 of 10 requests are answered well; 0: always, -1: never
	FirstWave     int64      `json:"first_wave"`
	RetryBins     []int64    `json:"retry_bins"`           // same bins, the other hits only
	IdealBins     []int64    `json:"ideal_bins,omitempty"` // live only: the bins of the shadow in virtual time
	Waves         []int64    `json:"waves"`
	Peak          int64      `json:"peak"`
	RetryPeak     int64      `json:"retry_peak"`
	Peak100MS     int64      `json:"peak_100ms"` // fullest window of 100 ms that starts at a multiple of 100 ms
	LatencyMS     Quantiles  `json:"latency_ms"`
	Routes        []Route    `json:"routes,omitempty"`    // where herds ask for different things
	SpreadMS      *Spread    `json:"spread_ms,omitempty"` // live only
	DriftMS       *Drift     `json:"drift_ms,omitempty"`  // live only: against the shadow in virtual time
	Hosts         []Host     `json:"hosts,omitempty"`     // of a run over several processes: their clocks
	Tree          []Attempt  `json:"tree,omitempty"`      // attempts of one request, depth first
}

// Layer is one service of the chain, or the client.
type Layer struct {
	Name        string  `json:"name"`
	Requests    int64   `json:"requests"`               // logical requests that reached it
	Attempts    int64   `json:"attempts"`               // calls that it made
	Policy      *Policy `json:"policy,omitempty"`       // absent where it makes no calls
	WastedRests int64   `json:"wasted_rests,omitempty"` // rests that no attempt followed

	Amplification float64    `json:"amplification,omitempty"` // requests per logical request of the client
	Calls         []Call     `json:"calls,omitempty"`         // each on its own, where it makes several
	Late          int64      `json:"late,omitempty"`          // calls that a checked deadline did not let begin
	TimedOut      int64      `json:"timed_out,omitempty"`     // calls and attempts that a timeout ended
	Expired       int64      `json:"expired,omitempty"`       // calls that an enforced deadline ended
	Replicas      []int64    `json:"replicas,omitempty"`      // requests that reached each
	Bound         *Bound     `json:"bound,omitempty"`
	Time          *TimeShare `json:"time,omitempty"`
	Breaker       *Breaker   `json:"breaker,omitempty"`
	Bulkhead      *Bulkhead  `json:"bulkhead,omitempty"`
	Pool          *Bulkhead  `json:"pool,omitempty"`
	Adaptive      *Adaptive  `json:"adaptive,omitempty"`
	Fallback      *Fallback  `json:"fallback,omitempty"`
	Budget        *Budget    `json:"budget,omitempty"`
	Hedge         *Hedge     `json:"hedge,omitempty"`
	Balance       *Balance   `json:"balance,omitempty"` // where replicas are ejected
	Queue         *Bulkhead  `json:"queue,omitempty"`   // of a service with workers
}

// Call is one of several calls that a layer makes. The layer's own counts are those of
// all together, its signals those of the first.
type Call struct {
	To       string  `json:"to"`
	Chance   string  `json:"chance,omitempty"` // of being made for a request; empty: always
	Attempts int64   `json:"attempts"`
	Policy   *Policy `json:"policy,omitempty"`
}

// CallEdge is one call between two layers of a graph that branches. In a chain it would
// say again what the layers say.
type CallEdge struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Requests int64  `json:"requests"` // that reached From; a call that is made by chance serves a part of them
	Attempts int64  `json:"attempts"` // that From sent to To
}

// Policy is how a layer calls the next one, as settings. Both words for the
// same number are printed, since people mean either by "3".
type Policy struct {
	Attempts    int      `json:"attempts"` // -1: unlimited
	Retries     int      `json:"retries"`  // attempts − 1; -1: unlimited
	Rest        string   `json:"rest,omitempty"`
	Backoff     string   `json:"backoff,omitempty"`
	Cap         string   `json:"cap,omitempty"`
	Jitter      string   `json:"jitter,omitempty"`
	AtCap       string   `json:"at_cap,omitempty"`       // stop, where it does not hold
	Order       string   `json:"order,omitempty"`        // jitter-then-cap, where it is that
	LargestRest string   `json:"largest_rest,omitempty"` // the longest rest these settings can give
	On          string   `json:"on,omitempty"`           // outcomes that are retried, where not the default ones
	Repeatable  bool     `json:"repeatable_only,omitempty"`
	Timeout     string   `json:"timeout,omitempty"`
	MaxElapsed  string   `json:"max_elapsed,omitempty"`
	Stack       []string `json:"stack,omitempty"`        // all policies, outermost first, where there are others than a retry
	KeepWorking bool     `json:"keep_working,omitempty"` // cancellation is not passed down
}

// Outcomes counts how the logical requests of the outermost client ended.
type Outcomes struct {
	OK        int64 `json:"ok"`
	Failed    int64 `json:"failed"`
	Timeout   int64 `json:"timeout"`
	Rejected  int64 `json:"rejected"`
	Cancelled int64 `json:"cancelled"`
	Degraded  int64 `json:"degraded"`
}

// HitKinds splits the tail's hits by why they came.
type HitKinds struct {
	First     int64 `json:"first"`     // first attempt of every layer above
	Retry     int64 `json:"retry"`     // all others
	Orphan    int64 `json:"orphan"`    // of these hits, those nobody waited for on arrival
	Duplicate int64 `json:"duplicate"` // of these hits, those that repeated an effect
}

// Quantiles of a set of durations, nearest rank.
type Quantiles struct {
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
	Kind string  `json:"quantiles"` // exact, or hdr3 beyond 100 000 samples
}

// Spread says how sharp the release of a live herd was, in milliseconds from
// the first to the last of each.
type Spread struct {
	Issue          float64 `json:"issue"`             // the instants at which requests were let go
	FirstWave      float64 `json:"first_wave"`        // their arrivals at the first service
	FirstWaveP1P99 float64 `json:"first_wave_p1_p99"` // the same without the outer percent on either side
}

// Drift says how far a live run was from the same run in virtual time: a live
// arrival minus the ideal arrival of the same client and attempt, in
// milliseconds.
type Drift struct {
	FirstWaveSpread float64 `json:"first_wave_spread"` // from the earliest to the latest of the first wave
	P50             float64 `json:"p50"`
	P99             float64 `json:"p99"`
	Max             float64 `json:"max"`
	Unmatched       int64   `json:"unmatched"` // hits without a partner, in either run
}

// Repeats is what several seeds gave.
type Repeats struct {
	Runs   int      `json:"runs"`
	Seed   uint64   `json:"seed"` // of the first run; each later one is the next
	Ranges []Range  `json:"ranges"`
	Same   []string `json:"same"` // numbers that were identical in all runs
}

// Range is a number that differed between the runs: its median and an interval
// of runs, nearest rank. Of a list it is given bin by bin.
type Range struct {
	ID     string    `json:"id"` // variant.field
	Engine string    `json:"engine"`
	Median []float64 `json:"median"`
	Low    []float64 `json:"low"`           // 2.5 % of the runs are below; the smallest of fewer than 40
	High   []float64 `json:"high"`          // 2.5 % of the runs are above; the largest of fewer than 40
	Min    []float64 `json:"min,omitempty"` // of all runs, where Low leaves some out
	Max    []float64 `json:"max,omitempty"`
	Words  []string  `json:"words,omitempty"` // of a word instead of numbers: those that came up, most frequent first
}

// Grid is a table of one number over one or two parameters.
type Grid struct {
	Name    string    `json:"name"` // the group of its variants
	Title   string    `json:"title"`
	RowName string    `json:"row_name,omitempty"`
	ColName string    `json:"col_name"`
	Rows    []string  `json:"rows"`
	Cols    []string  `json:"cols"`
	Cells   [][]int64 `json:"cells"`
}

// Reading is one way to explain a count at the tail as layers that multiply.
type Reading struct {
	Count   int64   `json:"count"`
	Factors []int64 `json:"factors"` // attempts per retrying layer, in no known order
	Layers  int     `json:"layers"`
	Note    string  `json:"note,omitempty"`
}

// Verdicts of a figure.
const (
	Reproduced    = "reproduced"
	Off           = "off"
	NotComparable = "not comparable"
)

// ChangedByFlags is why a figure of a setting that the user changed is not comparable.
const ChangedByFlags = "your flags changed the setting that it was published for"

// Figure is one published number beside the measured one. Values are a
// number, a list of numbers or a string.
type Figure struct {
	ID        string `json:"id"` // scenario/variant.field
	Published any    `json:"published"`
	Measured  any    `json:"measured"`
	Expected  any    `json:"expected,omitempty"` // what a correct lab shows, where it is not the published value
	Tolerance string `json:"tolerance"`
	Timing    bool   `json:"timing,omitempty"` // depends on when hits arrive, so a live machine shapes it
	Verdict   string `json:"verdict"`
	Why       string `json:"why,omitempty"`
	Engine    string `json:"engine,omitempty"` // that measured it, where both ran
}

// Finding is something the result shows about the system under test.
type Finding struct {
	Code    string `json:"code"`
	Variant string `json:"variant,omitempty"`
	Layer   string `json:"layer,omitempty"`
	Message string `json:"message"`
}

// Warning is a doubt about a number of the result.
type Warning struct {
	Code    string `json:"code"`
	Variant string `json:"variant,omitempty"`
	Engine  string `json:"engine,omitempty"` // that it is about, where both ran
	Message string `json:"message"`
}

// Add adds the counts of another part of the clients.
func (o *Outcomes) Add(other Outcomes) {
	o.OK += other.OK
	o.Failed += other.Failed
	o.Timeout += other.Timeout
	o.Rejected += other.Rejected
	o.Cancelled += other.Cancelled
	o.Degraded += other.Degraded
}

// Add adds the counts of another part of the clients.
func (k *HitKinds) Add(other HitKinds) {
	k.First += other.First
	k.Retry += other.Retry
	k.Orphan += other.Orphan
	k.Duplicate += other.Duplicate
}
