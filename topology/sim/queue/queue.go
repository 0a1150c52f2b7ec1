// Package queue holds the events of a simulation in virtual time.
//
// A [Queue] is for a discrete-event loop: pop the first event, let it push
// others at that instant or later, go on until the queue is empty. That time
// never runs backwards is what makes it several times as fast as a heap, so it
// is not for anything that must cancel or reorder entries, or push before
// [Queue.Now]: there, let a stale event be popped and ignored, or use a heap.
//
// A few events (a client simulated alone) live in a small sorted ring inside
// the Queue. Many live in a radix heap, the wheel, where an event is moved a
// few times in its life, mostly within the cache, and never compared. The wheel
// hands its first events to the ring in small groups, so that nearly all are
// popped from there. Memory is the event, 16 bytes, and what is left of blocks
// of 64 entries (at most a few hundred blocks at once).
package queue

import (
	"fmt"
	"math/bits"
)

// Kinds is the number of kinds of events, 0 to Kinds-1.
const Kinds = 8

// Queue is a monotone priority queue of events by value, ordered by instant,
// within an instant by kind, and within a kind by insertion. The zero value is
// empty and ready at instant 0. A Queue must not be copied after its first use,
// and serves one goroutine.
//
// Popped events are not wiped, so pointers in an E keep alive what they point to
// until the memory is used again. Prefer an E without pointers: the garbage
// collector need not look at it either.
type Queue[E any] struct {
	// Ahead, if set, is shown events shortly before they are popped, a few at a
	// time. Of millions of events each is about something that has long left the
	// cache: one who looks it up for all of a few at once waits for the memory
	// once and not for each.
	Ahead func(e *E)
	shown uint64 // the first instant whose events were not shown

	now   int64
	n     int
	cut   uint64 // the front holds what is before the instant ^cut, the wheel the rest; so the zero value needs no wheel
	front front[E]
	wheel *wheel[E] // nil until the front overflows
}

// Push adds an event at an instant from [Queue.Now] to math.MaxInt64. At Now
// itself any kind may be pushed: one below the kind popped last is simply next.
// An instant that has passed, or a kind that does not exist, is a bug of the
// caller, and panics.
func (q *Queue[E]) Push(at int64, kind uint8, e E) { *q.Open(at, kind) = e }

// Open is Push of what the caller then writes to the place that it returns, at
// once and all that will be read of it: what was there before is still there. It
// spares copying an event that was only just put together, for which a processor
// has to wait.
func (q *Queue[E]) Open(at int64, kind uint8) *E {
	if at < q.now || kind >= Kinds {
		q.refuse(at, kind)
	}
	q.n++
	if uint64(at) < ^q.cut {
		if !q.front.full() {
			return q.front.slot(at, kind).open(at, kind)
		}
		q.spill()
	}
	return q.wheel.slot(at, kind).open(at, kind)
}

func (q *Queue[E]) refuse(at int64, kind uint8) {
	if kind >= Kinds {
		panic(fmt.Sprintf("queue: push of kind %d, there are %d", kind, Kinds))
	}
	panic(fmt.Sprintf("queue: push at %d, when it is %d already", at, q.now))
}

// Pop removes the first event and makes its instant Now. ok is false, and
// nothing changes, when the queue is empty.
func (q *Queue[E]) Pop() (at int64, kind uint8, e E, ok bool) {
	if q.front.empty() {
		if q.n == 0 {
			return 0, 0, e, false
		}
		q.refill()
	}
	q.n--
	if q.front.empty() {
		at, kind, e = q.popDue()
		return at, kind, e, true
	}
	first := q.front.take()
	q.now = first.at
	return first.at, first.kind, first.e, true
}

// refill sees to it that an event is in the front or due in the wheel. The
// front must be empty and the wheel not.
func (q *Queue[E]) refill() {
	w := q.wheel
	if w.kinds != 0 {
		return
	}
	c, end := w.unlink()
	if end > q.shown && q.Ahead != nil && c.few(blockLen) {
		q.shown = end
		for i := range c.head.entries[:blockLen-c.room] {
			q.Ahead(&c.head.entries[i].e)
		}
	}
	if !c.few(frontFill) {
		w.spread(&c) // the front's last instant is before base, so cut may stay
		return
	}
	for i := range c.head.entries[:blockLen-c.room] {
		e := &c.head.entries[i]
		*q.front.slot(e.at, e.kind) = *e
	}
	w.pool.release(c.head)
	q.cut = ^end
	q.rejoin()
}

// popDue pops from the wheel what happens at its base.
func (q *Queue[E]) popDue() (at int64, kind uint8, e E) {
	w := q.wheel
	kind = uint8(bits.TrailingZeros8(w.kinds))
	c := &w.due[kind]
	e = c.take(&w.pool).e
	if c.head == nil {
		w.kinds &= w.kinds - 1
		q.rejoin()
	}
	q.now = w.base
	return w.base, kind, e
}

// rejoin gives all instants to the front when the wheel is empty, so that a
// queue that has become short is cheap again.
func (q *Queue[E]) rejoin() {
	if q.wheel.empty() {
		q.cut = 0
	}
}

// spill moves the full front to the wheel and gives all instants to the wheel.
// The chains that it moves to are empty: what the wheel held until now begins
// beyond the front's last instant, so insertion order holds.
func (q *Queue[E]) spill() {
	if q.wheel == nil {
		q.wheel = new(wheel[E])
	}
	q.wheel.base = q.now
	q.cut = ^uint64(q.now)
	for !q.front.empty() {
		e := q.front.take()
		*q.wheel.slot(e.at, e.kind) = *e
	}
}

// Holds reports whether an event at Now, of this kind or one before it, is in the
// queue. If not, one that is pushed would be popped next: a loop that has nothing
// else to do before may as well go on with it.
func (q *Queue[E]) Holds(kind uint8) bool {
	if !q.front.empty() {
		return !q.front.first().after(q.now, kind)
	}
	w := q.wheel
	return w != nil && w.base == q.now && w.kinds&(2<<kind-1) != 0
}

// Now is the instant of the event popped last, 0 before the first.
func (q *Queue[E]) Now() int64 { return q.now }

// Len is the number of events in the queue.
func (q *Queue[E]) Len() int { return q.n }

// Reset empties the queue and goes back to instant 0. It keeps the memory for
// the next run, and costs next to nothing when the queue is empty already.
func (q *Queue[E]) Reset() {
	q.now, q.n, q.cut, q.shown = 0, 0, 0, 0
	q.front.head, q.front.tail = 0, 0
	if q.wheel != nil {
		q.wheel.clear()
	}
}
