package sim

import (
	"net/http"

	"labctl/topology"
	"labctl/topology/policy"
)

// clients make the requests of the load: a herd, which may come back for more,
// or an open loop.
type clients struct {
	e          *engine
	load       topology.Load
	seed       uint64
	repeatable bool

	next, last int // clients of a sharp herd that are still to begin
	schedule   schedule
	flying     int   // requests of an open loop in flight
	due        deque // its requests that wait for a worker
}

func newClients(e *engine) clients {
	load, seed := e.topo.Load, e.topo.Run.Seed
	return clients{
		e: e, load: load, seed: seed,
		repeatable: repeatable(load),
		schedule:   schedule{rate: load.Rate, seed: seed},
	}
}

// repeatable reports whether requests are safe to repeat: an idempotent method
// (RFC 9110, section 9.2.2) or a key.
func repeatable(l topology.Load) bool {
	return l.Key || l.Method != http.MethodPost && l.Method != http.MethodPatch
}

// start schedules the first requests of some clients of a herd, or of the open
// loop. Of a sharp herd only one beginning waits in the queue at a time: each
// makes way for the next, and the order is the same.
func (c *clients) start(from, to int) {
	switch {
	case c.load.Open():
		c.await()
	case c.load.Herd.Smear > 0:
		for i := from; i < to; i++ {
			q := c.e.demands.new(i, 0)
			late := policy.Uniform(c.luck(q).Draw(policy.ForArrival), c.load.Herd.Smear)
			c.e.push(policy.Instant(late), arrivals, event{what: toBegin, job: q})
		}
	default:
		c.next, c.last = from, to
		c.e.push(0, arrivals, event{what: toGenerate})
	}
}

// horizon is the end of an open loop, or its last arrival.
func (c *clients) horizon() policy.Instant {
	if given := c.load.Rate.At; c.e.until == policy.Never && len(given) > 0 {
		return policy.Instant(given[len(given)-1])
	}
	return c.e.until
}

// arrive is the next beginning: of a client of the herd, or of the open loop.
func (c *clients) arrive() {
	if c.load.Open() {
		c.arriveOpen()
		return
	}
	q := c.e.demands.new(c.next, 0)
	if c.next++; c.next < c.last {
		c.e.push(c.e.now, arrivals, event{what: toGenerate})
	}
	c.begin(q)
}

// arriveOpen is one arrival of the open loop: it goes out at once, or waits for
// one of a limited number of workers.
func (c *clients) arriveOpen() {
	q := c.e.demands.new(c.schedule.index-1, 0)
	c.e.demands.list[q].at = c.e.now
	c.await()
	if w := c.load.Rate.Workers; w > 0 && c.flying >= w {
		c.due.push(q)
		return
	}
	c.flying++
	c.begin(q)
}

// await schedules the next arrival of the open loop.
func (c *clients) await() {
	if at, ok := c.schedule.next(); ok {
		c.e.push(at, arrivals, event{what: toGenerate})
	}
}

// begin sends a request. One of an open loop is timed from the instant it was
// due, so that the wait behind a stalled service counts.
func (c *clients) begin(i int32) {
	q := &c.e.demands.list[i]
	if !c.load.Open() || c.load.Rate.FromSend {
		q.at = c.e.now
	}
	q.calling = true
	q.refs++
	c.e.out.Begun(0)
	c.e.call(0, i, c.luck(i))
}

// answered ends a request, and lets the client, or the worker, go on.
func (c *clients) answered(i int32, o policy.Outcome) {
	q := &c.e.demands.list[i]
	c.e.out.ended(o, q.at, c.e.now)
	id, n := int(q.client), int(q.number)
	q.calling = false
	c.e.demands.unref(i)
	switch {
	case c.load.Open():
		c.flying--
		if c.due.len() > 0 {
			c.flying++
			c.begin(c.due.pop(false))
		}
	case n+1 < c.load.PerClient(c.load.Herd):
		next := c.e.demands.new(id, n+1)
		think := c.load.Herd.Think.Draw(c.luck(next).Draw(policy.ForThink))
		c.e.push(c.e.now.Add(think), arrivals, event{what: toBegin, job: next})
	}
}
