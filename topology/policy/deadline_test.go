package policy

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// nineOf60 is what three layers of three attempts come to, on one edge.
func nineOf60(w Within) []Policy { return []Policy{&w, &Retry{Attempts: 3}, &Retry{Attempts: 3}} }

// TestWithinTimeline is what a deadline does to the attempts and to the caller.
func TestWithinTimeline(t *testing.T) {
	const s = time.Second
	failing60 := always(unavailable).taking(60 * ms)
	hanging := always(Status(200)).taking(hang)
	around := func(w Within, r Retry) []Policy { return []Policy{&w, &r} }
	each := Retry{Attempts: 9, Rest: Rest{Base: s}}
	for _, row := range []struct {
		sentence     string
		stack        []Policy
		tail         tail
		hits, answer string
		stopped      int
	}{
		{"neither: nine attempts of 60 ms", nineOf60(Within{Limit: 300 * ms}), failing60, "0 0.06 0.12 0.18 0.24 0.3 0.36 0.42 0.48", "503 at 0.54", 0},
		{"checked: none begins at 300 ms or later", nineOf60(Within{Limit: 300 * ms, Check: true}), failing60, "0 0.06 0.12 0.18 0.24", "timeout at 0.3", 0},
		{"checked: a nanosecond more allows one more", nineOf60(Within{Limit: 300*ms + 1, Check: true}), failing60, "0 0.06 0.12 0.18 0.24 0.3", "timeout at 0.36", 0},
		{"enforced: the sixth is stopped soon", nineOf60(Within{Limit: 310 * ms, Enforce: true}), failing60, "0 0.06 0.12 0.18 0.24 0.3", "timeout at 0.31", 1},
		{"both: no attempt in vain, no wait in vain", nineOf60(Within{Limit: 290 * ms, Check: true, Enforce: true}), failing60, "0 0.06 0.12 0.18 0.24", "timeout at 0.29", 1},

		{"checked: a running attempt is waited for", around(Within{Limit: 2 * s, Check: true}, each), always(Status(200)).taking(5 * s), "0", "200 at 5", 0},
		{"checked: and its failure is then too late", around(Within{Limit: 2 * s, Check: true}, each), always(unavailable).taking(5 * s), "0", "timeout at 5", 0},
		{"enforced: a running attempt is not waited for", around(Within{Limit: 2 * s, Enforce: true}, each), hanging, "0", "timeout at 2", 1},
		{"enforced: at one instant the answer comes first", around(Within{Limit: 2 * s, Enforce: true}, each), always(Status(200)).taking(2 * s), "0", "200 at 2", 0},
		{"enforced: a rest is interrupted", around(Within{Limit: 2500 * ms, Enforce: true}, each), always(unavailable), "0 1 2", "timeout at 2.5", 0},
		{"enforced: at one instant the deadline comes before the attempt", around(Within{Limit: 2 * s, Enforce: true}, each), always(unavailable), "0 1", "timeout at 2", 0},

		{"checked: a rest that would end after it is not begun", around(Within{Limit: 2500 * ms, Check: true}, each), always(unavailable), "0 1 2", "timeout at 2", 0},
		{"checked: nor one that would end at it", around(Within{Limit: 2 * s, Check: true}, each), always(unavailable), "0 1", "timeout at 1", 0},
		{"checked: nor one that the server asks for", around(Within{Limit: 9 * s, Check: true}, each), always(askingFor(Longest)), "0", "timeout at 0", 0},
		{"checked: nor one that is in vain anyway", around(Within{Limit: 50 * s, Check: true}, Retry{Attempts: 9, Rest: capped(Stop)}), always(unavailable), "0 1 3 7 15 31", "timeout at 31", 0},
		{"a failure that stands is no timeout", around(Within{Limit: 2 * s, Check: true}, Retry{Attempts: 2, Rest: Rest{Base: s}}), always(unavailable), "0 1", "503 at 1", 0},
		{"nor is one that no retry can cure", around(Within{Limit: 2 * s, Check: true}, each), always(Status(404)).taking(3 * s), "0", "404 at 3", 0},

		{"useful: exactly that left is enough", around(Within{Limit: 3 * s, Check: true, Useful: s}, each), always(unavailable), "0 1 2", "timeout at 2", 0},
		{"useful: less is not", around(Within{Limit: 3 * s, Check: true, Useful: s + 1}, each), always(unavailable), "0 1", "timeout at 1", 0},
		{"useful: not even for the first attempt", around(Within{Limit: 3 * s, Check: true, Useful: 3*s + 1}, each), always(unavailable), "", "timeout at 0", 0},
		{"useful: just enough for the first attempt", around(Within{Limit: 3 * s, Check: true, Useful: 3 * s}, each), always(unavailable), "0", "timeout at 0", 0},
		{"useful means nothing unless checked", around(Within{Limit: 1500 * ms, Enforce: true, Useful: 9 * s}, each), always(unavailable), "0 1", "timeout at 1.5", 0},

		{"no limit and none that came in: none", around(Within{Check: true, Enforce: true, Useful: s}, each), always(unavailable), "0 1 2 3 4 5 6 7 8", "503 at 8", 0},
		{"no limit waits for ever if a server asks for it", around(Within{Check: true, Enforce: true}, each), always(askingFor(Longest)), "0", "unanswered", 0},
		{"inside a retry it bounds the whole call, too, and tells the retry if checked", []Policy{&each, &Within{Limit: 1500 * ms, Check: true, Enforce: true}}, hanging, "0", "timeout at 1.5", 1},
		{"inside a retry and only enforced, the rests go on: put it outside", []Policy{&each, &Within{Limit: 1500 * ms, Enforce: true}}, hanging, "0", "timeout at 9.5", 1},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			c := alone(row.stack, row.tail, horizon)
			equal(t, "hits", c.hits(), row.hits)
			equal(t, "answer", c.result(), row.answer)
			equal(t, "stopped", c.stopped, row.stopped)
			equal(t, "rests in vain", strings.Count(strings.Join(c.notes, ","), "wasted"), 0)
		})
	}
}

