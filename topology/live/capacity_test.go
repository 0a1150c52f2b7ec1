package live_test

import (
	"testing"
	"testing/synctest"

	"labctl/report"
	"labctl/topology/live"
)

// Workers serve so many at once, in their order; who finds no place is refused at
// once, and who leaves keeps none.
func TestWorkers(t *testing.T) {
	const a, c = "services.a.", "services.client.calls.a."
	for _, tt := range []struct {
		what           string
		settings       []string
		ok, failed     int64
		timeouts       int64
		elapsed        float64
		p50, max       float64
		queue          report.Bulkhead
		orphan, behind int64
	}{
		{"five over two workers take three rounds", []string{a + "workers=2", "load.herd.clients=5"},
			5, 0, 0, 180, 120, 180, report.Bulkhead{Limit: 2, InUse: 2, Waiting: 3, Admitted: 5, Queued: 3, MeanQueueMS: 80, LongestWaitMS: 120}, 0, 0},
		{"one may wait", []string{a + "workers=2", a + "queue=1", "load.herd.clients=5"},
			3, 2, 0, 120, 60, 120, report.Bulkhead{Limit: 2, InUse: 2, Waiting: 1, Admitted: 3, Rejected: 2, Queued: 1, MeanQueueMS: 60, LongestWaitMS: 60}, 0, 0},
		{"nobody may", []string{a + "workers=2", a + "queue=none", "load.herd.clients=5"},
			2, 3, 0, 60, 0, 60, report.Bulkhead{Limit: 2, InUse: 2, Admitted: 2, Rejected: 3}, 0, 0},
		{"nobody tells, and all the work is done", []string{a + "workers=1", "load.herd.clients=4", c + "timeout=70ms", c + "keep_working=true"},
			1, 0, 3, 70, 70, 70, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 3, Admitted: 4, Queued: 3, MeanQueueMS: 120, LongestWaitMS: 180}, 0, 3},
		{"but who left is passed over", []string{a + "workers=1", a + "drop=true", "load.herd.clients=4", c + "timeout=70ms", c + "keep_working=true"},
			1, 0, 3, 70, 70, 70, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 3, Admitted: 2, Left: 2, Queued: 1, MeanQueueMS: 60, LongestWaitMS: 60}, 0, 3},
		{"half the speed from 90 ms on", []string{a + "workers=1", a + "speed=90ms..1s:50%", "load.herd.clients=2"},
			2, 0, 0, 150, 60, 150, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 1, Admitted: 2, Queued: 1, MeanQueueMS: 60, LongestWaitMS: 60}, 0, 0},
		{"a stall of 100 ms", []string{a + "workers=1", a + "speed=90ms..190ms:0%", "load.herd.clients=2"},
			2, 0, 0, 220, 60, 220, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 1, Admitted: 2, Queued: 1, MeanQueueMS: 60, LongestWaitMS: 60}, 0, 0},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, lab(t, []int{1}, append(tt.settings, a+"fault=ok", a+"time=60ms")...), live.Pipe())
				equal(t, "successes", o.Outcomes.OK, tt.ok)
				equal(t, "failures", o.Outcomes.Failed, tt.failed)
				equal(t, "timeouts", o.Outcomes.Timeout, tt.timeouts)
				equal(t, "elapsed", o.ElapsedMS, tt.elapsed)
				equal(t, "p50", o.LatencyMS.P50, tt.p50)
				equal(t, "max", o.LatencyMS.Max, tt.max)
				equal(t, "queue", *o.Layers[1].Queue, tt.queue)
				equal(t, "orphans", o.HitKinds.Orphan, tt.orphan)
				equal(t, "abandoned", o.Abandoned, tt.behind)
				equal(t, "mismatch", o.warning("hits-differ-from-attempts"), "")
			})
		})
	}
}

// A hit takes its place when it takes its turn in the fault program: of many that come
// at once the first two find the workers, and those are the two that fail.
func TestPlacesAreInOrderOfTurns(t *testing.T) {
	for net, n := range networks() {
		o := run(t, lab(t, []int{1}, "load.herd.clients=60", "services.a.fault=500x2,ok", "services.a.time=200ms", "services.a.workers=2", "services.a.queue=none"), n)
		equal(t, net+": served", o.Layers[1].Queue.Admitted, 2)
		equal(t, net+": successes", o.Outcomes.OK, 0)
	}
}

