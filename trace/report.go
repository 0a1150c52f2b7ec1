package trace

// Schema names the form of a [Report] in JSON. Version 1 grows by optional fields only.
const Schema = "labctl/trace/v1"

// Report is what spans say of repeated requests.
type Report struct {
	Schema   string  `json:"schema"`
	Traces   int64   `json:"traces"`
	Spans    int64   `json:"spans"`
	Requests int64   `json:"requests"` // of the outermost services that are in the traces
	Paths    []Path  `json:"paths"`
	Layers   []Layer `json:"layers"`
	Notes    []Note  `json:"notes"` // what could not be decided, or is not in the traces
}

// Path is a service as it is reached by one way, from the root of the traces down.
type Path struct {
	Services      []string `json:"services"`
	Of            int64    `json:"of"`       // requests of the root
	Requests      int64    `json:"requests"` // that the last service received
	Attempts      int64    `json:"attempts"` // that its caller made for them
	Amplification float64  `json:"amplification"`
	Unseen        bool     `json:"unseen,omitempty"` // the service has no spans: attempts stand for requests
	RetriedBy     []Factor `json:"retried_by"`       // layers of the way that made more than one attempt

	order int // of the paths, from the root down
}

// Factor is how many attempts a layer makes of one call.
type Factor struct {
	Layer string  `json:"layer"`
	Most  int64   `json:"most"`
	Mean  float64 `json:"mean"`
}

// Layer is who called whom, by whatever way, and what was repeated there.
type Layer struct {
	From        string  `json:"from"`
	To          string  `json:"to"`
	Calls       int64   `json:"calls"`
	Attempts    int64   `json:"attempts"`
	Most        int64   `json:"most_attempts"` // of one call
	Retries     int64   `json:"retries"`
	Inferred    int64   `json:"retries_inferred"`        // of these, from their order: no span counts them
	Overlapping int64   `json:"overlapping"`             // attempts that began while another one ran
	Hidden      int64   `json:"hidden_replays"`          // requests that arrived on top of an attempt's first
	Unheard     int64   `json:"attempts_without_server"` // where the service has spans otherwise
	Missing     int64   `json:"attempts_missing"`        // that others count, and that are not in the traces
	On          []Count `json:"retried_on"`
	Rest        *Rest   `json:"rest_ms,omitempty"`
}

// Count is how often something was followed by a retry.
type Count struct {
	What  string `json:"what"`
	Times int64  `json:"times"`
}

// Rest is the time between the end of an attempt and its retry.
type Rest struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

// Note says what a number does not. Its code is stable.
type Note struct {
	Code    string `json:"code"`
	Count   int64  `json:"count"`
	Message string `json:"message"`
}

// Worst is the path with the highest amplification; there may be none.
func (r Report) Worst() (worst Path, is bool) {
	for _, p := range r.Paths {
		if !is || p.Amplification > worst.Amplification {
			worst, is = p, true
		}
	}
	return worst, is
}
