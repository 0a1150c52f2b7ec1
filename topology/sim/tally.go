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
	done       int64 // of these, answered
	last       policy.Instant
	arrivals   func(topology.Arrival) // nil: nobody asks
}

type layerCount struct{ attempts, requests int64 }

// peakWindow is what peak_100ms counts in.
const peakWindow = 100 * time.Millisecond

func newTally(t topology.Topology) *tally {
	services := len(t.Services) - 1
	out := &tally{
		bins:   report.NewBins(t.Run.Bin, t.Run.BinOffset),
		wide:   report.NewBins(peakWindow, 0),
		layers: make([]layerCount, services),
		tail:   int16(services - 1),
		at:     int16(services - 1),
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

// finished notes what became of the work on a job: an effect, and whether
// anybody still waited for it when it ended.
func (e *engine) finished(i int32) {
	j := &e.jobs[i]
	if j.service != e.out.tail {
		return
	}
	if gone := e.goneAt(i); gone > j.at && gone <= e.now {
		e.out.abandoned++
	}
	if j.outcome.OK() && !j.is(isLeaving) {
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

// ended counts the outcome of a client's request.
func (t *tally) ended(o policy.Outcome, from, at policy.Instant) {
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
