package sim

import (
	"net/http"

	"labctl/topology"
	"labctl/topology/policy"
)

// clients make the requests of the load: herds, which may come back for more, or
// an open loop.
type clients struct {
	e          *engine
	load       topology.Load
	herds      []herdPlan
	end        policy.Instant // of the load: no request begins at or after it
	seed       uint64
	repeatable bool

	next, last int // clients of a sharp herd that are still to begin
	schedule   topology.Schedule
	flying     int   // requests of an open loop in flight
	due        deque // its requests that wait for a worker
}

func newClients(e *engine) clients {
	load, seed := e.topo.Load, e.topo.Run.Seed
	return clients{
		e: e, load: load, herds: newHerds(&e.topo), end: lastBegin(load), seed: seed,
		repeatable: repeatable(load),
		schedule:   topology.NewSchedule(load.Rate, seed),
	}
}

// repeatable reports whether requests are safe to repeat: an idempotent method
// (RFC 9110, section 9.2.2) or a key.
func repeatable(l topology.Load) bool {
	return l.Key || l.Method != http.MethodPost && l.Method != http.MethodPatch
}

// start schedules the first requests of some clients, or of the open loop. Of a
// single sharp herd only one beginning waits in the queue at a time: each makes way
// for the next, and the order is the same.
func (c *clients) start(from, to int) {
	switch sharp := len(c.herds) == 1 && c.load.Herd.Smear == 0; {
	case c.load.Open():
		c.await()
	case sharp && policy.Instant(c.load.Herd.Start) < c.end:
		c.next, c.last = from, to
		c.e.push(policy.Instant(c.load.Herd.Start), starts, event{what: toGenerate})
	default:
		for i := from; i < to; i++ {
			at := herdOf(c.herds, i).begins(policy.RootLuck(c.seed, uint64(i), 0))
			if at < c.end {
				c.e.push(at, starts, event{what: toBegin, job: c.request(i, 0)})
			}
		}
	}
}

// request is the nth request of a client.
func (c *clients) request(client, n int) int32 {
	i := c.e.demands.new(client, n)
	c.e.demands.list[i].route = herdOf(c.herds, client).route
	return i
}

// horizon is when the last request begins at the latest.
func (c *clients) horizon() policy.Instant {
	end := min(c.e.until, c.end)
	if given := c.load.Rate.At; c.load.Open() && len(given) > 0 {
		end = min(end, policy.Instant(given[len(given)-1]))
	}
	return end
}

// arrive is the next beginning: of a client of the herd, or of the open loop.
func (c *clients) arrive() {
	if c.load.Open() {
		c.arriveOpen()
		return
	}
	q := c.request(c.next, 0)
	if c.next++; c.next < c.last {
		c.e.push(c.e.now, starts, event{what: toGenerate})
	}
	c.begin(q)
}

// arriveOpen is one arrival of the open loop: it goes out at once, or waits for
// one of a limited number of workers. It has begun then, and goes out even when the
// load has ended meanwhile.
func (c *clients) arriveOpen() {
	q := c.request(c.schedule.Index()-1, 0)
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
	if at, ok := c.schedule.Next(); ok && at < c.end {
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
	c.e.out.Begun(q.route)
	if !c.e.begin(&c.e.calls[0], i, c.luck(i)) { // chance has it that it wants nothing
		c.answered(i, policy.Status(http.StatusOK))
	}
}

// told ends a call of a request, and with the last one the request.
func (c *clients) told(over, i int32, o policy.Outcome) {
	if c.e.outer > 1 {
		all, is := c.e.hear(&c.e.calls[0], over, i, o)
		if !is {
			return
		}
		o = all
	}
	c.answered(i, o)
}

// answered ends a request, and lets the client, or the worker, go on.
func (c *clients) answered(i int32, o policy.Outcome) {
	q := &c.e.demands.list[i]
	if c.e.out.spans != nil {
		c.e.out.spans.ended(c, i, o, c.e.now, false)
	}
	c.e.out.ended(q.route, o, q.at, c.e.now)
	id, n := int(q.client), int(q.number)
	q.calling = false
	c.e.demands.unref(i)
	if !c.load.Open() {
		c.again(id, n+1, o)
		return
	}
	c.flying--
	if c.due.len() > 0 {
		c.flying++
		c.begin(c.due.pop(false))
	}
}

// again schedules a client's next request after an outcome, if there is one.
func (c *clients) again(client, n int, o policy.Outcome) {
	h := herdOf(c.herds, client)
	if n >= h.requests {
		return
	}
	at := c.e.now.Add(h.pause(o, policy.RootLuck(c.seed, uint64(client), uint64(n))))
	if at < c.end {
		c.e.push(at, arrivals, event{what: toBegin, job: c.request(client, n)})
	}
}
