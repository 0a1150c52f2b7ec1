package policy

import (
	"testing"
	"time"
)

// TestBreakerStale: an outcome of a call that was admitted before the last change
// of state is dropped.
func TestBreakerStale(t *testing.T) {
	for _, row := range []struct {
		breakerRow
		counters string
	}{
		{breakerRow{"a success from before it opened does not close it", two, "0 200 +1.2, 0.1 503, 0.2 503, 1.2 200 +1, 1.3 200", "200 503 503 200 rejected",
			"open 0.2, half-open 1.2, closed 2.2"}, "4 admitted, 1 good, 2 failed, 1 stale, 1 rejected, 1 probes"},
		{breakerRow{"a failure from before it opened does not open it again", two, "0 503 +1.5, 0.1 503, 0.2 503, 1.2 200 +1, 2.2 200", "503 503 503 200 200",
			"open 0.2, half-open 1.2, closed 2.2"}, "5 admitted, 2 good, 2 failed, 1 stale, 1 probes"},
		{breakerRow{"nor when it has closed since", two, "0 503 +3, 0.1 503 +3, 0.2 503, 0.3 503, 1.3 200, 4 200", "503 503 503 503 200 200",
			"open 0.3, half-open 1.3, closed 1.3"}, "6 admitted, 2 good, 2 failed, 2 stale, 1 probes"},
		{breakerRow{"a probe that is late to a closed breaker is stale", permits(2, 1), "0 503, 0.1 503, 1.1 503 +0.5, 1.2 200, 1.3 503, 1.7 200", "503 503 503 200 503 200",
			"open 0.1, half-open 1.1, closed 1.2"}, "6 admitted, 2 good, 3 failed, 1 stale, 2 probes"},
		{breakerRow{"a probe of the last try takes no permit of this one, and gives none back", permits(2, 2), "0 503, 0.1 503, 1.1 200 +2, 1.2 503, 2.2 200 +2, 2.3 200 +2, 3.2 200",
			"503 503 200 503 200 200 rejected", "open 0.1, half-open 1.1, open 1.2, half-open 2.2, closed 4.3"},
			"6 admitted, 2 good, 3 failed, 1 stale, 1 rejected, 4 probes"},
	} {
		row.run(t)
		b := row.breaker.New()
		d := visiting(true, parseVisits(row.visits), b)
		d.run(horizon)
		equal(t, row.sentence, countersOf(b.Signals()), row.counters)
	}
}

// TestBreakerHearsOfDroppedCalls: when a timeout outside stops waiting, the
// outcome still comes; which one depends on whether cancellation is passed down.
func TestBreakerHearsOfDroppedCalls(t *testing.T) {
	for _, row := range []struct {
		sentence, counters string
		passes             bool
	}{
		{"passed down, it is cancelled", "1 admitted, 1 cancelled", true},
		{"not passed down, it is what it is", "1 admitted, 1 failed", false},
	} {
		b := two.New()
		d := visiting(row.passes, parseVisits("0 503 +2"), &TimeoutAfter{Limit: time.Second}, b)
		d.run(1500 * time.Millisecond)
		equal(t, "answer", d.outcomes(), "timeout")
		equal(t, "admitted", b.Signals().Admitted, int64(1))
		d.run(horizon)
		equal(t, row.sentence, countersOf(b.Signals()), row.counters)
	}
}

// TestBreakerPerKey: what happens to one replica or route leaves the others alone.
func TestBreakerPerKey(t *testing.T) {
	perHost := twoWith(func(s *Breaker) { s.Per = PerHost })
	perRoute := twoWith(func(s *Breaker) { s.Per = PerRoute })
	for _, row := range []struct {
		breakerRow
		outside []Policy
		status  BreakerStatus
	}{
		{breakerRow{"per replica", perHost, "0 200, 0.1 503, 0.2 200, 0.3 503, 0.4 200, 0.5 200, 0.6 200, 1.3 200", "200 503 200 503 200 rejected 200 200",
			"open 0.3#1, half-open 1.3#1, closed 1.3#1"}, []Policy{Balance{Hosts: 2}.New()}, Closed},
		{breakerRow{"all replicas together", two, "0 200, 0.1 503, 0.2 200, 0.3 503, 0.4 200, 0.5 200, 0.6 200, 1.3 200", "200 503 200 503 200 200 200 200",
			""}, []Policy{Balance{Hosts: 2}.New()}, Closed},
		{breakerRow{"per route", perRoute, "0 503 route:3, 0.1 503, 0.2 503 route:3, 0.3 200, 0.4 200 route:3, 0.5 503 route:1", "503 503 503 200 rejected 503",
			"open 0.2#3"}, nil, Open},
		{breakerRow{"the status is that of the last key that changed", perRoute, "0 503 route:1, 0 503 route:1, 0.5 503 route:2, 0.5 503 route:2, 1.1 200 route:1", "503 503 503 503 200",
			"open 0#1, open 0.5#2, half-open 1.1#1, closed 1.1#1"}, nil, Closed},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := row.breaker.New()
			d := visiting(true, parseVisits(row.visits), append(row.outside, b)...)
			d.run(horizon)
			equal(t, "answers", d.outcomes(), row.answers)
			equal(t, "changes", changesOf(b.Signals()), row.changes)
			equal(t, "status", b.Signals().Status, row.status)
		})
	}
}

