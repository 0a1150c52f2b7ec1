package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestOnlyTimeline: a policy for one route, or for all others. The tail fails at
// once; calls of the routes 0, 1 and 2.
func TestOnlyTimeline(t *testing.T) {
	retry := func(n int) Policy { return &Retry{Attempts: n, Rest: Rest{Base: time.Second}} }
	rejects := &gate{every: 1, outcome: Failed(Rejected)}
	for _, row := range []struct {
		sentence string
		stack    []Policy
		hits     [3]string
		answers  string
	}{
		{"for all", []Policy{retry(2)}, [3]string{"0 1", "0 1", "0 1"}, "503 at 1, 503 at 1, 503 at 1"},
		{"for one", []Policy{&Only{Policy: retry(2), Route: 1}}, [3]string{"0", "0 1", "0"}, "503 at 0, 503 at 1, 503 at 0"},
		{"for all others", []Policy{&Only{Policy: retry(2), Route: 1, Except: true}}, [3]string{"0 1", "0", "0 1"}, "503 at 1, 503 at 0, 503 at 1"},
		{"for the default one", []Policy{&Only{Policy: retry(2)}}, [3]string{"0 1", "0", "0"}, "503 at 1, 503 at 0, 503 at 0"},
		{"for a route that nobody has", []Policy{&Only{Policy: retry(2), Route: 7}}, [3]string{"0", "0", "0"}, "503 at 0, 503 at 0, 503 at 0"},
		{"one policy each", []Policy{&Only{Policy: retry(2), Route: 1}, &Only{Policy: retry(3), Route: 2}}, [3]string{"0", "0 1", "0 1 2"}, "503 at 0, 503 at 1, 503 at 2"},
		{"one each or the other", []Policy{&Only{Policy: retry(2), Route: 1}, &Only{Policy: retry(3), Route: 1, Except: true}}, [3]string{"0 1 2", "0 1", "0 1 2"}, "503 at 2, 503 at 1, 503 at 2"},
		{"the outermost", []Policy{&Only{Policy: rejects, Route: 2}, retry(2)}, [3]string{"0 1", "0 1", ""}, "503 at 1, 503 at 1, rejected at 0"},
		{"the innermost", []Policy{retry(2), &Only{Policy: rejects, Route: 2}}, [3]string{"0 1", "0 1", ""}, "503 at 1, 503 at 1, rejected at 0"},
		{"in between", []Policy{retry(2), &Only{Policy: rejects, Route: 2}, retry(2)}, [3]string{"0 1 2 3", "0 1 2 3", ""}, "503 at 3, 503 at 3, rejected at 0"},
		{"far down", []Policy{retry(2), &TimeoutAfter{Limit: time.Minute}, retry(1), &Only{Policy: rejects, Route: 2}, &Only{Policy: retry(2), Route: 1}}, [3]string{"0 1", "0 1 2 3", ""}, "503 at 1, 503 at 3, rejected at 0"},
		{"two in a row", []Policy{&Only{Policy: rejects, Route: 2}, &Only{Policy: rejects, Route: 1}, retry(2)}, [3]string{"0 1", "", ""}, "503 at 1, rejected at 0, rejected at 0"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			d := newDriver(row.stack, true, always(unavailable))
			var calls []*call
			for route := range 3 {
				calls = append(calls, d.start(0, Request{Route: uint8(route)}))
			}
			d.run(horizon)
			for route, c := range calls {
				equal(t, fmt.Sprintf("hits of route %d", route), c.hits(), row.hits[route])
				equal(t, "ends", c.ends, 1)
			}
			equal(t, "answers", results(calls), row.answers)
			equal(t, "faults", strings.Join(d.faults, "; "), "")
		})
	}
}

// TestPassedByIsAnEmptyStack: a call that no policy is for is its only attempt.
func TestPassedByIsAnEmptyStack(t *testing.T) {
	stack := []Policy{
		&Only{Policy: Fallback{Static: true}.New(), Route: 1},
		&Only{Policy: &Within{Limit: 1, Check: true, Enforce: true, Mode: Absolute}, Route: 1},
		&Only{Policy: &Retry{Attempts: 9}, Route: 1},
		&Only{Policy: Balance{Hosts: 3}.New(), Route: 1},
	}
	for _, passes := range []bool{true, false} {
		e := NewEdge(1, stack, passes)
		root, list := e.Start(Request{Route: 2, Tag: 5, Deadline: Deadline{Absolute, -1}}, 0, nil)
		equal(t, "start", script(list), "send 1")
		equal(t, "the attempt is the call", list[0].Ref, root)
		equal(t, "tag", list[0].Tag, 5)
		equal(t, "host", list[0].Host, 0)
		equal(t, "deadline", list[0].Deadline, Deadline{})
		equal(t, "done", script(e.Done(root, unavailable, at(time.Second), nil)), "answer 503, end")
		root, _ = e.Start(Request{Route: 2}, 0, nil)
		equal(t, "cancel", script(e.Cancel(root, 1, nil)), "stop")
		equal(t, "stopped", script(e.Done(root, Failed(Cancelled), 1, nil)), "answer cancelled, end")
		equal(t, "calls", e.Calls(), 0)
	}
}

// TestOnlyAroundWhatAsks: what a call shares is kept for the policy inside.
func TestOnlyAroundWhatAsks(t *testing.T) {
	limited := &Retry{Attempts: 9, Rest: Rest{Base: time.Second}, MaxElapsed: 2 * time.Second}
	within := &Within{Limit: 1500 * ms, Check: true}
	for _, row := range []struct {
		sentence string
		stack    []Policy
		hits     string
		answer   string
	}{
		{"a limit of a retry", []Policy{&Only{Policy: limited, Route: 1}}, "0 1 2", "503 at 2"},
		{"a deadline around the retry of all", []Policy{&Only{Policy: within, Route: 1}, &Retry{Attempts: 9, Rest: Rest{Base: time.Second}}}, "0 1", "timeout at 1"},
	} {
		c, _ := witnessed(row.stack, always(unavailable), Request{Route: 1}, 0)
		equal(t, row.sentence, c.hits(), row.hits)
		equal(t, row.sentence, c.result(), row.answer)
	}
	c, _ := witnessed([]Policy{&Only{Policy: within, Route: 1}, &Retry{Attempts: 4, Rest: Rest{Base: time.Second}}}, always(unavailable), Request{Route: 2}, 0)
	equal(t, "the deadline is not for route 2", c.hits(), "0 1 2 3")
}

// TestOnlyChooses: a balancer for one route sends all others to the only replica.
func TestOnlyChooses(t *testing.T) {
	b := Balance{Hosts: 3}.New()
	d := newDriver([]Policy{&Retry{Attempts: 3}, &Only{Policy: b, Route: 1}}, true, nil)
	sent := d.answering(failing)
	d.start(0, Request{Route: 1})
	d.start(1, Request{Route: 2})
	d.run(horizon)
	equal(t, "hosts", hostsOf(*sent), "0 1 2 0 0 0")
	b.idleNow(t, d)
}

// TestStackIsBare: who looks at an edge's policies finds them without wrapping,
// and the list that the edge was given stays as it was.
func TestStackIsBare(t *testing.T) {
	f, r := Fallback{}.New(), &Retry{}
	only := &Only{Policy: f, Route: 1}
	given := []Policy{only, r}
	e := NewEdge(1, given, true)
	equal(t, "outer", e.Stack()[0], Policy(f))
	equal(t, "inner", e.Stack()[1], Policy(r))
	equal(t, "given", given[0], Policy(only))
}
