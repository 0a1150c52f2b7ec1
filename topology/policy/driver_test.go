package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A tail decides how an attempt ends and how long it works on it.
type tail func(attempt int, now Instant) (Outcome, time.Duration)

// hang is the service time of an attempt that never ends by itself.
const hang = time.Duration(math.MaxInt64)

// always answers every attempt alike and at once.
func always(o Outcome) tail { return plan(o) }

// plan answers attempt n with the nth outcome; the last repeats.
func plan(outcomes ...Outcome) tail {
	return func(attempt int, _ Instant) (Outcome, time.Duration) {
		return outcomes[min(attempt, len(outcomes))-1], 0
	}
}

// taking gives the nth attempt of t the nth service time; the last repeats.
func (t tail) taking(times ...time.Duration) tail {
	return func(attempt int, now Instant) (Outcome, time.Duration) {
		o, _ := t(attempt, now)
		return o, times[min(attempt, len(times))-1]
	}
}

// rank orders what happens at one instant: replies, then timeouts and callers
// leaving, then the ends of rests, then new arrivals.
type rank int

const (
	reply rank = iota
	timeout
	rest
	arrival
)

type event struct {
	at   Instant
	rank rank
	do   func(now Instant)
	ref  Ref // of a reply: the attempt
}

var noteNames = map[Note]string{WastedRest: "wasted rest", Late: "late", Expired: "expired", TimedOut: "timed out"}

// call is what became of one call.
type call struct {
	root      Ref
	started   bool
	sends     []Instant
	orphans   int // sends when an ancestor had stopped waiting
	abandoned int // attempts that were running when nobody waited any more
	stopped   int // attempts that the driver was asked to end
	forgotten int // timers
	answers   []Outcome
	answered  Instant
	ends      int
	ended     Instant
	notes     []string
}

// driver runs one edge in virtual time: the smallest engine there can be.
type driver struct {
	edge    *Edge
	tail    tail
	queue   []event
	now     Instant
	calls   []*call
	actions []Action
	working map[Ref]bool // attempts without Done; true once abandoned
	faults  []string     // what the edge must never do
}

func newDriver(stack []Policy, passes bool, t tail) *driver {
	return &driver{edge: NewEdge(NewEdgeID("a", "b"), stack, passes), tail: t, working: map[Ref]bool{}}
}

func (d *driver) add(at Instant, r rank, do func(now Instant)) {
	d.insert(event{at: at, rank: r, do: do})
}

// insert keeps the queue ordered by instant, rank and insertion.
func (d *driver) insert(e event) {
	if e.at == Never {
		return
	}
	i := 0
	for i < len(d.queue) && cmp.Or(cmp.Compare(d.queue[i].at, e.at), cmp.Compare(d.queue[i].rank, e.rank)) <= 0 {
		i++
	}
	d.queue = slices.Insert(d.queue, i, e)
}

// start lets a call arrive at an instant.
func (d *driver) start(at Instant, r Request) *call {
	c := &call{}
	d.calls = append(d.calls, c)
	d.add(at, arrival, func(now Instant) {
		c.root, d.actions = d.edge.Start(r, now, d.actions[:0])
		c.started = true
		d.perform()
	})
	return c
}

// cancel lets the caller of c leave at an instant.
func (d *driver) cancel(at Instant, c *call) {
	d.add(at, timeout, func(now Instant) {
		d.actions = d.edge.Cancel(c.root, now, d.actions[:0])
		d.perform()
	})
}

// run works through everything up to the horizon.
func (d *driver) run(horizon time.Duration) {
	for len(d.queue) > 0 && d.queue[0].at <= Instant(horizon) {
		e := d.queue[0]
		d.queue = slices.Delete(d.queue, 0, 1)
		d.now = e.at
		e.do(e.at)
	}
}

func (d *driver) perform() {
	for _, a := range slices.Clone(d.actions) {
		c := d.of(a.Root)
		if c.ends > 0 {
			d.fault("action %d after End", a.Kind)
		}
		switch a.Kind {
		case Send:
			d.working[a.Ref] = false
			c.sends = append(c.sends, d.now)
			if a.Orphan {
				c.orphans++
			}
			o, takes := d.tail(int(a.Number), d.now)
			d.reply(a.Ref, o, d.now.Add(takes))
		case Abandon:
			d.abandon(c, a)
		case Wake:
			d.wake(a)
		case Forget:
			c.forgotten++
		case Answer:
			c.answers, c.answered = append(c.answers, a.Outcome), d.now
		case End:
			c.ends, c.ended = c.ends+1, d.now
		case Remark:
			c.notes = append(c.notes, noteNames[a.Note]+" at "+seconds(d.now))
		}
	}
}

// abandon allows a first Abandon, and one more only if it adds Cancel.
func (d *driver) abandon(c *call, a Action) {
	again, working := d.working[a.Ref]
	switch {
	case !working:
		d.fault("Abandon of an attempt that is done")
	case again && !a.Cancel:
		d.fault("Abandon of an attempt that was abandoned")
	}
	d.working[a.Ref] = true
	if a.Cancel {
		c.stopped++
		d.stop(a.Ref)
	} else {
		c.abandoned++
	}
}

func (d *driver) fault(format string, args ...any) {
	d.faults = append(d.faults, "at "+seconds(d.now)+": "+fmt.Sprintf(format, args...))
}

func (d *driver) reply(ref Ref, o Outcome, at Instant) {
	d.insert(event{at: at, rank: reply, ref: ref, do: func(now Instant) {
		delete(d.working, ref)
		d.actions = d.edge.Done(ref, o, now, d.actions[:0])
		d.perform()
	}})
}

// stop ends an attempt as a transport does: at once, and reported as cancelled.
func (d *driver) stop(ref Ref) {
	d.queue = slices.DeleteFunc(d.queue, func(e event) bool { return e.rank == reply && e.ref == ref })
	d.reply(ref, Failed(Cancelled), d.now)
}

// wake leaves forgotten timers in the queue: the edge must know them as stale.
func (d *driver) wake(a Action) {
	r := timeout
	if a.Rest {
		r = rest
	}
	d.add(a.At, r, func(now Instant) {
		d.actions = d.edge.Timer(a.Ref, a.Arming, now, d.actions[:0])
		d.perform()
	})
}

func (d *driver) of(root Ref) *call {
	for _, c := range d.calls {
		if c.started && c.root == root {
			return c
		}
	}
	panic(fmt.Sprintf("no call %v", root))
}

// result is "OUTCOME at SECONDS", or what is wrong with the answers.
func (c *call) result() string {
	switch len(c.answers) {
	case 0:
		return "unanswered"
	case 1:
		return c.answers[0].String() + " at " + seconds(c.answered)
	}
	return fmt.Sprintf("%d answers: %v", len(c.answers), c.answers)
}

func (c *call) hits() string { return seconds(c.sends...) }

// seconds writes instants as in the tables: "0 1 3 7".
func seconds(at ...Instant) string {
	words := make([]string, len(at))
	for i, t := range at {
		words[i] = strconv.FormatFloat(time.Duration(t).Seconds(), 'f', -1, 64)
	}
	return strings.Join(words, " ")
}

// alone runs one call of a stack to the horizon.
func alone(stack []Policy, t tail, horizon time.Duration) *call {
	d := newDriver(stack, true, t)
	c := d.start(0, Request{Repeatable: true})
	d.run(horizon)
	return c
}

// equal fails the test when a fact differs.
func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func at(d time.Duration) Instant { return Instant(d) }
