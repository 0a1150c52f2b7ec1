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
			j := c.request(i, 0)
			late := policy.Uniform(c.e.jobs[j].luck.Draw(policy.ForArrival), c.load.Herd.Smear)
			c.e.pushJob(policy.Instant(late), arrivals, toBegin, j)
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
	j := c.request(c.next, 0)
	if c.next++; c.next < c.last {
		c.e.push(c.e.now, arrivals, event{what: toGenerate})
	}
	c.e.begin(j)
}

// arriveOpen is one arrival of the open loop: it goes out at once, or waits for
// one of a limited number of workers.
func (c *clients) arriveOpen() {
	j := c.request(c.schedule.index-1, 0)
	c.e.jobs[j].at = c.e.now
	c.await()
	if w := c.load.Rate.Workers; w > 0 && c.flying >= w {
		c.due.push(j)
		return
	}
	c.flying++
	c.e.begin(j)
}

// await schedules the next arrival of the open loop.
func (c *clients) await() {
	if at, ok := c.schedule.next(); ok {
		c.e.push(at, arrivals, event{what: toGenerate})
	}
}

// request makes the nth logical request of a client.
func (c *clients) request(id, n int) int32 {
	i := c.e.newJob()
	j := &c.e.jobs[i]
	j.client, j.number, j.service, j.state = uint32(id), uint32(n), client, isFirst
	j.luck = policy.RootLuck(c.seed, uint64(id), uint64(n))
	return i
}

// begin sends a client's request. A request of an open loop is timed from the
// instant it was due, so that the wait behind a stalled service counts.
func (e *engine) begin(i int32) {
	j := &e.jobs[i]
	if l := &e.clients.load; !l.Open() || l.Rate.FromSend {
		j.at = e.now
	}
	e.out.Begun()
	e.call(i, 0)
}

// answered ends a client's request, and lets the client, or the worker, go on.
func (c *clients) answered(i int32, o policy.Outcome) {
	j := &c.e.jobs[i]
	c.e.out.ended(o, j.at, c.e.now)
	id, n := int(j.client), int(j.number)
	c.e.over(i)
	switch {
	case c.load.Open():
		c.flying--
		if c.due.len() > 0 {
			c.flying++
			c.e.begin(c.due.pop(false))
		}
	case n+1 < c.load.Herd.PerClient():
		next := c.request(id, n+1)
		think := c.load.Herd.Think.Draw(c.e.jobs[next].luck.Draw(policy.ForThink))
		c.e.pushJob(c.e.now.Add(think), arrivals, toBegin, next)
	}
}
