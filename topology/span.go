package topology

import "labctl/topology/policy"

// SpanKind says what a Span is of.
type SpanKind uint8

// The kinds of a Span.
const (
	RequestSpan SpanKind = iota // a logical request of a client, from its start to its outcome
	AttemptSpan                 // one attempt, as its caller sees it
	HitSpan                     // one arrival at a service, as the service sees it
)

// Span is one piece of what a run did, as both engines tell of it to who wants to see
// all of it and not the sums. Spans of one request form a tree: an attempt's Parent is
// the luck of the request, or of the attempt whose hit made it, and a hit has the luck
// of the attempt that it came with.
type Span struct {
	Kind            SpanKind
	Service         int    // whose span it is, of the topology: 0 is the client
	Edge            int    // of an attempt: as Topology.Edges lists them
	Client, Request uint64 // that it belongs to
	Parent          policy.Luck
	Luck            policy.Luck
	Number          int // of an attempt: 1 is the first of its call
	Start, End      policy.Instant
	Outcome         policy.Outcome // of a hit: what it was answered, as far as the engine knows
	Open            bool           // it was in progress at the end of the run, or its end is not known
}
