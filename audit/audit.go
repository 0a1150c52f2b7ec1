package audit

import (
	"slices"
	"time"
)

// Schema names the form of the JSON.
const Schema = "labctl/audit/v1"

// An Audit is everything that is known of a subject. It is the JSON that labctl audit
// writes.
type Audit struct {
	Schema   string    `json:"schema"`
	Subject  string    `json:"subject"`           // "curl"
	Version  string    `json:"version,omitempty"` // what it says of itself, "7.88.1"
	Command  []string  `json:"command,omitempty"` // with its placeholders
	Labctl   string    `json:"labctl,omitempty"`
	Noise    *NoiseMS  `json:"noise_ms,omitempty"`
	Probes   []Row     `json:"probes"`
	Policy   Policy    `json:"policy"`
	Chains   []Chain   `json:"chains,omitempty"` // who multiplies, where there are several layers
	Findings []Finding `json:"findings"`
	Warnings []string  `json:"warnings,omitempty"` // doubts about the numbers
	Partial  bool      `json:"partial,omitempty"`  // interrupted
}

// A Row is one probe and what was seen of it. Where it was repeated, hits and gaps are
// those of the first trial and Seen lists all numbers of hits.
type Row struct {
	Fault      string    `json:"fault"`
	Method     string    `json:"method"`
	Key        bool      `json:"key,omitempty"`
	Connection string    `json:"connection"`
	Hits       int       `json:"hits"`           // attempts: the first one included, warm-ups not
	Seen       []int     `json:"seen,omitempty"` // of all trials, where they differ
	Trials     int       `json:"trials,omitempty"`
	Hidden     int       `json:"hidden,omitempty"` // of the hits: replays by the HTTP stack, behind the policy's back
	GapsMS     []float64 `json:"gaps_ms"`
	BodyBytes  []int64   `json:"body_bytes,omitempty"` // of each hit
	Exit       *int      `json:"exit"`                 // null: it did not exit by itself
	Outcome    string    `json:"outcome"`              // gave up, succeeded, still waiting, never called …
	Note       string    `json:"note,omitempty"`
	Uncounted  bool      `json:"uncounted,omitempty"` // hits are a lower bound
	Unclear    bool      `json:"unclear,omitempty"`   // hits may be more than the attempts of one request, the note says why
	Unasked    bool      `json:"unasked,omitempty"`   // the probe could not be put to the subject, the note says why
}

// NoiseMS is [Noise] in milliseconds.
type NoiseMS struct {
	Median  float64 `json:"median"`
	P99     float64 `json:"p99"`
	Samples int     `json:"samples"`
}

// A Chain is one request of a probe on its way through several layers, counted in front
// of each. Chains of fewer layers, made of the outermost, show what each layer adds.
type Chain struct {
	Fault      string  `json:"fault"`
	Method     string  `json:"method"`
	Connection string  `json:"connection"`
	Hits       int     `json:"hits"`   // at the tail
	Layers     []Layer `json:"layers"` // outermost first
}

// A Layer is the subject, or a proxy between it and the tail, with what it multiplies.
type Layer struct {
	Name     string  `json:"name"`
	Requests int     `json:"requests"` // that reached it
	Attempts int     `json:"attempts"` // requests that it sent on
	Factor   float64 `json:"factor"`   // attempts ÷ requests, hidden replays left out
	Hidden   int     `json:"hidden"`   // of the attempts: repeated by its HTTP stack

	// Each lists the attempts of each request in turn, where they differ: a proxy that
	// takes failed servers out makes fewer and fewer.
	Each []int `json:"each,omitempty"`
}

// Severity ranks findings.
type Severity string

// The severities.
const (
	Danger Severity = "danger" // will hurt in an outage
	Risk   Severity = "risk"   // hurts with other layers, or many clients
	Note   Severity = "note"   // worth knowing
)

// severities from the mildest.
var severities = []Severity{Note, Risk, Danger}

// Known reports whether there is such a severity.
func (s Severity) Known() bool { return slices.Contains(severities, s) }

// AtLeast reports whether s is as bad as the other, or worse.
func (s Severity) AtLeast(other Severity) bool {
	return slices.Index(severities, s) >= slices.Index(severities, other)
}

// A Finding is what the numbers mean, in plain words. Codes are stable.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
}

// MS is a duration in milliseconds, to a microsecond.
func MS(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
