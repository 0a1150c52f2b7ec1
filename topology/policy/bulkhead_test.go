package policy

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

// TestBulkheadTimeline: who gets in, who waits, and who is sent away. Calls
// arrive at these instants and take 1 s each.
func TestBulkheadTimeline(t *testing.T) {
	for _, row := range []struct {
		sentence string
		bulkhead Bulkhead
		starts   []time.Duration
		answers  string
	}{
		{"with places for all it is not noticed", Bulkhead{Limit: 3}, []time.Duration{0, 0, 0}, "200 at 1, 200 at 1, 200 at 1"},
		{"without a bound, all wait as long as it takes", Bulkhead{Limit: 1}, []time.Duration{0, 0, 0, 0}, "200 at 1, 200 at 2, 200 at 3, 200 at 4"},
		{"without a queue, who finds it full is sent away at once", Bulkhead{Limit: 1, Queue: NoQueue}, []time.Duration{0, 0, 500 * ms, time.Second},
			"200 at 1, rejected at 0, rejected at 0.5, 200 at 2"},
		{"a full queue sends away at once", Bulkhead{Limit: 1, Queue: 1}, []time.Duration{0, 0, 0, time.Second},
			"200 at 1, 200 at 2, rejected at 0, 200 at 3"},
		{"who waited too long makes room in the queue", Bulkhead{Limit: 1, Queue: 1, Wait: 400 * ms}, []time.Duration{0, 0, 200 * ms, 400 * ms, 500 * ms},
			"200 at 1, rejected at 0.4, rejected at 0.2, rejected at 0.8, rejected at 0.5"},
		{"the wait is each caller's own", Bulkhead{Limit: 1, Wait: 700 * ms}, []time.Duration{0, 100 * ms, 500 * ms, 600 * ms},
			"200 at 1, rejected at 0.8, 200 at 2, rejected at 1.3"},
		{"the wait ends with the place, and does not bound the call", Bulkhead{Limit: 1, Wait: 1500 * ms}, []time.Duration{0, 0}, "200 at 1, 200 at 2"},
		{"a limit of nothing is one", Bulkhead{}, []time.Duration{0, 0}, "200 at 1, 200 at 2"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := row.bulkhead.New()
			d := newDriver([]Policy{b}, true, always(Status(200)).taking(time.Second))
			var calls []*call
			for _, s := range row.starts {
				calls = append(calls, d.start(at(s), Request{}))
			}
			d.run(horizon)
			equal(t, "answers", results(calls), row.answers)
			b.idleNow(t, d)
		})
	}
}

// TestWaitersThatLeftKeepNoPlace is case A08: capacity 8, a wait of at most
// 100 ms, calls of 1 s. A pool that hands places to callers who have gone has
// none left for the second wave.
func TestWaitersThatLeftKeepNoPlace(t *testing.T) {
	b := Bulkhead{Limit: 8, Wait: 100 * ms}.New()
	d := newDriver([]Policy{b}, true, always(Status(200)).taking(time.Second))
	wave1, wave2 := d.line(16, 0), d.line(8, at(1100*ms))
	d.run(horizon)
	equal(t, "wave 1, admitted", results(wave1[:8]), strings.Repeat("200 at 1, ", 7)+"200 at 1")
	equal(t, "wave 1, sent away", results(wave1[8:]), strings.Repeat("rejected at 0.1, ", 7)+"rejected at 0.1")
	equal(t, "wave 2", results(wave2), strings.Repeat("200 at 2.1, ", 7)+"200 at 2.1")
	equal(t, "signals", b.Signals(), BulkheadSignals{Limit: 8, MostInUse: 8, MostWaiting: 8, Admitted: 16, TimedOut: 8})
	b.idleNow(t, d)
}

// TestBulkheadSignals: each way out is counted once, and waiting while it lasts.
func TestBulkheadSignals(t *testing.T) {
	b := Bulkhead{Limit: 1, Queue: 3, Wait: 1500 * ms}.New()
	d := newDriver([]Policy{b}, true, always(Status(200)).taking(time.Second))
	calls := d.line(5, 0)
	d.cancel(at(300*ms), calls[1])
	late := d.start(at(400*ms), Request{})
	d.run(500 * ms)
	equal(t, "half-way", b.Signals(), BulkheadSignals{Limit: 1, InUse: 1, Waiting: 3, MostInUse: 1, MostWaiting: 3,
		Admitted: 1, Rejected: 1, Left: 1})
	d.run(horizon)
	equal(t, "answers", results(append(calls, late)),
		"200 at 1, cancelled at 0.3, 200 at 2, rejected at 1.5, rejected at 0, rejected at 1.9")
	equal(t, "in the end", b.Signals(), BulkheadSignals{Limit: 1, MostInUse: 1, MostWaiting: 3,
		Admitted: 2, Rejected: 1, TimedOut: 2, Left: 1, Queued: 1, QueueTime: time.Second, LongestWait: time.Second})
	b.idleNow(t, d)
}

