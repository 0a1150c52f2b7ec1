package sim

import (
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// tally is what a run adds up. Everything in it is a sum, so that the tallies of
// shards merge to the same result in any order.
type tally struct {
	bins, wide *report.Bins
	at         int16 // service whose hits are binned
	tail       int16
	layers     []layerCount // by edge: attempts made, and requests that arrived
	latency    report.Latencies
	outcomes   report.Outcomes
	kinds      report.HitKinds
	abandoned  int64
	effects    int64
	begun      int64 // requests of clients
	done       int64 // of these, those with an outcome
	unfinished int64 // those that the run's end, or an interrupt, found in flight
	hung       int64 // those that nothing would ever wake
	last       policy.Instant

	arrivals func(topology.Arrival)                            // nil: nobody asks
	told     func(start, end policy.Instant, o policy.Outcome) // likewise
}

type layerCount struct{ attempts, requests int64 }

// peakWindow is what peak_100ms counts in.
const peakWindow = 100 * time.Millisecond

func newTally(t topology.Topology, o Options) *tally {
	services := len(t.Services) - 1
	out := &tally{
		bins:   report.NewBins(t.Run.Bin, t.Run.BinOffset),
		wide:   report.NewBins(peakWindow, 0),
		layers: make([]layerCount, services),
		tail:   int16(services - 1),
		at:     int16(services - 1),

		arrivals: o.Arrivals,
		told:     o.Ended,
	}
	for i, s := range t.Services[1:] {
		if s.Name == t.Run.At {
			out.at = int16(i)
		}
	}
	return out
}

// count notes the arrival of a job.
func (e *engine) count(i int32) {
	j := &e.jobs[i]
	e.out.arrive(j.service, j.luck, e.now, j.is(isFirst))
	if j.service == e.out.tail && e.goneAt(i) <= e.now {
		e.out.kinds.Orphan++
	}
}

// arrive counts a hit.
func (t *tally) arrive(service int16, l policy.Luck, at policy.Instant, first bool) {
	t.layers[service].requests++
	if t.arrivals != nil {
		t.arrivals(topology.Arrival{Service: int(service), Luck: l, At: at, First: first})
	}
	if service == t.at {
		t.bins.Add(time.Duration(at), first)
		t.wide.Add(time.Duration(at), first)
	}
	if service != t.tail {
		return
	}
	if first {
		t.kinds.First++
	} else {
		t.kinds.Retry++
	}
}

// ended notes the end of a hit in progress: whether anybody still waited for it.
func (e *engine) ended(i int32) {
	j := &e.jobs[i]
	if j.service != e.out.tail {
		return
	}
	if gone := e.goneAt(i); gone > j.at && gone <= e.now {
		e.out.abandoned++
	}
}

// worked notes that the tail did the work of a hit.
func (e *engine) worked(i int32) {
	if e.jobs[i].service == e.out.tail {
		r := e.request(i)
		r.effects++
		e.out.effect(int64(r.effects))
	}
}

// effect counts the nth effect of one request.
func (t *tally) effect(n int64) {
	t.effects++
	if n > 1 {
		t.kinds.Duplicate++
	}
}

// cut counts a client's request without an answer. In a run with an end it is
// cancelled by that, whatever it waited for.
func (t *tally) cut(why end, from, at policy.Instant) {
	if why == drained || at == policy.Never {
		t.hung++
	} else {
		t.unfinished++
	}
	if at != policy.Never {
		t.ended(policy.Failed(policy.Cancelled), from, at)
	}
}

// ended counts the outcome of a client's request.
func (t *tally) ended(o policy.Outcome, from, at policy.Instant) {
	if t.told != nil {
		t.told(from, at, o)
	}
	t.done++
	t.last = max(t.last, at)
	t.latency.Add(at.Sub(from))
	switch {
	case o.OK():
		t.outcomes.OK++
	case o.Kind == policy.Timeout:
		t.outcomes.Timeout++
	case o.Kind == policy.Rejected:
		t.outcomes.Rejected++
	case o.Kind == policy.Cancelled:
		t.outcomes.Cancelled++
	default:
		t.outcomes.Failed++
	}
}

// merge adds the sums of another shard.
func (t *tally) merge(o *tally) {
	t.bins.Merge(o.bins)
	t.wide.Merge(o.wide)
	t.latency.Merge(&o.latency)
	for i, l := range o.layers {
		t.layers[i].attempts += l.attempts
		t.layers[i].requests += l.requests
	}
	t.outcomes = addOutcomes(t.outcomes, o.outcomes)
	t.kinds.First += o.kinds.First
	t.kinds.Retry += o.kinds.Retry
	t.kinds.Orphan += o.kinds.Orphan
	t.kinds.Duplicate += o.kinds.Duplicate
	t.abandoned += o.abandoned
	t.effects += o.effects
	t.begun += o.begun
	t.done += o.done
	t.unfinished += o.unfinished
	t.hung += o.hung
	t.last = max(t.last, o.last)
}

func addOutcomes(a, b report.Outcomes) report.Outcomes {
	a.OK += b.OK
	a.Failed += b.Failed
	a.Timeout += b.Timeout
	a.Rejected += b.Rejected
	a.Cancelled += b.Cancelled
	a.Degraded += b.Degraded
	return a
}
