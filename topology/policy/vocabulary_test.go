package policy

import (
	"strings"
	"testing"
	"time"
)

// TestHedge: the copy, the first good answer, and what becomes of the loser.
func TestHedge(t *testing.T) {
	good, bad := Status(200), unavailable
	for _, row := range []struct {
		sentence           string
		passes             bool
		tail               tail
		hits, answer       string
		abandoned, stopped int
		ended              string
	}{
		{"a quick answer needs no copy", true, plan(good).taking(500 * time.Millisecond), "0", "200 at 0.5", 0, 0, "0.5"},
		{"a slow first is overtaken by its copy and stopped", true, plan(good).taking(5*time.Second, time.Second), "0 1", "200 at 2", 0, 1, "2"},
		{"a slow first that nobody stops works on", false, plan(good).taking(5*time.Second, time.Second), "0 1", "200 at 2", 1, 0, "5"},
		{"the first may still win", true, plan(good).taking(3 * time.Second), "0 1", "200 at 3", 0, 1, "3"},
		{"a bad answer does not win", true, plan(good, bad).taking(5*time.Second, time.Second), "0 1", "200 at 5", 0, 0, "5"},
		{"two bad answers are one", true, always(bad).taking(5*time.Second, time.Second), "0 1", "503 at 5", 0, 0, "5"},
		{"a quick failure brings the copy at once", true, always(bad), "0 0", "503 at 0", 0, 0, "0"},
		{"what no copy can cure is an answer", true, always(Status(404)), "0", "404 at 0", 0, 0, "0"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			d := newDriver([]Policy{hedgeAfter(time.Second)}, row.passes, row.tail)
			c := d.start(0, Request{})
			d.run(horizon)
			equal(t, "hits", c.hits(), row.hits)
			equal(t, "answer", c.result(), row.answer)
			equal(t, "abandoned", c.abandoned, row.abandoned)
			equal(t, "stopped", c.stopped, row.stopped)
			equal(t, "ended", seconds(c.ended), row.ended)
			equal(t, "faults", strings.Join(d.faults, "; "), "")
		})
	}
}

// TestHedgeOfRetries: a stack below a hedge is one copy each.
func TestHedgeOfRetries(t *testing.T) {
	d := newDriver([]Policy{hedgeAfter(2 * time.Second), &Retry{Attempts: 3, Rest: Rest{Base: time.Second}}}, true,
		always(unavailable).taking(time.Second))
	c := d.start(0, Request{})
	d.run(horizon)
	equal(t, "hits (0, 2, 4 and from 2 s on 2, 4, 6)", c.hits(), "0 2 2 4 4 6")
	equal(t, "answer", c.result(), "503 at 7")
}

// line starts n calls at one instant.
func (d *driver) line(n int, at Instant) []*call {
	calls := make([]*call, n)
	for i := range calls {
		calls[i] = d.start(at, Request{})
	}
	return calls
}

func results(calls []*call) string {
	words := make([]string, len(calls))
	for i, c := range calls {
		words[i] = c.result()
	}
	return strings.Join(words, ", ")
}

// idleNow fails the test unless every permit came back and nobody waits.
func (s *BulkheadState) idleNow(t *testing.T, d *driver) {
	t.Helper()
	equal(t, "in use", s.Signals().InUse, 0)
	equal(t, "waiting", s.Signals().Waiting, 0)
	equal(t, "calls", d.edge.Calls(), 0)
	equal(t, "faults", strings.Join(d.faults, "; "), "")
}

// TestBulkheadIsFair: first come, first served, at the instant of the release.
func TestBulkheadIsFair(t *testing.T) {
	b := Bulkhead{Limit: 1, Wait: time.Minute}.New()
	d := newDriver([]Policy{b}, true, always(Status(200)).taking(time.Second))
	calls := d.line(4, 0)
	d.run(horizon)
	equal(t, "answers", results(calls), "200 at 1, 200 at 2, 200 at 3, 200 at 4")
	equal(t, "hit of the last", calls[3].hits(), "3")
	b.idleNow(t, d)
}

// TestBulkheadForgetsWhoLeft is case A08: a waiter that timed out keeps no place
// in the line, so no permit is handed to nobody.
func TestBulkheadForgetsWhoLeft(t *testing.T) {
	for _, limit := range []int{1, 8} {
		b := Bulkhead{Limit: limit, Wait: 100 * time.Millisecond}.New()
		d := newDriver([]Policy{b}, true, always(Status(200)).taking(time.Second))
		admitted, refused := d.line(limit, 0), d.line(limit, 0)
		later := d.line(limit, at(1100*time.Millisecond))
		d.run(horizon)
		for i := range limit {
			equal(t, "admitted", admitted[i].result(), "200 at 1")
			equal(t, "refused", refused[i].result(), "rejected at 0.1")
			equal(t, "refused hits", refused[i].hits(), "")
			equal(t, "wave 2", later[i].result(), "200 at 2.1")
		}
		b.idleNow(t, d)
	}
}

// TestBulkheadTie: at one instant the release comes before the end of the wait.
func TestBulkheadTie(t *testing.T) {
	b := Bulkhead{Limit: 1, Wait: time.Second}.New()
	d := newDriver([]Policy{b}, true, always(Status(200)).taking(time.Second))
	calls := d.line(3, 0)
	d.run(horizon)
	equal(t, "answers", results(calls), "200 at 1, 200 at 2, rejected at 1")
	b.idleNow(t, d)
}

