package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// names of actions, as the tests of single steps write them.
func script(actions []Action) string {
	words := make([]string, len(actions))
	for i, a := range actions {
		switch a.Kind {
		case Send:
			words[i] = fmt.Sprintf("send %d", a.Number)
		case Abandon:
			words[i] = map[bool]string{false: "abandon", true: "stop"}[a.Cancel]
		case Wake:
			words[i] = "wake at " + seconds(a.At) + map[bool]string{true: " from rest"}[a.Rest]
		case Forget:
			words[i] = "forget"
		case Answer:
			words[i] = "answer " + a.Outcome.String()
		case End:
			words[i] = "end"
		case Remark:
			words[i] = noteNames[a.Note]
		}
	}
	return strings.Join(words, ", ")
}

// TestEmptyStack: an edge without policies sends once and passes on.
func TestEmptyStack(t *testing.T) {
	e := NewEdge(1, nil, true)
	root, actions := e.Start(Request{}, 0, nil)
	equal(t, "start", script(actions), "send 1")
	equal(t, "the attempt is the call", actions[0].Ref, root)
	equal(t, "calls", e.Calls(), 1)
	equal(t, "done", script(e.Done(root, Status(200), at(time.Second), nil)), "answer 200, end")
	equal(t, "calls", e.Calls(), 0)
}

// TestEmptyStackCancelled: there is no policy that could answer at once, so the
// call is answered when the attempt has been stopped.
func TestEmptyStackCancelled(t *testing.T) {
	e := NewEdge(1, nil, true)
	root, _ := e.Start(Request{}, 0, nil)
	equal(t, "cancel", script(e.Cancel(root, 1, nil)), "stop")
	equal(t, "again", script(e.Cancel(root, 1, nil)), "")
	equal(t, "done", script(e.Done(root, Failed(Cancelled), 2, nil)), "answer cancelled, end")
}

// TestActionsAreAppended: what the driver has in its list stays there.
func TestActionsAreAppended(t *testing.T) {
	e := NewEdge(1, nil, true)
	a, list := e.Start(Request{}, 0, nil)
	b, list := e.Start(Request{}, 0, list)
	list = e.Done(b, Status(200), 1, list)
	list = e.Done(a, Status(503), 1, list)
	equal(t, "actions", script(list), "send 1, send 1, answer 200, end, answer 503, end")
	equal(t, "calls differ", a == b, false)
	equal(t, "root of the last answer", list[4].Root, a)
}

// TestRestOfZero: even a rest of nothing goes through the engine, which alone
// can let replies of the same instant come first.
func TestRestOfZero(t *testing.T) {
	e := NewEdge(1, []Policy{&Retry{Attempts: 2}}, true)
	_, actions := e.Start(Request{}, 0, nil)
	actions = e.Done(actions[0].Ref, unavailable, at(time.Second), nil)
	equal(t, "done", script(actions), "wake at 1 from rest")
	actions = e.Timer(actions[0].Ref, actions[0].Arming, at(time.Second), nil)
	equal(t, "timer", script(actions), "send 2")
}

// TestWakeTellsRestsFromTimeouts: the engine orders them at one instant.
func TestWakeTellsRestsFromTimeouts(t *testing.T) {
	e := NewEdge(1, []Policy{&TimeoutAfter{Limit: 9 * time.Second}, &Retry{Attempts: 2, Rest: Rest{Base: time.Second}}}, true)
	_, actions := e.Start(Request{}, 0, nil)
	equal(t, "start", script(actions), "wake at 9, send 1")
	actions = e.Done(actions[1].Ref, unavailable, 0, nil)
	equal(t, "done", script(actions), "wake at 1 from rest")

	e = NewEdge(1, []Policy{Bulkhead{Limit: 1, Wait: time.Second}.New()}, true)
	_, _ = e.Start(Request{}, 0, nil)
	_, actions = e.Start(Request{}, 0, nil)
	equal(t, "waiting in line ends like a timeout", script(actions), "wake at 1")
}

