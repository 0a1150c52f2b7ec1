package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hedgeSignals writes what a hedge did, without the zeros.
func hedgeSignals(g HedgeSignals) string {
	words := []string{fmt.Sprintf("%d requests", g.Requests)}
	for _, c := range []struct {
		name string
		n    int64
	}{{"hedged", g.Hedged}, {"copies", g.Copies}, {"wins", g.Wins}, {"suppressed", g.Suppressed}} {
		if c.n != 0 {
			words = append(words, fmt.Sprintf("%d %s", c.n, c.name))
		}
	}
	return strings.Join(words, ", ")
}

// hedgeRow is one sentence of the specification: one call.
type hedgeRow struct {
	sentence string
	hedge    Hedge
	outside  []Policy
	tail     tail
	hits     string
	answer   string
	signals  string
}

func (row hedgeRow) run(t *testing.T) {
	t.Run(row.sentence, func(t *testing.T) {
		h := row.hedge.New()
		d := newDriver(append(row.outside, h), true, row.tail)
		c := d.start(0, Request{})
		d.run(horizon)
		equal(t, "hits", c.hits(), row.hits)
		equal(t, "answer", c.result(), row.answer)
		equal(t, "signals", hedgeSignals(h.Signals()), row.signals)
		equal(t, "calls", d.edge.Calls(), 0)
		equal(t, "faults", strings.Join(d.faults, "; "), "")
	})
}

// A delay of 1 s unless said, and one or two copies.
const second = time.Second

var (
	good, bad, gone = Status(200), unavailable, Status(404)
	one, three      = Hedge{Delay: second}, Hedge{Delay: second, Max: 3}
)

// TestHedgeTimeline: when copies are sent, and what ends the call.
func TestHedgeTimeline(t *testing.T) {
	for _, row := range []hedgeRow{
		{"copies go out until there are as many as may be", three, nil, always(good).taking(9 * second), "0 1 2", "200 at 9", "1 requests, 1 hedged, 2 copies"},
		{"the default is one copy", one, nil, always(good).taking(9 * second), "0 1", "200 at 9", "1 requests, 1 hedged, 1 copies"},
		{"one attempt is no hedge", Hedge{Delay: second, Max: 1}, nil, always(good).taking(9 * second), "0", "200 at 9", "1 requests"},
		{"no delay sends all at once", Hedge{Max: 3}, nil, always(good).taking(9*second, 5*second), "0 0 0", "200 at 5", "1 requests, 1 hedged, 2 copies, 1 wins"},
		{"at one instant an answer comes before the copy", one, nil, always(good).taking(second), "0", "200 at 1", "1 requests"},
		{"the first good answer wins, whosever it is", three, nil, always(good).taking(9*second, 9*second, second), "0 1 2", "200 at 3", "1 requests, 1 hedged, 2 copies, 1 wins"},
		{"a failure brings the next copy at once, and the delay begins anew", three, nil, plan(bad, good).taking(500*ms, 9*second), "0 0.5 1.5", "200 at 9.5", "1 requests, 1 hedged, 2 copies, 1 wins"},
		{"also while another attempt runs", three, nil, plan(good, bad, good).taking(9*second, 200*ms, second), "0 1 1.2", "200 at 2.2", "1 requests, 1 hedged, 2 copies, 1 wins"},
		{"when no copies are left it waits for what runs", one, nil, plan(good, bad).taking(9*second, second), "0 1", "200 at 9", "1 requests, 1 hedged, 1 copies"},
		{"all fail: the last outcome", three, nil, plan(bad, Status(502), Failed(Reset)).taking(3*second, 4*second, 500*ms), "0 1 2", "502 at 5", "1 requests, 1 hedged, 2 copies"},
		{"an answer that no copy can cure ends it", three, nil, plan(good, gone).taking(9*second, second), "0 1", "404 at 2", "1 requests, 1 hedged, 1 copies"},
		{"unless the filter says that it can", Hedge{Delay: second, Filter: words("404")}, nil, plan(gone, good), "0 0", "200 at 0", "1 requests, 1 hedged, 1 copies, 1 wins"},
		{"then a 503 is final", Hedge{Delay: second, Filter: words("404")}, nil, plan(bad, good), "0", "503 at 0", "1 requests"},
		{"no answer of the service ends nothing while an attempt runs", one, nil, plan(good, Failed(Malformed)).taking(9*second, second), "0 1", "200 at 9", "1 requests, 1 hedged, 1 copies"},
		{"nor brings a copy", three, nil, plan(Failed(Malformed)), "0", "malformed at 0", "1 requests"},
	} {
		row.run(t)
	}
}

