package sim

import (
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// Requests that come every 10 ms to a service that needs 25 ms for each, and
// when they end.
func TestCapacity(t *testing.T) {
	for _, tt := range []struct {
		what  string
		c     topology.Capacity
		ends  []time.Duration
		words string
	}{
		{"no limit", topology.Capacity{}, ms(25, 35, 45, 55), "200 200 200 200"},
		{"one worker", topology.Capacity{Workers: 1}, ms(25, 50, 75, 100), "200 200 200 200"},
		{"two workers", topology.Capacity{Workers: 2}, ms(25, 35, 50, 60), "200 200 200 200"},
		{"newest first", topology.Capacity{Workers: 1, Order: topology.LIFO}, ms(25, 50, 75, 100), "200 200 200 200"},
		{"a place to wait", topology.Capacity{Workers: 1, Queue: 1}, ms(20, 25, 50, 75), "200 200 503 200"},
		{"no place to wait", topology.Capacity{Workers: 1, Queue: topology.Full}, ms(10, 20, 25, 55), "200 503 503 200"},
		{"two replicas in turn", topology.Capacity{Workers: 1, Replicas: 2}, ms(25, 35, 50, 60), "200 200 200 200"},
		{"the replica with the least to do", topology.Capacity{Workers: 1, Replicas: 3, Balance: policy.LeastInFlight}, ms(25, 35, 45, 55), "200 200 200 200"},
		{"half the speed until 40 ms", topology.Capacity{Workers: 1, Speed: []topology.Speed{{Until: 40 * time.Millisecond, Percent: 50}}}, ms(45, 70, 95, 120), "200 200 200 200"},
		{"a stall in the middle of it", topology.Capacity{Workers: 1, Speed: []topology.Speed{{From: 5 * time.Millisecond, Until: 40 * time.Millisecond}}}, ms(60, 85, 110, 135), "200 200 200 200"},
	} {
		tt.c.Time = topology.Always(25 * time.Millisecond)
		o := run(t, lab([]int{1}, set("services.a.fault=ok"), arriving(ms(0, 10, 20, 30)...), tail(func(c *topology.Capacity) { *c = tt.c })))
		same(t, tt.what+": ends", o.ends(), tt.ends)
		equal(t, tt.what+": outcomes", o.words(), tt.words)
	}
}

// The order of a queue shows in who waits: last come first served lets the
// second request wait for all that came later.
func TestQueueDiscipline(t *testing.T) {
	for order, want := range map[topology.Order][]time.Duration{
		topology.FIFO: ms(25, 40, 55, 70),
		topology.LIFO: ms(25, 90, 30, 45),
	} {
		o := run(t, lab([]int{1}, set("services.a.fault=ok"), arriving(ms(0, 10, 20, 30)...), workers(1, 25*time.Millisecond),
			tail(func(c *topology.Capacity) { c.Order = order })))
		o.words() // in order of their starts
		var got []time.Duration
		for _, r := range o.requests {
			got = append(got, r.latency())
		}
		same(t, text(order), got, want)
	}
}

// A waiting request whose caller has left gives up its place at once, whether or
// not the service looks at who still waits; one whose caller leaves silently
// keeps it, unless the service passes over it.
func TestWhoLeavesTheQueue(t *testing.T) {
	const timeout = "services.client.calls.a.timeout=50ms"
	for _, tt := range []struct {
		what      string
		keep      string
		drop      topology.Drop
		queue     int
		words     string
		effects   int64
		abandoned int64
	}{
		{"cancellation frees worker and place for the next", "false", topology.DropNone, 1, "timeout 200 503 200", 2, 1},
		{"dead work keeps the worker until 100 ms, and the place", "true", topology.DropNone, 1, "timeout timeout 503 503", 2, 2},
		{"the place is kept until a worker looks", "true", topology.DropGone, 1, "timeout timeout 503 503", 1, 2},
		{"with room enough", "true", topology.DropNone, 0, "timeout timeout timeout timeout", 4, 4},
		{"and passing over them, the last one is served", "true", topology.DropGone, 0, "timeout timeout timeout 200", 2, 3},
	} {
		o := run(t, lab([]int{1}, set("services.a.fault=ok+delay=100ms,ok", timeout, "services.client.calls.a.keep_working="+tt.keep),
			arriving(ms(0, 1, 2, 99)...), tail(func(c *topology.Capacity) {
				c.Workers, c.Queue, c.Drop = 1, tt.queue, tt.drop
				if tt.queue == 0 {
					c.Time = topology.Always(20 * time.Millisecond)
				}
			})))
		equal(t, tt.what+": outcomes", o.words(), tt.words)
		equal(t, tt.what+": effects", o.Effects, tt.effects)
		equal(t, tt.what+": abandoned", o.Abandoned, tt.abandoned)
	}
}

// Waiters that gave up hold no place in a bounded queue (case A08's fault). At
// 101 ms the one that waits leaves, and half a millisecond later three requests
// find two places.
func TestWaitersThatGaveUpHoldNoPlace(t *testing.T) {
	late := 101*time.Millisecond + 500*time.Microsecond
	o := run(t, lab([]int{1}, set("services.a.fault=ok", "services.client.calls.a.timeout=100ms"), workers(1, 90*time.Millisecond),
		arriving(0, time.Millisecond, 2*time.Millisecond, late, late, late), tail(func(c *topology.Capacity) { c.Queue, c.Order = 2, topology.LIFO })))
	equal(t, "outcomes", o.words(), "200 timeout timeout 503 200 timeout")
}

// Random replicas are chosen by the luck of the attempt, each as often.
func TestRandomReplicas(t *testing.T) {
	const n = 30_000
	e, out := simulate(t, lab([]int{1}, herd(n), tail(func(c *topology.Capacity) {
		c.Replicas, c.Balance, c.Workers, c.Time = 3, policy.Random, 1, topology.Always(time.Millisecond)
	})))
	s := &e.services[0]
	equal(t, "hits", hitsOf(out), n)
	// Each replica works without a pause, so the last answer tells how many
	// the busiest got.
	between(t, "busiest replica", time.Duration(lastOf(out)), n/3*time.Millisecond, n/3*time.Millisecond+400*time.Millisecond)
	equal(t, "replicas", len(s.stations), 3)
}

// Network latency counts each way, before the hit and after it.
func TestLatency(t *testing.T) {
	o := run(t, lab([]int{2, 1}, slow(10*time.Millisecond), takes(5*time.Millisecond), func(top *topology.Topology) {
		top.Services[1].Calls[0].Latency = topology.Always(time.Millisecond)
	}))
	same(t, "hits: 10 + 1, and after 10 + 1 + 5 + 1 + 10 again", o.at(), ms(11, 38))
	same(t, "end", o.ends(), ms(54))
}

// A service whose clock is ahead sees its outage end early, and one whose clock
// is behind late.
func TestSkew(t *testing.T) {
	for skew, hits := range map[time.Duration]int64{
		0: 3, 500 * time.Millisecond: 3, time.Second: 2, 2 * time.Second: 1,
		-time.Second: 1, // before its zero there is no outage yet
	} {
		o := run(t, lab([]int{10}, set("services.a.fault=503@0s..2s,ok", "services.client.calls.a.retry.rest=1s"),
			tail(func(c *topology.Capacity) { c.Skew = skew })))
		equal(t, text(skew), o.Hits, hits)
	}
}
