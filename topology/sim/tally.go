package sim

import (
	"labctl/topology"
	"labctl/topology/ledger"
	"labctl/topology/policy"
)

// tally is the books of a run in virtual time, and who is told of it.
type tally struct {
	*ledger.Ledger
	routed     bool  // there are several routes
	counted    bool  // the hits on the tail are counted by route
	more       bool  // hits are not only entered into the books
	unfinished int64 // requests that the run's end, or an interrupt, found in flight
	hung       int64 // those that nothing would ever wake

	arrivals func(topology.Arrival)                            // nil: nobody asks
	told     func(start, end policy.Instant, o policy.Outcome) // likewise
	spans    *spans                                            // likewise
}

func newTally(t topology.Topology, o Options) *tally {
	routed := len(t.Routes()) > 1
	counted := routed || t.Load.For > 0
	out := &tally{Ledger: ledger.New(t), routed: routed, counted: counted, more: counted || o.Arrivals != nil, arrivals: o.Arrivals, told: o.Ended}
	if o.Spans != nil {
		out.spans = &spans{tell: o.Spans}
	}
	return out
}

// arrive counts a hit.
func (t *tally) arrive(service int, route uint8, l policy.Luck, at policy.Instant, first bool) {
	t.Arrive(service, at, first)
	if t.more {
		t.tellArrival(service, route, l, at, first)
	}
}

func (t *tally) tellArrival(service int, route uint8, l policy.Luck, at policy.Instant, first bool) {
	if t.counted && service == t.Tail() {
		t.HitOf(route)
	}
	if t.arrivals != nil {
		t.arrivals(topology.Arrival{Service: service, Luck: l, At: at, First: first})
	}
}

// ended counts the outcome of a client's request.
func (t *tally) ended(route uint8, o policy.Outcome, from, at policy.Instant) {
	t.Ended(route, o, from, at)
	if t.told != nil {
		t.told(from, at, o)
	}
}

// cut counts a client's request without an answer. In a run with an end it is
// cancelled by that, whatever it waited for.
func (t *tally) cut(why end, route uint8, from, at policy.Instant) {
	if why == drained || at == policy.Never {
		t.hung++
	} else {
		t.unfinished++
	}
	if at != policy.Never {
		t.ended(route, policy.Failed(policy.Cancelled), from, at)
	}
}

// merge adds the sums of another shard.
func (t *tally) merge(o *tally) {
	t.Merge(o.Ledger)
	t.unfinished += o.unfinished
	t.hung += o.hung
}

// count notes the arrival of a job.
func (e *engine) count(i int32) {
	j := &e.jobs[i]
	if e.out.spans != nil {
		e.out.spans.arrived(e, i)
	}
	e.out.arrive(int(j.service), j.route, j.luck, e.now, j.is(isFirst))
	if len(e.services[j.service].scripts) > 1 {
		e.out.Replica(int(j.service), int(j.host))
	}
	if !e.atTail(j) {
		return
	}
	if e.goneAt(i) <= e.now {
		e.out.Orphan()
	}
	if e.isEarly(j) {
		e.out.Early()
	}
}

// ended notes the end of a hit in progress: whether anybody still waited for it.
func (e *engine) ended(i int32) {
	j := &e.jobs[i]
	if !e.atTail(j) {
		return
	}
	if gone := e.goneAt(i); gone <= e.now && gone > e.arrived(j) {
		e.out.Abandoned()
	}
}

// worked notes that the tail did the work of a hit, if it did.
func (e *engine) worked(i int32) {
	if j := &e.jobs[i]; j.is(isWork) && e.atTail(j) {
		e.out.Effect(e.effectOf(i))
	}
}

func (e *engine) atTail(j *job) bool { return int(j.service) == e.out.Tail() }