// TestWithinWhatCameIn: the earlier of the edge's own limit and what came in
// counts, and a deadline that has passed on arrival makes no attempt.
func TestWithinWhatCameIn(t *testing.T) {
	const s = int64(time.Second)
	for _, row := range []struct {
		sentence string
		own      time.Duration
		in       Deadline
		hits     string // of attempts with 1 s between, from 100 s on
		answer   string
	}{
		{"the own limit alone", 2 * time.Second, Deadline{}, "100 101", "timeout at 101"},
		{"a mode of Kept brings nothing", 2 * time.Second, Deadline{Kept, 1}, "100 101", "timeout at 101"},
		{"an instant alone", 0, Deadline{Absolute, 102 * s}, "100 101", "timeout at 101"},
		{"a remaining time alone", 0, Deadline{Remaining, 2 * s}, "100 101", "timeout at 101"},
		{"a time for each hop alone", 0, Deadline{PerHop, 2 * s}, "100 101", "timeout at 101"},
		{"an instant before the own limit", 5 * time.Second, Deadline{Absolute, 102 * s}, "100 101", "timeout at 101"},
		{"an instant after it", 2 * time.Second, Deadline{Absolute, 109 * s}, "100 101", "timeout at 101"},
		{"a remaining time below it", 5 * time.Second, Deadline{Remaining, 2 * s}, "100 101", "timeout at 101"},
		{"a remaining time above it", 2 * time.Second, Deadline{Remaining, 9 * s}, "100 101", "timeout at 101"},
		{"a time for each hop below it", 5 * time.Second, Deadline{PerHop, 2 * s}, "100 101", "timeout at 101"},
		{"a time for each hop above it", 2 * time.Second, Deadline{PerHop, 9 * s}, "100 101", "timeout at 101"},
		{"centuries are no limit", 0, Deadline{Remaining, math.MaxInt64}, "100 101 102 103", "503 at 103"},

		{"an instant that is now", 0, Deadline{Absolute, 100 * s}, "", "timeout at 100"},
		{"one nanosecond later", 0, Deadline{Absolute, 100*s + 1}, "100", "timeout at 100"},
		{"an instant that has passed", 5 * time.Second, Deadline{Absolute, 99 * s}, "", "timeout at 100"},
		{"the release of the run", 0, Deadline{Absolute, 0}, "", "timeout at 100"},
		{"an instant before the run, by a skewed clock", 0, Deadline{Absolute, -s}, "", "timeout at 100"},
		{"the first instant there is", 5 * time.Second, Deadline{Absolute, math.MinInt64}, "", "timeout at 100"},
		{"nothing remains", 5 * time.Second, Deadline{Remaining, 0}, "", "timeout at 100"},
		{"less than nothing remains", 0, Deadline{Remaining, -s}, "", "timeout at 100"},
		{"no time for a hop", 5 * time.Second, Deadline{PerHop, 0}, "", "timeout at 100"},
		{"less than no time for a hop", 0, Deadline{PerHop, math.MinInt64}, "", "timeout at 100"},
	} {
		w := Within{Limit: row.own, Check: true}
		c, _ := witnessed([]Policy{&w, &Retry{Attempts: 4, Rest: Rest{Base: time.Second}}}, always(unavailable), Request{Deadline: row.in}, at(100*time.Second))
		equal(t, row.sentence, c.hits(), row.hits)
		equal(t, row.sentence, c.result(), row.answer)
	}
}

