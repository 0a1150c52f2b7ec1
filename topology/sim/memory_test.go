package sim

import (
	"testing"
	"time"
	"unsafe"

	"labctl/topology"
	"labctl/topology/policy"
)

// Events cost no memory once the engine has seen a few.
func TestNoAllocationsPerEvent(t *testing.T) {
	jittered := set("services.client.calls.a.retry.rest=100ms", "services.client.calls.a.retry.jitter=50%")
	for what, top := range map[string]topology.Topology{
		"one layer":          lab([]int{3}, jittered),
		"three layers":       lab([]int{3, 3, 3}, jittered),
		"timeouts":           lab([]int{3, 3}, jittered, set("services.b.fault=503+delay=60ms", "services.client.calls.a.timeout=100ms")),
		"timeouts, kept":     lab([]int{3, 3}, jittered, set("services.b.fault=503+delay=60ms", "services.client.calls.a.timeout=100ms", "services.client.calls.a.keep_working=true")),
		"latency and speed":  lab([]int{3}, jittered, slow(time.Millisecond), tail(func(c *topology.Capacity) { c.Speed = []topology.Speed{{Until: time.Hour, Percent: 50}} }), takes(time.Millisecond)),
		"windows and chance": lab([]int{3}, jittered, set("services.a.fault=503@0s..1s,reset:50%")),
		"closed loop":        lab([]int{3}, jittered, set("load.herd.requests=5")),
		"retry-after":        lab([]int{3}, jittered, set("services.a.fault=503+retry-after=2@0s..1s,503+date-retry-after=3:50%")),
		"raw retry-after":    lab([]int{3}, jittered, set("services.a.fault=503+raw-retry-after=007:50%")),
		"slow and lost":      lab([]int{3, 2}, jittered, set("services.a.fault=slow+over=5ms", "services.b.fault=lost+delay=3ms:50%")),
		"deadlines":          lab([]int{3, 3}, jittered, set("services.b.fault=503+delay=60ms", "services.client.calls.a.deadline.limit=200ms", "services.client.calls.a.deadline.mode=absolute", "services.a.calls.b.deadline.check=true")),
		"replicas":           lab([]int{3}, jittered, set("services.a.replicas=3", "services.a.balance=random", "services.a.replica.1.fault=ok")),
		"routes":             lab([]int{3}, jittered, set("load.others.slow.clients=1000", "services.a.routes.slow.fault=503+delay=5ms")),
		"an end of the load": lab([]int{2}, jittered, set("load.for=1s", "load.herd.think=50ms", "load.herd.pause=100ms")),
		"each":               lab([]int{3}, jittered, set("services.a.fault=each:503@0s..1s")),
	} {
		p, err := newPlan(top)
		if err != nil {
			t.Fatal(err)
		}
		out := quiet(top)
		e := newEngine(p, out)
		id := 0
		one := func() {
			e.reset()
			e.clients.start(id, id+1)
			e.run(func() bool { return false })
			id++
		}
		for range 100 {
			one()
		}
		equal(t, what+": allocations per client, by the event loop", testing.AllocsPerRun(500, one), 0)
		if p.straight() {
			s := newStraight(p, out)
			s.stop = func() bool { return false }
			equal(t, what+": allocations per client, without one", testing.AllocsPerRun(500, func() { s.client(id); id++ }), 0)
		}
	}
}

// quiet is a tally that has grown: its quantiles come from a histogram.
func quiet(top topology.Topology) *tally {
	out := newTally(top, Options{})
	for range 100_001 {
		out.Ended(0, policy.Status(503), 0, policy.Instant(time.Second))
	}
	out.Arrive(out.Tail(), policy.Instant(time.Minute), false)
	return out
}

// Neither do those of a crowded service in its steady state.
func TestNoAllocationsInSteadyState(t *testing.T) {
	for what, change := range map[string]change{
		"queue": workers(3, 12*time.Millisecond),
		"full":  tail(func(c *topology.Capacity) { c.Workers, c.Time, c.Queue = 3, topology.Always(12*time.Millisecond), 5 }),
		"LIFO": tail(func(c *topology.Capacity) {
			c.Workers, c.Time, c.Order = 3, topology.Always(12*time.Millisecond), topology.LIFO
		}),
		"drop": tail(func(c *topology.Capacity) {
			c.Workers, c.Time, c.Drop = 3, topology.Always(12*time.Millisecond), topology.DropGone
		}),
		"replicas":  tail(func(c *topology.Capacity) { c.Workers, c.Time, c.Replicas = 1, topology.Always(12*time.Millisecond), 3 }),
		"everybody": workers(1000, 12*time.Millisecond),
		"throttle":  set("services.a.fault=throttle=250/s", "services.client.calls.a.retry.rest=10ms", "services.client.calls.a.retry.retry_after=ignore"),
		"in turn":   shaped("client: a:50% b*2", "b: c d*2:50%"),
		"at once":   shaped("client: a | b*2", "a: d", "b: c | d*2"),
		"policies": set("services.a.fault=503+delay=20ms:20%", "services.client.calls.a.pool.limit=4", "services.client.calls.a.bulkhead.limit=6", "services.client.calls.a.bulkhead.queue=5",
			"services.client.calls.a.breaker.failures=50", "services.client.calls.a.fallback.static=true", "services.client.calls.a.deadline.limit=90ms", "services.client.calls.a.deadline.check=true"),
	} {
		top := lab([]int{2}, rate(300, 10_000*time.Second), set("services.a.fault=503:20%", "services.client.calls.a.timeout=100ms"), change)
		p, err := newPlan(top)
		if err != nil {
			t.Fatal(err)
		}
		e := newEngine(p, quiet(top))
		e.clients.start(0, 0)
		step := func() {
			for range 1000 {
				at, _, ev, ok := e.queue.Pop()
				if !ok {
					t.Fatal("the load has ended")
				}
				e.now = policy.Instant(at)
				e.handle(&ev)
			}
		}
		for range 100 {
			step()
		}
		equal(t, what+": allocations per 1000 events", testing.AllocsPerRun(100, step), 0)
	}
}

// shaped makes the services those of a graph, of which some fail, and some too late.
func shaped(lines ...string) change {
	return func(top *topology.Topology) {
		top.Services = graph(lines, settings("services.a.fault=503:20% services.d.fault=ok+delay=30ms:20% services.b.workers=4 services.client.calls.b.timeout=20ms")).Services
	}
}

// What waits in memory for each request in flight.
func TestSizes(t *testing.T) {
	for what, size := range map[string]struct{ got, most uintptr }{
		"event":  {unsafe.Sizeof(event{}), 20},
		"demand": {unsafe.Sizeof(demand{}), 32},
		"job":    {unsafe.Sizeof(job{}), 80},
		"frame":  {unsafe.Sizeof(policy.Frame{}), 64},
	} {
		t.Logf("%s: %d bytes", what, size.got)
		between(t, what, int(size.got), 1, int(size.most))
	}
}
