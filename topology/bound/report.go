// Package bound works out, from the settings of a lab alone, what can happen in
// it at worst: how many hits one request of the client can become at each
// service, how long a call can take, and which settings contradict each other.
// Nothing is run.
//
// Use it as a linter in a review, before there is anything to measure. A run
// (packages live and sim) shows what does happen with one fault and one load; a
// bound holds for every fault. So a run may stay below a bound, and never gets
// above it.
//
// What it finds is certain from the settings, never a guess about the services.
package bound

import (
	"fmt"
	"math"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// Unlimited as a number of hits or attempts has no limit, or one beyond counting.
const Unlimited int64 = math.MaxInt64

// Unbounded as a time has no bound.
const Unbounded = policy.Longest

// Report is what a topology can come to.
type Report struct {
	Services []Service // in the order of the topology, the client first
	Calls    []Call    // in the order of topology.Edges
	Findings []Finding // about the lab as a whole first, then call by call
}

// Service is the worst case at one service.
type Service struct {
	Name string
	Ways int64 // from the client to it, saturating
	Hits int64 // for one request of the client, over all ways together; or Unlimited
	// Layers are those that multiply on the worst of the ways, outermost first,
	// and Product what they come to. With one way only, Product is Hits.
	Layers  []Layer
	Product int64
	Time    Time // of one request here; of the client: of a whole request
}

// Layer is a caller that makes several attempts.
type Layer struct {
	Name     string // of the caller
	Path     string // of its innermost policy that multiplies
	Attempts int64  // or Unlimited
}

// Call is the worst case of one call, as its caller sees it.
type Call struct {
	Path     string // services.b.calls.c
	From, To string
	Attempts int64 // that can be made at most, those left out that no limit leaves time for; or Unlimited
	Time     Time
	// Article is the rule of thumb, retries × timeout + retries × longest rest; 0
	// where it does not apply: without retries, or without a timeout of each attempt.
	Article time.Duration
}

// Time is how long something can take at most.
type Time struct {
	// Worst holds whatever the services below do, hanging for ever included; of a
	// service its own time, faults and queue come on top, so it is never below Answering. A
	// call that nothing ends is Unbounded then. Rests are the longest that the
	// policies draw; a Retry-After that the file does not ask for is not reckoned with.
	Worst time.Duration
	// Answering holds while every service answers in its own time: that which the
	// file says, with the delays of its fault programs. What has a long tail, waits
	// in a queue without a limit or hangs is Unbounded.
	Answering time.Duration
}

// Severity is how bad a finding is.
type Severity string

// The severities.
const (
	Note    Severity = "note"    // does nothing, or less than it seems to
	Warning Severity = "warning" // makes an outage worse
	Error   Severity = "error"   // cannot work
)

// Finding is settings that contradict each other, or each other's purpose.
type Finding struct {
	Code     string // stable
	Path     string // of the setting, as topology.Set reads it
	Message  string // what is wrong, and the cure
	Severity Severity
}

// String is the finding on one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s [%s]", f.Severity, f.Path, f.Message, f.Code)
}

// Of works out the bounds of a valid topology.
func Of(t *topology.Topology) Report {
	l := newLab(t)
	return Report{Services: l.services(), Calls: l.calls(), Findings: l.findings()}
}
