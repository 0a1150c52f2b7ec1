package policy

import (
	"testing"
	"time"
)

// answering lets what is sent be seen, and be answered by what it says: the
// replica, the deadline, the route.
func (d *driver) answering(by func(a Action, now Instant) (Outcome, time.Duration)) *[]Action {
	var sent []Action
	seen := map[Ref]bool{}
	d.tail = func(attempt int, now Instant) (Outcome, time.Duration) {
		for _, a := range d.actions {
			if a.Kind == Send && int(a.Number) == attempt && !seen[a.Ref] {
				seen[a.Ref] = true
				sent = append(sent, a)
				return by(a, now)
			}
		}
		panic("the tail is asked about what was not sent")
	}
	return &sent
}

// witnessed runs one call of a stack and returns also what was sent.
func witnessed(stack []Policy, t tail, r Request, start Instant) (*call, []Action) {
	d := newDriver(stack, true, nil)
	sent := d.answering(func(a Action, now Instant) (Outcome, time.Duration) { return t(int(a.Number), now) })
	c := d.start(start, r)
	d.run(horizon)
	return c, *sent
}

// looker keeps what it was told that the call shares.
type looker struct{ saw []*CallState }

func (l *looker) On(_ *Frame, ev Event, _ Instant) Step {
	l.saw = append(l.saw, ev.Call)
	if ev.Kind == Start {
		return Step{Do: Call, Child: 1}
	}
	return returned(ev.Outcome)
}

// asking asks for what a call shares.
type asking struct{ looker }

func (*asking) asksForCall() bool { return true }

// TestOnlyWhoAsksPays: what calls share is kept on edges where a policy reads it.
func TestOnlyWhoAsksPays(t *testing.T) {
	second := Rest{Base: time.Second}
	for _, row := range []struct {
		sentence string
		stack    []Policy
		kept     bool
	}{
		{"no policy asks for nothing", nil, false},
		{"a retry asks for nothing", []Policy{&Retry{Attempts: 2, Rest: second}}, false},
		{"nor does a timeout or a fallback", []Policy{Fallback{}.New(), &TimeoutAfter{Limit: time.Second}}, false},
		{"a retry with a limit asks", []Policy{&Retry{Attempts: 2, MaxElapsed: time.Second}}, true},
		{"a deadline asks", []Policy{&Within{}}, true},
		{"a balancer asks", []Policy{Balance{Hosts: 2}.New()}, true},
		{"one that is for a route asks", []Policy{&Only{Policy: &Within{}, Route: 3}}, true},
		{"one for a route that need not know does not", []Policy{&Only{Policy: &Retry{}, Route: 3}}, false},
		{"the innermost may ask", []Policy{&Retry{Attempts: 2}, &TimeoutAfter{Limit: time.Second}, &asking{}}, true},
	} {
		look := &looker{}
		e := NewEdge(1, append([]Policy{look}, row.stack...), true)
		_, list := e.Start(Request{Deadline: Deadline{Remaining, 5}}, 0, nil)
		equal(t, row.sentence, len(e.calls) > 0, row.kept)
		equal(t, row.sentence+": is told", look.saw[0] != nil, row.kept)
		equal(t, row.sentence+": sends", list[len(list)-1].Kind, Send)
	}
}

// TestCallStateOfTheCall: calls at one time do not see each other's, and a slot
// that is used again starts afresh.
func TestCallStateOfTheCall(t *testing.T) {
	look := &asking{}
	e := NewEdge(1, []Policy{look}, true)
	e.Start(Request{Route: 1, Deadline: Deadline{Remaining, 100}}, 5, nil)
	b, send := e.Start(Request{Route: 2}, 7, nil)
	equal(t, "first", *look.saw[0], CallState{Begun: 5, Route: 1, Tried: -1, Deadline: 105, Next: EdgeLuck(Luck(0).Over(1)).Attempt(1)})
	equal(t, "second", *look.saw[1], CallState{Begun: 7, Route: 2, Tried: -1, Deadline: Never, Next: EdgeLuck(Luck(0).Over(1)).Attempt(1)})
	equal(t, "afresh", e.calls[b.slot].Tried, int16(-1))
	e.Done(send[0].Ref, unavailable, 8, nil)
	c, _ := e.Start(Request{}, 9, nil)
	equal(t, "the slot is used again", c.slot, b.slot)
}

// TestNextIsTheLuckOfTheAttempt: a policy that starts draws what the attempt that
// it is about to send would draw.
func TestNextIsTheLuckOfTheAttempt(t *testing.T) {
	var next []Luck
	look := &nexts{&next}
	_, sent := witnessed([]Policy{&Retry{Attempts: 3}, look}, always(unavailable), Request{Luck: 42}, 0)
	equal(t, "attempts", len(sent), 3)
	for i, a := range sent {
		equal(t, "luck", next[i], a.Luck)
	}
}

type nexts struct{ next *[]Luck }

func (*nexts) asksForCall() bool { return true }

func (n *nexts) On(_ *Frame, ev Event, _ Instant) Step {
	if ev.Kind == Start {
		*n.next = append(*n.next, ev.Call.Next)
		return Step{Do: Call, Child: 1}
	}
	return returned(ev.Outcome)
}

// TestSharedCallsAllocateNothing: what the calls share is kept in place, too.
func TestSharedCallsAllocateNothing(t *testing.T) {
	stack := func() []Policy {
		return append([]Policy{
			Fallback{MaxAge: time.Minute}.New(),
			&Within{Limit: time.Hour, Mode: Remaining, Check: true, Enforce: true},
			&Only{Policy: &TimeoutAfter{Limit: time.Minute}, Route: 1},
		}, &Retry{Attempts: 3, Rest: Rest{Base: time.Second}, MaxElapsed: time.Hour}, Balance{Hosts: 3, Law: Random, Failover: true}.New())
	}
	for _, row := range []struct {
		sentence string
		stack    []Policy
		kept     bool
	}{
		{"nobody asks", append(usual(), Fallback{}.New()), false},
		{"a route passes by what does not ask", []Policy{&Only{Policy: usual()[1], Route: 1}, usual()[0]}, false},
		{"everybody asks", stack(), true},
	} {
		e := NewEdge(1, row.stack, true)
		list := failThrice(e, 1, nil)
		equal(t, row.sentence+": last action", script(list[len(list)-2:]), "answer 503, end")
		var luck Luck
		equal(t, row.sentence+": allocations", testing.AllocsPerRun(1000, func() {
			luck++
			list = failThrice(e, luck, list)
		}), 0)
		equal(t, row.sentence+": kept", len(e.calls) > 0, row.kept)
		equal(t, row.sentence+": calls", e.Calls(), 0)
	}
}