// TestBulkheadCancelledWaiter: who left the line is passed over.
func TestBulkheadCancelledWaiter(t *testing.T) {
	b := Bulkhead{Limit: 1, Wait: time.Minute}.New()
	d := newDriver([]Policy{b}, true, always(Status(200)).taking(time.Second))
	calls := d.line(3, 0)
	d.cancel(at(500*time.Millisecond), calls[1])
	d.run(horizon)
	equal(t, "answers", results(calls), "200 at 1, cancelled at 0.5, 200 at 2")
	equal(t, "hits of the second", calls[1].hits(), "")
	equal(t, "ended", seconds(calls[1].ended), "0.5")
	b.idleNow(t, d)
}

// TestBulkheadCancelledHolder: the permit comes back once, whether an attempt or
// another policy is directly inside.
func TestBulkheadCancelledHolder(t *testing.T) {
	retry := &Retry{Attempts: 3, Rest: Rest{Base: time.Second}}
	for name, inside := range map[string][]Policy{
		"attempt":         nil,
		"retry":           {retry},
		"retry in a rest": {retry},
		"two more":        {&TimeoutAfter{Limit: time.Minute}, retry, &TimeoutAfter{Limit: time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			b := Bulkhead{Limit: 1, Wait: time.Minute}.New()
			d := newDriver(append([]Policy{b}, inside...), true, func(_ int, now Instant) (Outcome, time.Duration) {
				switch {
				case now > 0: // the second call
					return Status(200), 300 * time.Millisecond
				case name == "retry in a rest":
					return unavailable, 0
				}
				return Status(200), hang
			})
			calls := d.line(2, 0)
			d.cancel(at(200*time.Millisecond), calls[0])
			d.run(horizon)
			equal(t, "answers", results(calls), "cancelled at 0.2, 200 at 0.5")
			b.idleNow(t, d)
		})
	}
}

// TestBulkheadHoldsForOrphans: work that nobody waits for still fills its place,
// and gives it back when it ends.
func TestBulkheadHoldsForOrphans(t *testing.T) {
	for _, row := range []struct {
		sentence string
		passes   bool
		answers  string
		last     string // hit of the third call
	}{
		{"not passed down, the place is taken until 3 s", false, "timeout at 1, timeout at 2, timeout at 3.5", "3"},
		{"passed down, the place is free at 1 s", true, "timeout at 1, timeout at 2, timeout at 3.5", "2.5"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := Bulkhead{Limit: 1, Wait: 1500 * time.Millisecond}.New()
			d := newDriver([]Policy{&TimeoutAfter{Limit: time.Second}, b}, row.passes, always(Status(200)).taking(3*time.Second))
			calls := []*call{d.start(0, Request{}), d.start(at(time.Second), Request{}), d.start(at(2500*time.Millisecond), Request{})}
			d.run(horizon)
			equal(t, "answers", results(calls), row.answers)
			equal(t, "third call's hit", calls[2].hits(), row.last)
			b.idleNow(t, d)
		})
	}
}

// TestBulkheadGrantsOrphan: a call that is still in line when its caller's
// timeout comes is served all the same; its hit is an orphan.
func TestBulkheadGrantsOrphan(t *testing.T) {
	b := Bulkhead{Limit: 1, Wait: time.Minute}.New()
	d := newDriver([]Policy{&TimeoutAfter{Limit: time.Second}, b}, false, always(Status(200)).taking(3*time.Second))
	calls := d.line(2, 0)
	d.run(horizon)
	equal(t, "answers", results(calls), "timeout at 1, timeout at 1")
	equal(t, "second call's hit", calls[1].hits(), "3")
	equal(t, "orphan", calls[1].orphans, 1)
	equal(t, "ended", seconds(calls[1].ended), "6")
	b.idleNow(t, d)
}

// TestCopiesCount: each copy of a hedge takes a place of its own. A place goes
// to the first in line after the caller has heard of the answer that freed it; so
// a copy of the very call that is being answered leaves the line and is never sent.
func TestCopiesCount(t *testing.T) {
	slow := always(Status(200)).taking(3 * time.Second)
	for _, row := range []struct {
		sentence      string
		limit         int
		passes        bool
		first, second string // hits
		ended         string
	}{
		{"four places for two calls and their copies", 4, true, "0 1", "0.5 1.5", "3.5"},
		{"with three, the second copy waits for the first call", 3, true, "0 1", "0.5 3", "3.5"},
		{"with two, the first copy leaves the line with its call", 2, true, "0", "0.5 3", "3.5"},
		{"with one, so does the second", 1, true, "0", "3", "6"},
		{"not passed down, every copy is served in the end", 1, false, "0 6", "3 9", "12"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			b := Bulkhead{Limit: row.limit, Wait: time.Minute}.New()
			d := newDriver([]Policy{hedgeAfter(time.Second), b}, row.passes, slow)
			calls := []*call{d.start(0, Request{}), d.start(at(500*time.Millisecond), Request{})}
			d.run(horizon)
			equal(t, "first call's hits", calls[0].hits(), row.first)
			equal(t, "second call's hits", calls[1].hits(), row.second)
			equal(t, "ended", seconds(max(calls[0].ended, calls[1].ended)), row.ended)
			b.idleNow(t, d)
		})
	}
}
