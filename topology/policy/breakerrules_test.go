package policy

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyBreaker draws settings that open and close often.
func anyBreaker(t *rapid.T) Breaker {
	n := func(lo, hi int, name string) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	s := Breaker{
		OpenFor: time.Duration(n(1, 10, "open for")) * 100 * time.Millisecond,
		Permits: n(0, 3, "permits"), Successes: n(0, 3, "successes"), Ignore: mustFilter("404"),
		Per: Key(n(0, 2, "key")), Observe: n(0, 4, "observe") == 0,
	}
	switch n(0, 2, "mode") {
	case 0:
		s.Failures = n(1, 3, "failures")
	case 1:
		s.Failures, s.Window = n(1, 3, "failures"), time.Second
	case 2:
		s.Rate, s.Window, s.Volume = n(1, 100, "rate"), time.Second, n(1, 4, "volume")
	}
	return s
}

// watched is a breaker that is looked at after each event.
type watched struct {
	*BreakerState
	t *rapid.T
}

func (w watched) On(f *Frame, ev Event, now Instant) Step {
	step := w.BreakerState.On(f, ev, now)
	for key, c := range w.circuits {
		if n := len(c.probes); n > w.Permits || n > 0 && c.status != HalfOpen {
			w.t.Errorf("key %d is %v: %d probes in flight of %d", key, c.status, n, w.Permits)
		}
	}
	return step
}

// anyOutcome is a tail that fails, is wrong about the request, and answers, by chance.
func anyOutcome(seed uint64) tail {
	list := []Outcome{Status(200), Status(200), Status(200), Status(200), unavailable, unavailable, Status(404), Status(429), Failed(Reset)}
	return func(attempt int, now Instant) (Outcome, time.Duration) {
		l := RootLuck(seed, uint64(attempt), uint64(now))
		return list[l.Draw(ForFault)%uint64(len(list))], Uniform(l.Draw(ForService), 10) * 100 * time.Millisecond
	}
}

// TestBreakerInAnyStack drives a breaker among random policies with calls that
// come and leave at random. When all has ended no probe is in flight, every call
// that was admitted is counted once, and the state has moved along its arrows.
func TestBreakerInAnyStack(t *testing.T) {
	saw, stale := map[BreakerStatus]int{}, int64(0)
	rapid.Check(t, func(t *rapid.T) {
		b := watched{anyBreaker(t).New(), t}
		outer, inner := newSpy("outer", nil), newSpy("inner", nil)
		var stack []Policy
		for range rapid.IntRange(0, 2).Draw(t, "outside") {
			stack = append(stack, anyPolicy(t))
		}
		stack = append(stack, Balance{Hosts: rapid.IntRange(1, 2).Draw(t, "hosts")}.New(), outer, b, inner)
		for range rapid.IntRange(0, 2).Draw(t, "inside") {
			stack = append(stack, anyPolicy(t))
		}
		d := newDriver(stack, rapid.Bool().Draw(t, "passes"), anyOutcome(rapid.Uint64().Draw(t, "seed")))
		for range rapid.IntRange(1, 30).Draw(t, "calls") {
			start := at(time.Duration(rapid.IntRange(0, 50).Draw(t, "start")) * 100 * time.Millisecond)
			c := d.start(start, Request{Repeatable: true, Route: uint8(rapid.IntRange(0, 1).Draw(t, "route"))})
			if rapid.IntRange(0, 3).Draw(t, "leaves") == 0 {
				d.cancel(start.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "after"))*100*time.Millisecond+1), c)
			}
		}
		d.run(24 * time.Hour)
		checkRules(t, d, stack)
		checkBreaker(t, b.BreakerState, len(outer.told), len(inner.told))
		stale += b.Signals().Stale
		for _, c := range b.Signals().Changes {
			saw[c.To]++
		}
	})
	equal(t, "they opened and closed", saw[Open] > 20 && saw[HalfOpen] > 20 && saw[Closed] > 20, true)
	equal(t, "some outcomes were stale", stale > 20, true)
}