// TestHedgeSuppressed: what keeps a copy from being sent.
func TestHedgeSuppressed(t *testing.T) {
	for _, row := range []hedgeRow{
		{"a budget that refuses suppresses the copy, once, and never the original", three, []Policy{never.New()}, always(good).taking(9 * second), "0", "200 at 9", "1 requests, 1 suppressed"},
		{"and a failure is then the answer", three, []Policy{never.New()}, always(bad).taking(500 * ms), "0", "503 at 0.5", "1 requests, 1 suppressed"},
		{"also one that comes after the refusal", three, []Policy{never.New()}, always(bad).taking(9 * second), "0", "503 at 9", "1 requests, 1 suppressed"},
		{"a budget of one copy", three, []Policy{Budget{Law: Active, Ratio: NoShare, Floor: 1}.New()}, always(good).taking(9 * second), "0 1", "200 at 9", "1 requests, 1 hedged, 1 copies, 1 suppressed"},
		{"no copy begins after a deadline that is checked", one, []Policy{&Within{Limit: second, Check: true}}, always(good).taking(9 * second), "0", "200 at 9", "1 requests"},
		{"not even after a failure", Hedge{Delay: 9 * second}, []Policy{&Within{Limit: second, Check: true}}, always(bad).taking(second), "0", "timeout at 1", "1 requests"},
		{"a quantile that knows nothing uses the delay", Hedge{Delay: second, Quantile: 95}, nil, always(good).taking(9 * second), "0 1", "200 at 9", "1 requests, 1 hedged, 1 copies"},
		{"and without one no answer is late", Hedge{Quantile: 95}, nil, always(good).taking(9 * second), "0", "200 at 9", "1 requests"},
		{"yet a failure brings a copy", Hedge{Quantile: 95}, nil, plan(bad, good), "0 0", "200 at 0", "1 requests, 1 hedged, 1 copies, 1 wins"},
		{"the first of many has no share saved", Hedge{Delay: second, ShareRequests: 99}, nil, always(good).taking(9 * second), "0", "200 at 9", "1 requests, 1 suppressed"},
		{"a share of all has one copy each", Hedge{Delay: second, ShareExtra: 100, Max: 3}, nil, always(good).taking(9 * second), "0 1", "200 at 9", "1 requests, 1 hedged, 1 copies, 1 suppressed"},
	} {
		row.run(t)
	}
}

// TestHedgeKeepsRetryAfter: an outcome that waited for a copy which was refused is
// still what the service said.
func TestHedgeKeepsRetryAfter(t *testing.T) {
	o := Outcome{Kind: Answered, Status: 503, After: 7 * time.Second}
	c := alone([]Policy{never.New(), Hedge{Quantile: 50}.New()}, always(o), horizon)
	equal(t, "answers", fmt.Sprint(c.answers), fmt.Sprint([]Outcome{o}))
	equal(t, "after", c.answers[0].After, o.After)
}

// TestHedgeOfLosers: a copy that works on and ends well after the call has won nothing.
func TestHedgeOfLosers(t *testing.T) {
	h := Hedge{Delay: second, Quantile: 95}.New()
	d := newDriver([]Policy{h}, false, always(good).taking(3*second))
	d.start(0, Request{})
	d.run(horizon)
	equal(t, "signals", hedgeSignals(h.Signals()), "1 requests, 1 hedged, 1 copies")
	equal(t, "latencies", h.latencies.count, 1)
}