// TestPassedOnArrival: also at the very release of the run, and whichever switch
// is on. With neither there is nothing that would look.
func TestPassedOnArrival(t *testing.T) {
	for _, start := range []Instant{0, 1, at(time.Minute)} {
		for _, in := range []Deadline{{Absolute, int64(start)}, {Absolute, -5}, {Absolute, math.MinInt64}, {Remaining, 0}, {Remaining, -5}, {PerHop, 0}, {PerHop, -5}} {
			for _, w := range []Within{{Check: true}, {Enforce: true}, {Check: true, Enforce: true}, {Limit: time.Hour, Enforce: true}} {
				what := fmt.Sprintf("%+v at %d of %+v", in, start, w)
				c, sent := witnessed([]Policy{&w, &Retry{Attempts: 2}}, always(unavailable), Request{Deadline: in}, start)
				equal(t, what, len(sent), 0)
				equal(t, what, c.result(), "timeout at "+seconds(start))
				equal(t, what+": timers", c.forgotten, 0)
			}
			c, _ := witnessed([]Policy{&Within{}, &Retry{Attempts: 2}}, always(unavailable), Request{Deadline: in}, start)
			equal(t, "neither", len(c.sends), 2)
		}
	}
}

// TestDeadlineGoesOn: what an attempt takes along, for each mode. The attempts
// begin at 100, 101 and 102 s.
func TestDeadlineGoesOn(t *testing.T) {
	const s = int64(time.Second)
	none := Deadline{}
	all := func(d Deadline) []Deadline { return []Deadline{d, d, d} }
	for _, row := range []struct {
		sentence string
		within   Within
		in       Deadline
		want     []Deadline
	}{
		{"kept is kept", Within{Limit: 10 * time.Second}, none, all(none)},
		{"kept keeps what came in, too", Within{}, Deadline{Remaining, 10 * s}, all(none)},
		{"an instant stays", Within{Limit: 10 * time.Second, Mode: Absolute}, none, all(Deadline{Absolute, 110 * s})},
		{"a remaining time shrinks", Within{Limit: 10 * time.Second, Mode: Remaining}, none, []Deadline{{Remaining, 10 * s}, {Remaining, 9 * s}, {Remaining, 8 * s}}},
		{"a time for each hop stays", Within{Limit: 10 * time.Second, Mode: PerHop}, none, all(Deadline{PerHop, 10 * s})},
		{"what came in as an instant goes on as what remains", Within{Mode: Remaining}, Deadline{Absolute, 105 * s}, []Deadline{{Remaining, 5 * s}, {Remaining, 4 * s}, {Remaining, 3 * s}}},
		{"what remained goes on as an instant", Within{Mode: Absolute}, Deadline{Remaining, 5 * s}, all(Deadline{Absolute, 105 * s})},
		{"the earlier one goes on: it came in", Within{Limit: 10 * time.Second, Mode: Absolute}, Deadline{Remaining, 5 * s}, all(Deadline{Absolute, 105 * s})},
		{"the earlier one goes on: the own", Within{Limit: 4 * time.Second, Mode: Absolute}, Deadline{Remaining, 5 * s}, all(Deadline{Absolute, 104 * s})},
		{"a time for each hop goes from hop to hop", Within{Mode: PerHop}, Deadline{PerHop, 5 * s}, all(Deadline{PerHop, 5 * s})},
		{"the shorter one does: it came in", Within{Limit: 10 * time.Second, Mode: PerHop}, Deadline{PerHop, 5 * s}, all(Deadline{PerHop, 5 * s})},
		{"the shorter one does: the own", Within{Limit: 4 * time.Second, Mode: PerHop}, Deadline{PerHop, 5 * s}, all(Deadline{PerHop, 4 * s})},
		{"an instant has no length", Within{Mode: PerHop}, Deadline{Absolute, 105 * s}, all(none)},
		{"no deadline, nothing to send", Within{Mode: Absolute}, none, all(none)},
		{"nor here", Within{Mode: Remaining}, none, all(none)},
		{"nor here: for each hop", Within{Mode: PerHop}, none, all(none)},
		{"one that has passed is sent on as such", Within{Mode: Remaining}, Deadline{Remaining, s}, []Deadline{{Remaining, s}, {Remaining, 0}, {Remaining, 0}}},
		{"also an instant before the run", Within{Mode: Absolute}, Deadline{Absolute, -7}, all(Deadline{Absolute, -7})},
		{"also the release of the run", Within{Mode: Absolute}, Deadline{Absolute, 0}, all(Deadline{Absolute, 0})},
	} {
		_, sent := witnessed([]Policy{&row.within, &Retry{Attempts: 3, Rest: Rest{Base: time.Second}}}, always(unavailable), Request{Deadline: row.in}, at(100*time.Second))
		equal(t, row.sentence, len(sent), len(row.want))
		for i, a := range sent {
			equal(t, row.sentence, a.Deadline, row.want[i])
		}
	}
}

