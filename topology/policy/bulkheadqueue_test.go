package policy

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestWaitersAreAList: the ring does what a plain list does, also across the end
// of its counting.
func TestWaitersAreAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom([]uint32{0, 1<<31 - 5, 1<<32 - 5}).Draw(t, "start")
		w := waiters{head: start, tail: start}
		var list []Ref
		places := map[Ref]int32{}
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			switch n := len(list); {
			case n == 0 || rapid.IntRange(0, 2).Draw(t, "what") > 0:
				r := Ref{slot: int32(i % 7), gen: uint32(i)}
				places[r] = w.push(r)
				list = append(list, r)
			case rapid.Bool().Draw(t, "first"):
				if got := w.pop(); got != list[0] {
					t.Fatalf("popped %v of %v", got, list)
				}
				list = list[1:]
			default:
				at := rapid.IntRange(0, n-1).Draw(t, "which")
				r := list[at]
				if !w.remove(places[r], r) || w.remove(places[r], r) {
					t.Fatalf("%v could not be removed, or twice", r)
				}
				list = slices.Delete(list, at, at+1)
			}
			if w.count != len(list) || w.count == 0 && w.head != w.tail {
				t.Fatalf("%d waiting from %d to %d, want %d", w.count, w.head, w.tail, len(list))
			}
		}
	})
}

// TestWaitersKnowWhoIsGone: a place that somebody else has by now is not mistaken.
func TestWaitersKnowWhoIsGone(t *testing.T) {
	var w waiters
	a, b := Ref{slot: 0}, Ref{slot: 1}
	equal(t, "in an empty ring nobody waits", w.remove(0, a), false)
	place := w.push(a)
	equal(t, "popped", w.pop(), a)
	for range len(w.ring) {
		w.push(b)
	}
	equal(t, "the place in the ring is taken", *w.at(uint32(place)), b)
	equal(t, "and not by the one that was popped", w.remove(place, a), false)
	w.push(b)
	equal(t, "nor is a place that nobody has had in a bigger ring", w.remove(place, a), false)
	equal(t, "waiting", w.count, 17)
}

// TestWaitersMakeRoom: who leaves from the end of a queue that does not move takes
// no room in it any more.
func TestWaitersMakeRoom(t *testing.T) {
	var w waiters
	first := Ref{slot: 0}
	w.push(first)
	for i := range uint32(1000) {
		r := Ref{slot: 1, gen: i}
		w.remove(w.push(r), r)
	}
	equal(t, "ring", len(w.ring), 16)
	equal(t, "first", w.pop(), first)
}

// clerk keeps the books of a bulkhead as one would on paper, and compares.
type clerk struct {
	*BulkheadState
	calls  int64
	inside map[int]int
	line   map[int][]Ref // who waits, and who was granted and has not heard of it
	wrong  string
}

func (c *clerk) On(f *Frame, ev Event, now Instant) Step {
	step := c.BulkheadState.On(f, ev, now)
	key := c.Per.of(f)
	place := slices.Index(c.line[key], f.self)
	switch {
	case ev.Kind == Start:
		c.calls++
	case ev.Kind == Done:
		c.inside[key]--
	case ev.Kind == Granted && !f.is(hasReturned) && place != 0:
		c.wrong = "not the first in line was admitted"
	}
	if place >= 0 {
		c.line[key] = slices.Delete(c.line[key], place, place+1)
	}
	if step.Do&Park != 0 {
		c.line[key] = append(c.line[key], f.self)
	}
	if step.Do&Call != 0 {
		c.inside[key]++
	}
	if c.inside[key] > c.Limit {
		c.wrong = "more calls in flight than the limit"
	}
	if c.Queue > 0 && c.keys[key].queue.count > c.Queue || c.Queue < 0 && len(c.line[key]) > 0 {
		c.wrong = "more callers wait than may"
	}
	return step
}

// TestBulkheadKeepsItsBooks: whatever is around and inside it, and whoever leaves
// when: never more than Limit in flight, first come, first served, and in the end
// nothing is in use, nobody waits, and each call went one of four ways.
func TestBulkheadKeepsItsBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Bulkhead{
			Limit: rapid.IntRange(1, 3).Draw(t, "limit"), Queue: rapid.IntRange(NoQueue, 3).Draw(t, "queue"),
			Wait: tenths(t, 0, 15, "wait"), Per: rapid.SampledFrom([]Key{PerEdge, PerHost, PerRoute}).Draw(t, "per"),
		}
		c := &clerk{BulkheadState: b.New(), inside: map[int]int{}, line: map[int][]Ref{}}
		var stack []Policy
		for range rapid.IntRange(0, 3).Draw(t, "around") {
			stack = append(stack, anyPolicy(t))
		}
		stack = append(stack, Balance{Hosts: 2}.New(), c)
		for range rapid.IntRange(0, 3).Draw(t, "inside") {
			stack = append(stack, anyPolicy(t))
		}
		d := newDriver(stack, rapid.Bool().Draw(t, "passes"), anyTail(rapid.Uint64().Draw(t, "seed")))
		for range rapid.IntRange(1, 12).Draw(t, "calls") {
			start := at(tenths(t, 0, 10, "start"))
			call := d.start(start, Request{Route: rapid.Uint8Range(0, 2).Draw(t, "route")})
			if rapid.Bool().Draw(t, "leaves") {
				d.cancel(start.Add(tenths(t, 0, 30, "after")), call)
			}
		}
		d.run(horizon * 100)
		checkRules(t, d, nil)
		s := c.Signals()
		if c.wrong != "" || s.InUse != 0 || s.Waiting != 0 || s.Admitted+s.Rejected+s.TimedOut+s.Left != c.calls {
			t.Fatalf("%s: %d calls, %+v", c.wrong, c.calls, s)
		}
	})
}