// TestHedgeLearnsFromTheGood: the time of a call, from its start, unless it failed
// once.
func TestHedgeLearnsFromTheGood(t *testing.T) {
	h := Hedge{Delay: second, Quantile: 95}.New()
	d := newDriver([]Policy{h}, true, plan(good, good, bad, good).taking(9*second, 2*second))
	d.start(at(second), Request{})
	d.run(horizon)
	equal(t, "latency of a call that its copy answered", h.latencies.quantile(), longestIn(stepOf(3*second)))
	d.tail = plan(bad, good)
	d.start(at(100*second), Request{})
	d.run(horizon)
	equal(t, "latencies", h.latencies.count, 1)
}

// TestSharesAreSaved: up to those of a thousand requests.
func TestSharesAreSaved(t *testing.T) {
	s := share{percent: 10}
	for range 5000 {
		s.deposit()
	}
	n := 0
	for ; s.has(); n++ {
		s.take()
	}
	equal(t, "copies", n, 100)
}

// TestHedgeRejectedInside: a copy that a bulkhead inside rejects does not end the
// call, and one that is alone does.
func TestHedgeRejectedInside(t *testing.T) {
	slow := always(Status(200)).taking(3 * time.Second)
	d := newDriver([]Policy{hedgeAfter(time.Second), Bulkhead{Limit: 1, Queue: NoQueue}.New()}, true, slow)
	calls := []*call{d.start(0, Request{}), d.start(1, Request{})}
	d.run(horizon)
	equal(t, "answers", results(calls), "200 at 3, rejected at 0.000000001")
}

// TestHedgeRepeatableOnly: what is not safe to repeat has no copies, for whatever
// reason they would be sent.
func TestHedgeRepeatableOnly(t *testing.T) {
	for _, row := range []struct {
		only, repeatable bool
		tail             tail
		hits             int
	}{
		{true, true, always(Status(200)).taking(9 * time.Second), 2},
		{true, false, always(Status(200)).taking(9 * time.Second), 1},
		{false, false, always(Status(200)).taking(9 * time.Second), 2},
		{true, false, always(unavailable), 1},
	} {
		d := newDriver([]Policy{Hedge{Delay: time.Second, RepeatableOnly: row.only}.New()}, true, row.tail)
		c := d.start(0, Request{Repeatable: row.repeatable})
		d.run(horizon)
		equal(t, fmt.Sprint(row.only, row.repeatable), len(c.sends), row.hits)
	}
}

// TestCopiesGoElsewhere: with a balancer inside that avoids the replica before.
func TestCopiesGoElsewhere(t *testing.T) {
	for _, law := range []BalanceLaw{RoundRobin, Random, LeastInFlight} {
		d := newDriver([]Policy{hedgeAfter(time.Second), Balance{Hosts: 2, Law: law, Failover: true}.New()}, true, nil)
		sent := d.answering(func(Action, Instant) (Outcome, time.Duration) { return Status(200), 9 * time.Second })
		d.start(0, Request{})
		d.run(horizon)
		equal(t, fmt.Sprint("law ", law), (*sent)[0].Host != (*sent)[1].Host, true)
	}
}

// TestHedgesAllocateNothing: a call that is copied and overtaken.
func TestHedgesAllocateNothing(t *testing.T) {
	h := Hedge{Delay: time.Second, Quantile: 95, ShareRequests: 100, ShareExtra: 100}.New()
	e := NewEdge(1, []Policy{Budget{Law: Active}.New(), h}, true)
	var list []Action
	now := Instant(0)
	call := func() {
		_, list = e.Start(Request{}, now, list[:0])
		wake, first := list[0], list[1]
		now = now.Add(time.Second)
		list = e.Timer(wake.Ref, wake.Arming, now, list[:0])
		list = e.Done(list[0].Ref, Status(200), now, list[:0])
		list = e.Done(first.Ref, Failed(Cancelled), now, list[:0])
	}
	call()
	equal(t, "allocations", testing.AllocsPerRun(3000, call), 0)
	equal(t, "calls", e.Calls(), 0)
	equal(t, "signals", hedgeSignals(h.Signals()), "3002 requests, 3002 hedged, 3002 copies, 3002 wins")
}