// TestStaleTimers: a timer that was replaced, forgotten, or whose call has
// ended does nothing, also when its slot is used again.
func TestStaleTimers(t *testing.T) {
	e := NewEdge(1, []Policy{&Retry{Attempts: 3, Rest: Rest{Base: time.Second}}}, true)
	root, actions := e.Start(Request{}, 0, nil)
	first := e.Done(actions[0].Ref, unavailable, 0, nil)[0]
	equal(t, "a timer with another arming", script(e.Timer(first.Ref, first.Arming+1, 1, nil)), "")
	equal(t, "the timer itself", script(e.Timer(first.Ref, first.Arming, 1, nil)), "send 2")
	equal(t, "the timer again", script(e.Timer(first.Ref, first.Arming, 1, nil)), "")

	cancelled := e.Cancel(root, 2, nil)
	equal(t, "cancel", script(cancelled), "stop, answer cancelled")
	equal(t, "cancel again", script(e.Cancel(root, 2, nil)), "")
	equal(t, "done", script(e.Done(cancelled[0].Ref, Failed(Cancelled), 2, nil)), "end")
	equal(t, "done again", script(e.Done(cancelled[0].Ref, Failed(Cancelled), 2, nil)), "")
	equal(t, "cancel after the end", script(e.Cancel(root, 2, nil)), "")

	again, actions := e.Start(Request{}, 3, nil)
	equal(t, "the slot is used again", again.slot, root.slot)
	e.Done(actions[0].Ref, unavailable, 3, nil)
	equal(t, "an old timer with a current arming", script(e.Timer(first.Ref, first.Arming, 4, nil)), "")
	equal(t, "an old root", script(e.Cancel(root, 4, nil)), "")
	equal(t, "a ref from nowhere", script(e.Done(Ref{slot: 99}, Status(200), 4, nil)), "")
	equal(t, "calls", e.Calls(), 1)
}

// TestCancelDuringRest: nothing runs, so all ends at once.
func TestCancelDuringRest(t *testing.T) {
	e := NewEdge(1, []Policy{&Retry{Attempts: 3, Rest: Rest{Base: time.Second}}}, true)
	root, actions := e.Start(Request{}, 0, nil)
	wake := e.Done(actions[0].Ref, unavailable, 0, nil)[0]
	equal(t, "cancel", script(e.Cancel(root, 1, nil)), "forget, answer cancelled, end")
	equal(t, "the timer", script(e.Timer(wake.Ref, wake.Arming, at(time.Second), nil)), "")
}

// TestCancelIsInnermostFirst: a policy sees what is inside it settled, and
// hears Done of its child once, after its own Cancel.
func TestCancelIsInnermostFirst(t *testing.T) {
	var log []string
	stack := []Policy{newSpy("outer", &log), newSpy("middle", &log), newSpy("inner", &log)}
	d := newDriver(stack, true, always(Status(200)).taking(hang))
	c := d.start(0, Request{})
	d.cancel(at(time.Second), c)
	d.run(horizon)
	equal(t, "events", strings.Join(log, ", "), "outer start, middle start, inner start, "+
		"inner cancel, middle cancel, middle done cancelled, outer cancel, outer done cancelled, inner done cancelled")
	equal(t, "answer", c.result(), "cancelled at 1")
	equal(t, "ends", c.ends, 1)
}

// TestDropWithoutPassing: the caller stops waiting, the work goes on. What was
// running is abandoned, what is sent later is an orphan, and the call ends when
// its work has ended.
func TestDropWithoutPassing(t *testing.T) {
	stack := func() []Policy {
		return []Policy{&TimeoutAfter{Limit: 2 * time.Second}, &Retry{Attempts: 3, Rest: Rest{Base: time.Second}}}
	}
	for _, row := range []struct {
		sentence           string
		passes             bool
		takes              time.Duration
		hits               string
		orphans, abandoned int
		stopped            int
		ended              string
	}{
		{"in an attempt", false, 3 * time.Second, "0 4 8", 2, 1, 0, "11"},
		{"in a rest", false, 1500 * time.Millisecond, "0 2.5 5", 2, 0, 0, "6.5"},
		{"in an attempt, passed down", true, 3 * time.Second, "0", 0, 0, 1, "2"},
		{"in a rest, passed down", true, 1500 * time.Millisecond, "0", 0, 0, 0, "2"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			d := newDriver(stack(), row.passes, always(unavailable).taking(row.takes))
			c := d.start(0, Request{})
			d.run(horizon)
			equal(t, "answer", c.result(), "timeout at 2")
			equal(t, "hits", c.hits(), row.hits)
			equal(t, "orphan hits", c.orphans, row.orphans)
			equal(t, "abandoned", c.abandoned, row.abandoned)
			equal(t, "stopped", c.stopped, row.stopped)
			equal(t, "ends", c.ends, 1)
			equal(t, "ended", seconds(c.ended), row.ended)
			equal(t, "faults", strings.Join(d.faults, "; "), "")
		})
	}
}