// TestTimeoutGoesOn: what an attempt takes along of the timeouts around it. The
// attempts begin at 100, 101.5 and 103 s: each is stopped after a second, unless said
// otherwise, and rests for half of one.
func TestTimeoutGoesOn(t *testing.T) {
	const s = int64(time.Second)
	half := &Retry{Attempts: 3, Rest: Rest{Base: 500 * ms}}
	each := func(mode DeadlineMode) *TimeoutAfter { return &TimeoutAfter{Limit: time.Second, Mode: mode} }
	around := func(w Within) *Within { w.Limit = 2 * time.Second; return &w }
	for _, row := range []struct {
		sentence string
		stack    []Policy
		want     []Deadline
	}{
		{"kept is kept", []Policy{half, each(Kept)}, []Deadline{{}, {}, {}}},
		{"each attempt has the whole of its own", []Policy{half, each(Remaining)}, []Deadline{{Remaining, s}, {Remaining, s}, {Remaining, s}}},
		{"as an instant", []Policy{half, each(Absolute)}, []Deadline{{Absolute, 101 * s}, {Absolute, 102*s + s/2}, {Absolute, 104 * s}}},
		{"around the retry it is that of the call", []Policy{&TimeoutAfter{Limit: 4 * time.Second, Mode: Remaining}, half, each(Kept)},
			[]Deadline{{Remaining, 4 * s}, {Remaining, 5 * s / 2}, {Remaining, s}}},
		{"the earlier of two goes, by its own mode", []Policy{&TimeoutAfter{Limit: 2400 * ms, Mode: Absolute}, half, each(Remaining)},
			[]Deadline{{Remaining, s}, {Absolute, 102*s + 2*s/5}}},
		{"also of a timeout and a deadline", []Policy{around(Within{Mode: Absolute}), half, each(Remaining)},
			[]Deadline{{Remaining, s}, {Absolute, 102 * s}, {Absolute, 102 * s}}},
		{"also of one that is whole at every hop", []Policy{around(Within{Mode: PerHop}), half, each(Remaining)}, []Deadline{{Remaining, s}, {Remaining, s}, {Remaining, s}}},
		{"which may be the earlier", []Policy{around(Within{Mode: PerHop}), half, &TimeoutAfter{Limit: 3 * time.Second, Mode: Remaining}}, []Deadline{{PerHop, 2 * s}, {PerHop, 2 * s}, {PerHop, 2 * s}}},
		{"a deadline that is kept does not go instead", []Policy{around(Within{Check: true}), half, each(Remaining)}, []Deadline{{Remaining, s}, {Remaining, s}}},
		{"for another route", []Policy{half, each(Kept), &Only{Policy: &TimeoutAfter{Limit: time.Second / 2, Mode: Remaining}, Route: 1}}, []Deadline{{}, {}, {}}},
		{"of copies each has its own", []Policy{Hedge{Delay: 300 * ms, Max: 2}.New(), each(Absolute)}, []Deadline{{Absolute, 101 * s}, {Absolute, 101*s + 3*s/10}}},
		{"and all that of the call", []Policy{each(Remaining), Hedge{Delay: 300 * ms, Max: 2}.New()}, []Deadline{{Remaining, s}, {Remaining, 7 * s / 10}}},
	} {
		_, sent := witnessed(row.stack, always(Status(200)).taking(hang), Request{}, at(100*time.Second))
		var got []Deadline
		for _, a := range sent {
			got = append(got, a.Deadline)
		}
		equal(t, row.sentence, fmt.Sprint(got), fmt.Sprint(row.want))
	}
}