func checkBreaker(t *rapid.T, b *BreakerState, asked, passed int) {
	g := b.Signals()
	if g.ProbesInFlight != 0 || g.OldestProbe != 0 {
		t.Errorf("%d probes in flight", g.ProbesInFlight)
	}
	if sum := g.Successes + g.Failures + g.Cancelled + g.Ignored + g.Stale; sum != g.Admitted || g.Admitted != int64(passed) {
		t.Errorf("%d admitted, %d went through, %d ended: %+v", g.Admitted, passed, sum, g)
	}
	if g.Admitted+g.Rejected != int64(asked) || b.Observe && g.Rejected > 0 || !b.Observe && g.WouldReject > 0 || g.Timeouts > g.Failures {
		t.Errorf("%d asked: %+v", asked, g)
	}
	last := map[int]BreakerChange{}
	for _, c := range g.Changes {
		before := last[c.Key]
		switch {
		case before.To == Closed && c.To == Open, before.To == HalfOpen && c.To != HalfOpen:
		case before.To == Open && c.To == HalfOpen && c.At >= before.At.Add(b.OpenFor):
		default:
			t.Errorf("from %v at %d to %v at %d", before.To, before.At, c.To, c.At)
		}
		last[c.Key] = c
	}
}

// TestBreakerListOfChangesIsBounded: what a breaker that flaps for hours keeps.
func TestBreakerListOfChangesIsBounded(t *testing.T) {
	b := Breaker{Failures: 1, OpenFor: 1}.New()
	for i := range 3 * mostChanges {
		b.change(0, BreakerStatus(i%3), Instant(i))
	}
	g := b.Signals()
	equal(t, "changes", len(g.Changes), 10_000)
	equal(t, "last of the list", g.Changes[9_999].At, Instant(9_999))
	equal(t, "more", g.MoreChanges, int64(20_000))
	equal(t, "status", g.Status, BreakerStatus((3*mostChanges-1)%3))
}

// TestBreakerSharesNothing: one settings value may make the breakers of many edges.
func TestBreakerSharesNothing(t *testing.T) {
	a, b := two.New(), two.New()
	d := visiting(true, parseVisits("0 503, 0 503, 0.1 200"), a)
	d.run(horizon)
	equal(t, "one", a.Signals().Status, Open)
	equal(t, "the other", countersOf(b.Signals()), "")
	equal(t, "settings", two, Breaker{Failures: 2, OpenFor: time.Second})
	a.change(0, HalfOpen, 5) // leaves room at the end of the list
	a.change(0, Open, 6)
	g := a.Signals()
	mine := append(g.Changes, BreakerChange{At: 7})
	a.change(0, HalfOpen, 8)
	equal(t, "what a reader has", len(g.Changes), 3)
	equal(t, "what a reader appends", mine[3].At, Instant(7))
}

// TestBreakerDoesNotAllocate: a call costs no memory, whatever the breaker does.
func TestBreakerDoesNotAllocate(t *testing.T) {
	for sentence, s := range map[string]Breaker{
		"consecutive": {Failures: 3, OpenFor: 3 * time.Millisecond},
		"window":      {Failures: 3, Window: time.Second, OpenFor: 3 * time.Millisecond},
		"rate":        {Rate: 50, Window: time.Second, Volume: 3, OpenFor: 3 * time.Millisecond},
		"per route":   {Failures: 3, OpenFor: 3 * time.Millisecond, Per: PerRoute},
	} {
		b := s.New()
		e := NewEdge(1, append(usual(), b), true)
		var list []Action
		n, now := 0, Instant(0)
		call := func() {
			n++
			now = now.Add(time.Millisecond)
			_, list = e.Start(Request{Route: uint8(n % 2)}, now, list[:0])
			for i := 0; i < len(list); i++ {
				switch a := list[i]; {
				case a.Kind == Send && n%32 < 16:
					list = e.Done(a.Ref, unavailable, now, list)
				case a.Kind == Send:
					list = e.Done(a.Ref, Status(200), now, list)
				case a.Kind == Wake && a.Rest:
					now = max(now, a.At)
					list = e.Timer(a.Ref, a.Arming, now, list)
				}
			}
		}
		for range 100_000 { // until the list of changes is full
			call()
		}
		equal(t, sentence, testing.AllocsPerRun(1000, call), 0)
		g := b.Signals()
		equal(t, sentence+": it did something", g.Rejected > 0 && g.Probes > 0 && g.Successes > 0 && g.MoreChanges > 0, true)
	}
}