// Under overload the newest first keeps some answers fresh, and the oldest pay.
func TestOrderOfWorkers(t *testing.T) {
	for _, tt := range []struct {
		order                string
		p50, longest, latest float64
	}{
		{"fifo", 119, 177, 237}, // latencies 60, 119, 178, 237
		{"lifo", 117, 179, 239}, // latencies 60, 117, 178, 239
	} {
		synctest.Test(t, func(t *testing.T) {
			o := run(t, lab(t, []int{1}, "services.a.fault=ok", "services.a.time=60ms", "services.a.workers=1", "services.a.order="+tt.order,
				"load.rate.at=0s,1ms,2ms,3ms"), live.Pipe())
			equal(t, tt.order+": successes", o.Outcomes.OK, 4)
			equal(t, tt.order+": the longest wait", o.Layers[1].Queue.LongestWaitMS, tt.longest)
			equal(t, tt.order+": the median", o.LatencyMS.P50, tt.p50)
			equal(t, tt.order+": the slowest", o.LatencyMS.Max, tt.latest)
		})
	}
}

// A caller that leaves the queue keeps no place in it.
func TestCallersLeaveTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		top := lab(t, []int{1}, "services.a.fault=ok", "services.a.time=60ms", "services.a.workers=1", "services.a.queue=2", "services.client.calls.a.timeout=20ms",
			"load.others.hasty.clients=2", "load.others.hasty.start=10ms", "load.others.late.clients=1", "load.others.late.start=40ms")
		for i := range top.Services[0].Calls[0].Policies {
			if p := &top.Services[0].Calls[0].Policies[i]; p.Timeout != nil {
				p.Route = "hasty"
			}
		}
		o := run(t, top, live.Pipe())
		equal(t, "queue", *o.Layers[1].Queue, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 2, Admitted: 2, Left: 2, Queued: 1, MeanQueueMS: 20, LongestWaitMS: 20})
		equal(t, "successes", o.Outcomes.OK, 2)
		equal(t, "abandoned", o.Abandoned, 2)
		equal(t, "elapsed", o.ElapsedMS, 120)
	})
}

// Each law of a balancer, on replicas of which the second fails at once.
func TestReplicas(t *testing.T) {
	const a, c = "services.a.", "services.client.calls.a."
	for _, tt := range []struct {
		what     string
		settings []string
		replicas []int64
		ok       int64
	}{
		{"in turn: every third request meets it", nil, []int64{4, 4, 4}, 8},
		{"the fewest in flight: the one that fails at once draws all who find the first busy", []string{a + "balance=least", "load.herd.clients=4", "load.herd.requests=3", "load.herd.think=1ms"}, []int64{3, 9, 0}, 3},
		{"with a retry, the next replica's turn comes", []string{c + "retry.attempts=2"}, []int64{6, 6, 6}, 12},
		{"a pool of one holds its replica", []string{c + "pool.limit=1"}, []int64{4, 4, 4}, 8},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				settings := append([]string{"load.herd.requests=12", "load.herd.smear=1ms", a + "fault=ok+delay=60ms", a + "replicas=3", a + "replica.1.fault=503"}, tt.settings...)
				o := run(t, lab(t, []int{1}, settings...), live.Pipe())
				same(t, "hits of the replicas", o.Layers[1].Replicas, tt.replicas)
				equal(t, "successes", o.Outcomes.OK, tt.ok)
				equal(t, "mismatch", o.warning("hits-differ-from-attempts"), "")
			})
		})
	}
	for net, n := range networks() {
		o := run(t, lab(t, []int{1}, "load.herd.requests=12", a+"replicas=3", a+"fault=ok", a+"replica.2.fault=refuse"), n)
		same(t, net+": a closed port among them", o.Layers[1].Replicas, []int64{4, 4, 4})
		equal(t, net+": successes", o.Outcomes.OK, 8)
		equal(t, net+": warning", o.warning("refused-not-counted"),
			"4 hits on a are refused connections that its callers saw: nothing behind a closed port can count")
	}
}