// TestWithoutWithin: an edge that does not know of deadlines sends none on, even
// where another policy asks what the call shares.
func TestWithoutWithin(t *testing.T) {
	for _, stack := range [][]Policy{nil, {&Retry{Attempts: 3}}, {&Retry{Attempts: 3, MaxElapsed: time.Minute}}} {
		c, sent := witnessed(stack, always(unavailable), Request{Deadline: Deadline{Absolute, 1}}, at(time.Second))
		equal(t, "deadline", sent[0].Deadline, Deadline{})
		equal(t, "answer", c.result(), "503 at 1")
	}
}

// TestHops follows a deadline of 10 s down a chain in which a request waits 4 s on
// its way to each next service: where it stands in the end by the clock of that
// service, and that no mode is free of error.
func TestHops(t *testing.T) {
	for _, row := range []struct {
		sentence string
		mode     DeadlineMode
		skew     time.Duration // of every other clock, which only an instant depends on
		ends     string        // in seconds of true time, seen from each service
	}{
		{"kept: the next services know of none", Kept, 0, "10 none none"},
		{"an instant stays one", Absolute, 0, "10 10 10"},
		{"by a clock that is 7 s ahead it has 7 s less", Absolute, 7 * time.Second, "10 3 3"},
		{"what remains forgets the way", Remaining, 0, "10 14 18"},
		{"each hop starts its clock anew", PerHop, 0, "10 14 18"},
	} {
		d, now, ends := Deadline{}, Instant(0), ""
		for hop := range 3 {
			clock := now
			if hop > 0 {
				clock = now.Add(row.skew)
			}
			look := &asking{}
			w := &Within{Mode: row.mode}
			if hop == 0 {
				w.Limit = 10 * time.Second
			}
			_, sent := witnessed([]Policy{w, look}, always(Status(200)), Request{Deadline: d}, clock)
			if end := look.saw[0].Deadline; end == Never {
				ends += " none"
			} else {
				ends += " " + seconds(end-(clock-now))
			}
			d, now = sent[0].Deadline, now.Add(4*time.Second)
		}
		equal(t, row.sentence, ends[1:], row.ends)
	}
}