// TestPoolRunsDry: what a pool that is too small looks like from outside. No call
// fails; the time in the queue tells.
func TestPoolRunsDry(t *testing.T) {
	b := Bulkhead{Limit: 2}.New()
	d := newDriver([]Policy{b}, true, always(Status(200)).taking(time.Second))
	d.line(6, 0)
	d.run(horizon)
	equal(t, "signals", b.Signals(), BulkheadSignals{Limit: 2, MostInUse: 2, MostWaiting: 4,
		Admitted: 6, Queued: 4, QueueTime: 6 * time.Second, LongestWait: 2 * time.Second})
}

// TestBulkheadPerKey: one slow replica or route fills its own places only.
func TestBulkheadPerKey(t *testing.T) {
	slow := always(Status(200)).taking(time.Second)
	routes := []uint8{2, 2, 0, 0}
	for _, row := range []struct {
		sentence string
		per      Key
		hosts    int
		answers  string
		most     int
	}{
		{"all share one", PerEdge, 2, "200 at 1, rejected at 0, rejected at 0, rejected at 0", 1},
		{"one per route", PerRoute, 1, "200 at 1, rejected at 0, 200 at 1, rejected at 0", 2},
		{"one per replica", PerHost, 3, "200 at 1, 200 at 1, 200 at 1, rejected at 0", 3},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := Bulkhead{Limit: 1, Queue: NoQueue, Per: row.per}.New()
			stack := []Policy{b}
			if row.hosts > 1 {
				stack = []Policy{Balance{Hosts: row.hosts}.New(), b}
			}
			d := newDriver(stack, true, slow)
			var calls []*call
			for _, r := range routes {
				calls = append(calls, d.start(0, Request{Route: r}))
			}
			d.run(horizon)
			equal(t, "answers", results(calls), row.answers)
			equal(t, "most in use", b.Signals().MostInUse, row.most)
			b.idleNow(t, d)
		})
	}
}

// TestGrantedToTheLeaving: the answer that frees the place also ends the caller
// that is next in line, before that hears of it. It hands the place on, and one
// that comes after all has a free one.
func TestGrantedToTheLeaving(t *testing.T) {
	b := Bulkhead{Limit: 1}.New()
	d := newDriver([]Policy{hedgeAfter(500 * ms), b}, true, always(Status(200)).taking(time.Second))
	calls := []*call{d.start(0, Request{}), d.start(at(700*ms), Request{}), d.start(at(9*time.Second), Request{})}
	d.run(horizon)
	equal(t, "answers", results(calls), "200 at 1, 200 at 2, 200 at 10")
	equal(t, "second call's hit", calls[1].hits(), "1")
	s := b.Signals()
	equal(t, "admitted, left", fmt.Sprint(s.Admitted, s.Left), "3 3")
	b.idleNow(t, d)
}

// refuser rejects all calls but the first and watches the depth of the Go stack.
type refuser struct {
	calls, deepest int
	callers        [256]uintptr
}

func (r *refuser) On(_ *Frame, ev Event, _ Instant) Step {
	if ev.Kind == Done {
		return returned(ev.Outcome)
	}
	if r.calls++; r.calls == 1 {
		return Step{Do: Call, Child: 1}
	}
	if r.calls%1000 == 0 {
		r.deepest = max(r.deepest, runtime.Callers(0, r.callers[:]))
	}
	return returned(Failed(Rejected))
}

// TestLongQueueThatEndsAtOnce: a million callers wait for one call, behind which a
// breaker has opened meanwhile. Their place goes from one to the next at one
// instant, and not one inside the other.
func TestLongQueueThatEndsAtOnce(t *testing.T) {
	const waiting = 1_000_000
	b, inside := Bulkhead{Limit: 1}.New(), &refuser{}
	e := NewEdge(1, []Policy{b, inside}, true)
	e.Grow(waiting)
	_, actions := e.Start(Request{}, 0, nil)
	first := actions[0].Ref
	for range waiting {
		_, actions = e.Start(Request{}, 0, actions[:0])
	}
	equal(t, "waiting", b.Signals().Waiting, waiting)
	e.Done(first, Status(200), at(time.Second), nil)
	equal(t, "calls of the policy inside", inside.calls, 1+waiting)
	equal(t, "the stack is flat", inside.deepest < 64, true)
	equal(t, "signals", b.Signals(), BulkheadSignals{Limit: 1, MostInUse: 1, MostWaiting: waiting,
		Admitted: 1 + waiting, Queued: waiting, QueueTime: waiting * time.Second, LongestWait: time.Second})
	equal(t, "calls", e.Calls(), 0)
}

// TestBulkheadAllocatesNothing: once its queue has grown to its load.
func TestBulkheadAllocatesNothing(t *testing.T) {
	b := Bulkhead{Limit: 1, Wait: time.Second}.New()
	holds, waits := Frame{self: Ref{slot: 1}}, Frame{self: Ref{slot: 2}}
	round := func() {
		b.On(&holds, Event{Kind: Start}, 0)
		b.On(&waits, Event{Kind: Start}, 0)
		b.On(&holds, Event{Kind: Done}, 1)
		b.On(&waits, Event{Kind: Granted}, 1)
		b.On(&holds, Event{Kind: Start}, 1)
		b.On(&holds, Event{Kind: Timer}, 2)
		b.On(&waits, Event{Kind: Done}, 2)
	}
	round()
	equal(t, "allocations", testing.AllocsPerRun(1000, round), 0)
	equal(t, "in use", b.Signals().InUse, 0)
}
