package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The tests of this file hold what policies can do to each other, and to the
// composer, in one step.

// restart gives up its child after a while and calls another.
type restart struct {
	after time.Duration
	heard []int // children
}

func (r *restart) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		f.number = 1
		return Step{Do: Call | Arm, Child: 1, At: now.Add(r.after)}
	case Timer:
		f.number++
		return Step{Do: Drop | Call, Child: f.number}
	case Done:
		r.heard = append(r.heard, ev.Child)
		return returned(ev.Outcome)
	default:
		return returned(Failed(Cancelled))
	}
}

// TestSettledByItsOwnStep: dropping its child frees a place, which lets the
// other copy answer at once, which cancels the frame whose step it was: its
// step goes no further.
func TestSettledByItsOwnStep(t *testing.T) {
	b := Bulkhead{Limit: 1, Wait: time.Minute}.New()
	second := &gate{every: 2, outcome: Status(200)}
	stack := []Policy{hedgeAfter(500 * time.Millisecond), &restart{after: time.Second}, b, second}
	d := newDriver(stack, true, always(Status(200)).taking(hang))
	c := d.start(0, Request{})
	d.run(horizon)
	equal(t, "answer", c.result(), "200 at 1")
	equal(t, "hits", c.hits(), "0")
	b.idleNow(t, d)
}

// TestDroppedIsNotHeard: also when a cancellation ends the dropped child later.
func TestDroppedIsNotHeard(t *testing.T) {
	r := &restart{after: time.Second}
	d := newDriver([]Policy{r, newSpy("inside", nil)}, false, always(Status(200)).taking(hang))
	c := d.start(0, Request{})
	d.cancel(at(2*time.Second), c)
	d.run(horizon)
	equal(t, "hits", c.hits(), "0 1")
	equal(t, "answer", c.result(), "cancelled at 2")
	equal(t, "heard", fmt.Sprint(r.heard), "[2]")
	equal(t, "ends", c.ends, 1)
	equal(t, "faults", strings.Join(d.faults, "; "), "")
}

// patient sets its timer again as long as its child runs.
type patient struct{}

func (patient) On(_ *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		return Step{Do: Call | Arm, Child: 1, At: now.Add(time.Second)}
	case Timer:
		return Step{Do: Arm, At: now.Add(time.Second)}
	}
	return returned(ev.Outcome)
}

// TestTimerWhileChildRuns: that is no rest, whichever step set it.
func TestTimerWhileChildRuns(t *testing.T) {
	e := NewEdge(1, []Policy{patient{}}, true)
	_, actions := e.Start(Request{}, 0, nil)
	wake := actions[0]
	equal(t, "start", script(actions), "wake at 1, send 1")
	equal(t, "timer", script(e.Timer(wake.Ref, wake.Arming, at(time.Second), nil)), "wake at 2")
	equal(t, "the replaced timer", script(e.Timer(wake.Ref, wake.Arming, at(time.Second), nil)), "")
	equal(t, "done", script(e.Done(actions[1].Ref, Status(200), at(time.Second), nil)), "forget, answer 200, end")
}

// forgetful grants, at every start, the frame that started before.
type forgetful struct {
	before  Ref
	has     bool
	granted int
}

func (g *forgetful) On(f *Frame, ev Event, _ Instant) Step {
	switch ev.Kind {
	case Start:
		step := Step{Do: Call, Child: 1}
		if g.has {
			step.Do, step.Granted = Call|Grant, g.before
		}
		g.before, g.has = f.self, true
		return step
	case Granted:
		g.granted++
		return Step{}
	}
	return returned(ev.Outcome)
}

// TestGrantToNobody: a grant to a frame that has ended does not reach the one
// that has its slot now.
func TestGrantToNobody(t *testing.T) {
	g := &forgetful{}
	e := NewEdge(1, []Policy{g}, true)
	_, first := e.Start(Request{}, 0, nil)
	e.Done(first[0].Ref, Status(200), 1, nil)
	_, second := e.Start(Request{}, 2, nil)
	equal(t, "slot", second[0].Root.slot, first[0].Root.slot)
	equal(t, "granted", g.granted, 0)
}

// TestIdlePolicyPanics: a policy that nothing can ever wake is a bug, and says
// so at once instead of never returning.
func TestIdlePolicyPanics(t *testing.T) {
	defer func() {
		equal(t, "panic", fmt.Sprint(recover()), "policy: policy.idle neither calls, waits nor returns")
	}()
	NewEdge(1, []Policy{idle{}}, true).Start(Request{}, 0, nil)
}

type idle struct{}

func (idle) On(*Frame, Event, Instant) Step { return Step{} }