// A route has its own fault program, time and workers, also two hops down, over
// any network. What they share they share.
func TestRoutes(t *testing.T) {
	const b = "services.b."
	for net, n := range networks() {
		o := run(t, lab(t, []int{1, 2}, "load.herd.clients=3", "load.others.slow.clients=2", b+"fault=ok", b+"routes.slow.fault=each:503,ok"), n)
		equal(t, net+": routes", len(o.Routes), 2)
		equal(t, net+": hits of the first", o.Routes[0].Hits, 3)
		equal(t, net+": hits of slow", o.Routes[1].Hits, 4)
		equal(t, net+": successes of slow", o.Routes[1].Outcomes.OK, 2)
	}
	synctest.Test(t, func(t *testing.T) {
		// A pool of 2 for both: fast requests wait behind the slow ones.
		pool := []string{"services.a.fault=ok", "services.a.time=1ms", "services.a.routes.slow.time=300ms", "services.client.calls.a.pool.limit=2",
			"load.herd.clients=4", "load.herd.route=slow", "load.others.fast.clients=1", "load.others.fast.start=10ms"}
		o := run(t, lab(t, []int{1}, pool...), live.Pipe())
		equal(t, "shared: the slow ones", o.Routes[0].LatencyMS.Max, 600)
		equal(t, "shared: the fast one", o.Routes[1].LatencyMS.Max, 591)
		equal(t, "shared: in use", o.Layers[0].Pool.InUse, 2)
		equal(t, "shared: waiting", o.Layers[0].Pool.Waiting, 3)
		equal(t, "shared: leaked", o.Layers[0].Pool.Leaked, 0)
		equal(t, "shared: warnings", len(o.warnings), 0)
	})
}

// The network takes its time on both ways, and stops with the attempt.
func TestLatency(t *testing.T) {
	for _, tt := range []struct {
		timeout string
		hits    int64
		elapsed float64
	}{
		{"1s", 1, 110},
		{"90ms", 1, 90}, // on its way back
		{"15ms", 0, 15}, // never arrives
	} {
		synctest.Test(t, func(t *testing.T) {
			o := run(t, lab(t, []int{1}, "services.a.fault=ok+delay=60ms", "services.client.calls.a.latency=25ms", "services.client.calls.a.timeout="+tt.timeout), live.Pipe())
			equal(t, tt.timeout+": hits", o.Hits, tt.hits)
			equal(t, tt.timeout+": elapsed", o.ElapsedMS, tt.elapsed)
			equal(t, tt.timeout+": mismatch", o.warning("hits-differ-from-attempts"), "")
			if tt.hits > 0 {
				same(t, tt.timeout+": instants", o.offsets("a"), []float64{25})
			}
		})
	}
}

// Case A19: an idempotency key that is stored after the work is done.
func TestCaseA19AKeyThatIsStoredAfterTheWork(t *testing.T) {
	const a, c = "services.a.", "services.client.calls.a."
	for _, capacity := range []string{"fault=ok+delay=3s", "time=3s"} { // by the fault server, and by the lab's own station
		for _, tt := range []struct {
			mode, on      string
			hits, effects int64
			ok, failed    int64
			timeouts      int64
		}{
			{"store-after", "", 3, 3, 0, 0, 1},
			{"reserve-first", "[timeout, 409]", 3, 1, 0, 1, 0},
			{"reserve-first", "[timeout]", 2, 1, 0, 1, 0},
			{"reserve-and-wait", "", 3, 1, 1, 0, 0},
		} {
			synctest.Test(t, func(t *testing.T) {
				settings := []string{a + "fault=ok", a + capacity, a + "idempotency=" + tt.mode, "load.key=true", c + "timeout=1010ms", c + "keep_working=true"}
				if tt.on != "" {
					settings = append(settings, c+"retry.on="+tt.on)
				}
				o := run(t, lab(t, []int{3}, settings...), live.Pipe())
				what := tt.mode + " " + tt.on + " " + capacity
				equal(t, what+": hits", o.Hits, tt.hits)
				equal(t, what+": effects", o.Effects, tt.effects)
				equal(t, what+": successes", o.Outcomes.OK, tt.ok)
				equal(t, what+": failures", o.Outcomes.Failed, tt.failed)
				equal(t, what+": timeouts", o.Outcomes.Timeout, tt.timeouts)
			})
		}
	}
}