// TestAbandonedOnce: two timeouts, one attempt; each attempt that nobody waits
// for is reported once, however many layers give it up.
func TestAbandonedOnce(t *testing.T) {
	for _, passes := range []bool{false, true} {
		stack := []Policy{&TimeoutAfter{Limit: 5 * time.Second}, &Retry{Attempts: 2, Rest: Rest{Base: time.Second}}, &TimeoutAfter{Limit: 3 * time.Second}}
		d := newDriver(stack, passes, always(unavailable).taking(9*time.Second))
		c := d.start(0, Request{})
		d.run(horizon)
		equal(t, "hits", c.hits(), "0 4")
		equal(t, "answer", c.result(), "timeout at 5")
		equal(t, "abandoned or stopped", c.abandoned+c.stopped, 2)
		equal(t, "ended", seconds(c.ended), map[bool]string{false: "13", true: "5"}[passes])
		equal(t, "faults", strings.Join(d.faults, "; "), "")
	}
}

// TestSlowStop: an attempt that takes its time to stop is asked once, however
// many layers give it up, and the call ends with it.
func TestSlowStop(t *testing.T) {
	e := NewEdge(1, []Policy{&Retry{Attempts: 2}, &TimeoutAfter{Limit: time.Second}}, true)
	root, start := e.Start(Request{}, 0, nil)
	wake, send := start[0], start[1]
	equal(t, "timeout", script(e.Timer(wake.Ref, wake.Arming, at(time.Second), nil)), "timed out, stop, wake at 1 from rest")
	equal(t, "cancel", script(e.Cancel(root, at(2*time.Second), nil)), "forget, answer cancelled")
	equal(t, "calls", e.Calls(), 1)
	equal(t, "stopped at last", script(e.Done(send.Ref, Failed(Cancelled), at(3*time.Second), nil)), "end")
	equal(t, "calls", e.Calls(), 0)
}

// TestReturnWhileChildRuns: only the listener is gone. The work is unwanted
// from then on, and the frame still hears how it ended.
func TestReturnWhileChildRuns(t *testing.T) {
	for _, passes := range []bool{false, true} {
		q := &quitter{after: 2 * time.Second}
		d := newDriver([]Policy{q, &Retry{Attempts: 2, Rest: Rest{Base: time.Second}}}, passes, always(unavailable).taking(3*time.Second))
		c := d.start(0, Request{})
		d.run(horizon)
		equal(t, "answer", c.result(), "timeout at 2")
		equal(t, "abandoned, orphan hits, stopped", fmt.Sprint(c.abandoned, c.orphans, c.stopped),
			map[bool]string{false: "1 1 0", true: "0 0 1"}[passes])
		equal(t, "heard", fmt.Sprint(q.heard), map[bool]string{false: "[503]", true: "[cancelled]"}[passes])
		equal(t, "ended", seconds(c.ended), map[bool]string{false: "7", true: "2"}[passes])
		equal(t, "faults", strings.Join(d.faults, "; "), "")
	}
}

// TestLuckOfDone: a policy draws with the luck of the attempt it hears about,
// not of one that another branch sent meanwhile.
func TestLuckOfDone(t *testing.T) {
	outer, inner := newSpy("outer", nil), newSpy("inner", nil)
	d := newDriver([]Policy{outer, hedgeAfter(time.Second), inner}, true,
		always(unavailable).taking(3*time.Second, 3*time.Second))
	root := RootLuck(1, 2, 3)
	d.start(0, Request{Luck: root})
	d.run(horizon)
	id := NewEdgeID("a", "b")
	equal(t, "inner", fmt.Sprint(inner.luck), fmt.Sprint([]Luck{root.Attempt(id, 1), root.Attempt(id, 2)}))
	equal(t, "outer", fmt.Sprint(outer.luck), fmt.Sprint([]Luck{root.Attempt(id, 2)}))
}
