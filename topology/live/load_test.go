package live_test

import (
	"testing"
	"testing/synctest"

	"labctl/topology/live"
)

// Herds, closed loops that go on for a time, and open loops.
func TestLoads(t *testing.T) {
	const a, c = "services.a.", "services.client.calls.a."
	for _, tt := range []struct {
		what     string
		settings []string
		requests int64
		bins     []int64 // of 50 ms
		elapsed  float64
		max      float64
	}{
		{"a closed loop for 230 ms: requests at 0, 60, 120, 180", []string{"load.for=230ms", "load.herd.clients=3", a + "fault=ok+delay=60ms"},
			12, []int64{3, 3, 3, 3}, 240, 60},
		{"no request begins at the end", []string{"load.for=180ms", "load.herd.clients=3", a + "fault=ok+delay=60ms"},
			9, []int64{3, 3, 3}, 180, 60},
		{"a number of requests ends it sooner", []string{"load.for=1s", "load.herd.requests=2", a + "fault=ok+delay=60ms"},
			2, []int64{1, 1}, 120, 60},
		{"thinking of 70 ms", []string{"load.for=230ms", "load.herd.think=70ms", a + "fault=ok+delay=60ms"},
			2, []int64{1, 0, 1}, 190, 60},
		{"a pause of 10 ms after a failure", []string{"load.for=230ms", "load.herd.think=70ms", "load.herd.pause=10ms", a + "fault=503+delay=60ms,ok+delay=60ms"},
			3, []int64{1, 1, 0, 0, 1}, 260, 60},
		{"a herd that starts later", []string{"load.herd.clients=2", "load.others.x.clients=3", "load.others.x.start=110ms", a + "fault=ok+delay=60ms"},
			5, []int64{2, 0, 3}, 170, 60},
		{"one that would start after the end", []string{"load.for=100ms", "load.herd.requests=1", "load.others.x.clients=3", "load.others.x.start=100ms", a + "fault=ok+delay=60ms"},
			1, []int64{1}, 60, 60},
		{"who starts later finds the pool taken", []string{"load.herd.clients=2", c + "pool.limit=2", "load.others.x.clients=3", "load.others.x.start=55ms", a + "fault=ok+delay=60ms"},
			5, []int64{2, 2, 1}, 180, 125},
		{"a pool smaller than the herd", []string{"load.herd.clients=5", c + "pool.limit=2", a + "fault=ok+delay=60ms"},
			5, []int64{2, 2, 1}, 180, 180},
		{"an open loop does not wait for answers", []string{"load.rate=100/s", "load.for=95ms", a + "fault=ok+delay=60ms"},
			10, []int64{5, 5}, 150, 60},
		{"it has a new rate from 50 ms on", []string{"load.rate=100/s,50ms:200/s", "load.for=98ms", a + "fault=ok+delay=60ms"},
			15, []int64{5, 10}, 155, 60},
		{"two workers: requests wait, and that counts", []string{"load.rate=100/s", "load.for=45ms", "load.rate.workers=2", a + "fault=ok+delay=60ms"},
			5, []int64{2, 2, 1}, 180, 140},
		{"timed from when they are sent it does not", []string{"load.rate=100/s", "load.for=45ms", "load.rate.workers=2", "load.rate.from_send=true", a + "fault=ok+delay=60ms"},
			5, []int64{2, 2, 1}, 180, 60},
		{"given instants", []string{"load.rate.at=0s,10ms,10ms,120ms", a + "fault=ok+delay=60ms"},
			4, []int64{3, 0, 1}, 180, 60},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, lab(t, []int{1}, tt.settings...), live.Pipe())
				equal(t, "requests", o.Requests, tt.requests)
				equal(t, "hits", o.Hits, tt.requests)
				same(t, "bins", o.Bins, tt.bins)
				equal(t, "elapsed", o.ElapsedMS, tt.elapsed)
				equal(t, "the slowest", o.LatencyMS.Max, tt.max)
				for _, code := range []string{"hits-differ-from-attempts", "spread-over-half-bin", "no-barrier", "schedule-late"} {
					equal(t, code, o.warning(code), "")
				}
			})
		})
	}
}

// The first wave is that of the clients without a start of their own.
func TestTheSpreadOfALaterHerd(t *testing.T) {
	for net, n := range networks() {
		o := run(t, lab(t, []int{1}, "load.herd.clients=20", "load.others.x.clients=20", "load.others.x.start=200ms"), n)
		if o.SpreadMS.Issue >= 200 || o.SpreadMS.FirstWave >= 200 {
			t.Errorf("%s: %+v", net, o.SpreadMS)
		}
		equal(t, net+": hits", o.Hits, 40)
	}
}

// A policy that refuses a client before the release lets the others go, and its
// next request waits for the release.
func TestTheHerdGoesWithoutWhomAPolicyRefuses(t *testing.T) {
	const c = "services.client.calls.a."
	for net, n := range networks() {
		o := run(t, lab(t, []int{1}, "services.a.fault=ok", c+"bulkhead.limit=3", c+"bulkhead.queue=none", "load.herd.clients=400"), n)
		equal(t, net+": rejected", o.Outcomes.Rejected, 397)
		equal(t, net+": successes", o.Outcomes.OK, 3)
		equal(t, net+": requests", o.Requests, 400)
		equal(t, net+": mismatch", o.warning("hits-differ-from-attempts"), "")
	}
	synctest.Test(t, func(t *testing.T) {
		o := run(t, lab(t, []int{1}, "services.a.fault=ok+delay=60ms", c+"bulkhead.limit=3", c+"bulkhead.queue=none", "load.herd.clients=4", "load.herd.requests=2", "load.herd.pause=70ms"), live.Pipe())
		equal(t, "rejected", o.Outcomes.Rejected, 2)
		equal(t, "leaked", o.Layers[0].Bulkhead.Leaked, 0)
		equal(t, "elapsed", o.ElapsedMS, 120)
	})
}

// A run that is cut while an open loop has requests in flight, and others wait.
func TestUntilInAnOpenLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := run(t, lab(t, []int{1}, "services.a.fault=hang", "load.rate=100/s", "load.rate.workers=3", "run.until=95ms"), live.Pipe())
		equal(t, "requests", o.Requests, 3)
		equal(t, "cancelled", o.Outcomes.Cancelled, 3)
		equal(t, "warning", o.warning("cut"), "the run was cut at 95ms with 3 requests in flight")
	})
}

// What only virtual time has is refused with the cure.
func TestSupports(t *testing.T) {
	top := lab(t, []int{1}, "load.others.slow.clients=1", "services.a.time=5ms", "services.a.workers=3", "services.a.replicas=2", "services.a.skew=1s",
		"services.a.speed=1s..2s:50%", "services.client.calls.a.latency=1ms", "load.herd.think=1ms")
	if err := live.Supports(top); err != nil {
		t.Error(err)
	}
	equal(t, "a route", text(live.Supports(change(t, top, "services.a.routes.slow.fault=refuse"))),
		"services.a.routes.slow.fault: a port is closed to all routes or to none: use --engine sim, or reset")
}