// TestBreakerOldestProbe: of all keys.
func TestBreakerOldestProbe(t *testing.T) {
	b := Breaker{Failures: 1, OpenFor: time.Second, Permits: 2, Per: PerRoute}.New()
	d := visiting(true, parseVisits("0 503 route:1, 0 503 route:2, 2 200 +3 route:2, 3 200 hang route:1, 4 200 hang route:1"), b)
	for _, row := range []struct {
		at     time.Duration
		probes int
		oldest string
	}{{1, 0, "0"}, {2, 1, "2"}, {3, 2, "2"}, {4, 3, "2"}, {5, 2, "3"}} {
		d.run(row.at * time.Second)
		g := b.Signals()
		equal(t, "probes", g.ProbesInFlight, row.probes)
		equal(t, "oldest", seconds(g.OldestProbe), row.oldest)
	}
}

// TestBreakerObserves: the state machine runs as a shadow; what it would have
// rejected goes through and moves no state.
func TestBreakerObserves(t *testing.T) {
	observe := twoWith(func(s *Breaker) { s.Observe = true })
	for _, row := range []struct {
		sentence, visits, answers, changes, counters string
	}{
		{"open, calls go through", "0 503, 0.1 503, 0.2 200, 0.3 503", "503 503 200 503",
			"open 0.1", "4 admitted, 1 good, 3 failed, 2 would-reject"},
		{"it becomes half-open and closes by a probe", "0 503, 0.1 503, 1.1 200, 1.2 200", "503 503 200 200",
			"open 0.1, half-open 1.1, closed 1.1", "4 admitted, 2 good, 2 failed, 1 probes"},
		{"half-open, only a probe decides", "0 503, 0.1 503, 1.1 200 +0.5, 1.2 503, 1.7 200", "503 503 200 503 200",
			"open 0.1, half-open 1.1, closed 1.6", "5 admitted, 2 good, 3 failed, 1 would-reject, 1 probes"},
		{"a call it would have rejected opens nothing when it ends later", "0 503, 0.1 503, 0.2 503 +2, 0.3 503 +2, 1.1 200, 3 200", "503 503 503 503 200 200",
			"open 0.1, half-open 1.1, closed 1.1", "6 admitted, 2 good, 4 failed, 2 would-reject, 1 probes"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := observe.New()
			d := visiting(true, parseVisits(row.visits), b)
			d.run(horizon)
			equal(t, "answers", d.outcomes(), row.answers)
			equal(t, "changes", changesOf(b.Signals()), row.changes)
			equal(t, "counters", countersOf(b.Signals()), row.counters)
		})
	}
}

// TestBreakerForced: an override rejects everything or nothing.
func TestBreakerForced(t *testing.T) {
	for _, row := range []struct {
		sentence          string
		forced            Forced
		observe           bool
		answers, counters string
		status            BreakerStatus
	}{
		{"open", ForcedOpen, false, "rejected rejected rejected", "3 rejected", Open},
		{"open, but observed", ForcedOpen, true, "503 503 200", "3 admitted, 1 good, 2 failed, 3 would-reject", Open},
		{"closed", ForcedClosed, false, "503 503 200", "3 admitted, 1 good, 2 failed", Closed},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := twoWith(func(s *Breaker) { s.Forced, s.Observe = row.forced, row.observe }).New()
			d := visiting(true, parseVisits("0 503, 0.1 503, 0.2 200"), b)
			d.run(horizon)
			equal(t, "answers", d.outcomes(), row.answers)
			equal(t, "counters", countersOf(b.Signals()), row.counters)
			equal(t, "changes", changesOf(b.Signals()), "")
			equal(t, "status", b.Signals().Status, row.status)
		})
	}
}

// TestBreakerForcedForAWhile: an override neither loses a permit nor the state.
func TestBreakerForcedForAWhile(t *testing.T) {
	b := two.New()
	d := visiting(true, parseVisits("0 503, 0.1 503, 1.1 503 +0.5, 1.5 503, 1.55 503 +1, 2 200, 3 200"), b)
	d.run(1200 * time.Millisecond)
	equal(t, "status", b.Signals().Status, HalfOpen)
	b.Forced = ForcedClosed
	d.run(1800 * time.Millisecond)
	equal(t, "status", b.Signals().Status, Closed)
	b.Forced = NotForced
	equal(t, "probes in flight", b.Signals().ProbesInFlight, 0)
	d.run(horizon)
	equal(t, "answers", d.outcomes(), "503 503 503 503 503 200 200")
	equal(t, "changes", changesOf(b.Signals()), "open 0.1, half-open 1.1, closed 2")
	equal(t, "counters", countersOf(b.Signals()), "7 admitted, 2 good, 5 failed, 2 probes")
}