// TestEnforcedLeavesTheWork: the caller is gone at the deadline in any case; what
// becomes of the work is a matter of passing the cancellation down, and of the check.
func TestEnforcedLeavesTheWork(t *testing.T) {
	for _, row := range []struct {
		sentence                    string
		check, passes               bool
		takes                       time.Duration
		hits                        string
		orphans, abandoned, stopped int
		ended                       string
	}{
		{"in an attempt, passed down", false, true, 3 * time.Second, "0", 0, 0, 1, "2"},
		{"in a rest, passed down", false, true, 1500 * ms, "0", 0, 0, 0, "2"},
		{"in an attempt: all attempts go on for nobody", false, false, 3 * time.Second, "0 4 8", 2, 1, 0, "11"},
		{"in a rest: likewise", false, false, 1500 * ms, "0 2.5 5", 2, 0, 0, "6.5"},
		{"in an attempt, checked: no further one", true, false, 3 * time.Second, "0", 0, 1, 0, "3"},
		{"before a rest, checked: it is not even begun", true, false, 1500 * ms, "0", 0, 0, 0, "1.5"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			w := &Within{Limit: 2 * time.Second, Enforce: true, Check: row.check}
			d := newDriver([]Policy{w, &Retry{Attempts: 3, Rest: Rest{Base: time.Second}}}, row.passes, always(unavailable).taking(row.takes))
			c := d.start(0, Request{})
			d.run(horizon)
			want := "timeout at 2"
			if row.check && row.takes < 2*time.Second {
				want = "timeout at 1.5"
			}
			equal(t, "answer", c.result(), want)
			equal(t, "hits", c.hits(), row.hits)
			equal(t, "orphan hits, abandoned, stopped", fmt.Sprint(c.orphans, c.abandoned, c.stopped), fmt.Sprint(row.orphans, row.abandoned, row.stopped))
			equal(t, "ended", seconds(c.ended), row.ended)
			equal(t, "faults", strings.Join(d.faults, "; "), "")
		})
	}
}

// TestLateTimer: a real timer comes late, and then an attempt that was planned
// before the deadline would begin after it.
func TestLateTimer(t *testing.T) {
	e := NewEdge(1, []Policy{&Within{Limit: 2 * time.Second, Check: true}, &Retry{Attempts: 9, Rest: Rest{Base: time.Second}}}, true)
	_, list := e.Start(Request{}, 0, nil)
	wake := e.Done(list[0].Ref, unavailable, 0, nil)[0]
	equal(t, "planned", wake.At, at(time.Second))
	equal(t, "a second late", script(e.Timer(wake.Ref, wake.Arming, at(2*time.Second), nil)), "late, answer timeout, end")
}

// TestLateOutOfAQueue: so may who waited for a place before the first attempt.
func TestLateOutOfAQueue(t *testing.T) {
	b := Bulkhead{Limit: 1}.New()
	d := newDriver([]Policy{&Within{Limit: 2 * time.Second, Check: true}, b, &Retry{Attempts: 2}}, true, always(Status(200)).taking(1500*ms))
	calls := d.line(3, 0)
	d.run(horizon)
	equal(t, "answers", results(calls), "200 at 1.5, 200 at 3, timeout at 3")
	equal(t, "hits of the last", calls[2].hits(), "")
	b.idleNow(t, d)
}

// TestLimitCountsFromTheCall: a queue before the deadline's layer costs time, too.
func TestLimitCountsFromTheCall(t *testing.T) {
	b := Bulkhead{Limit: 1}.New()
	d := newDriver([]Policy{b, &Within{Limit: 2 * time.Second, Enforce: true}}, true, always(Status(200)).taking(1500*ms))
	calls := d.line(3, 0)
	d.run(horizon)
	equal(t, "answers", results(calls), "200 at 1.5, timeout at 2, timeout at 2")
	equal(t, "hits of the second", calls[1].hits(), "1.5")
	b.idleNow(t, d)
}
