package sim

import (
	"slices"
	"testing"
	"time"

	"labctl/report"
	"labctl/topology"
)

// routed gives the clients a second herd, which asks for something slow.
func routed(settings ...string) change {
	return set(append([]string{"load.herd.route=fast", "load.others.slow.clients=1"}, settings...)...)
}

func (o outcome) route(t tester, name string) report.Route {
	t.Helper()
	for _, r := range o.Routes {
		if r.Name == name {
			return r
		}
	}
	t.Errorf("no route %s in %+v", name, o.Routes)
	return report.Route{}
}

// Nygard's shared pool: sixty clients with a slow request take all twenty
// connections, and the fast ones wait for nine seconds without a single error. With
// a pool for the slow ones they do not notice.
func TestSharedPool(t *testing.T) {
	base := []string{"load.herd.route=slow", "load.herd.clients=60", "load.for=10s", "load.others.fast.clients=50", "load.others.fast.think=770us",
		"services.a.fault=ok", "services.a.routes.slow.time=3s", "services.a.routes.fast.time=100us", "services.client.calls.a.pool.limit=20"}
	shared := run(t, lab([]int{1}, set(base...)))
	fast := shared.route(t, "fast")
	near(t, "shared: fast p50", fast.LatencyMS.P50, 9000, 0.01)
	near(t, "shared: fast per second", fast.RPS, 5.56, 0.1)
	equal(t, "shared: slow ones", shared.route(t, "slow").Outcomes.OK, 120)
	equal(t, "shared: fast ones that failed", fast.Requests-fast.Outcomes.OK, 0)
	equal(t, "shared: connections", shared.Layers[0].Pool.InUse, 20)
	equal(t, "shared: waiting", shared.Layers[0].Pool.Waiting, 90)
	equal(t, "shared: rejected", shared.Layers[0].Pool.Rejected, 0)

	apart := run(t, lab([]int{1}, set(append(base, "services.client.calls.a.pool.route=slow")...)))
	near(t, "apart: fast p50", apart.route(t, "fast").LatencyMS.P50, 0.1, 0.01)
	equal(t, "apart: slow ones", apart.route(t, "slow").Outcomes.OK, 120)
}

// What a service does to a route holds for that one, on every layer.
func TestRoutes(t *testing.T) {
	for _, tt := range []struct {
		what     string
		settings []string
		fast     time.Duration
		slow     time.Duration
		hits     int64 // of the slow one
	}{
		{"nothing differs", []string{"services.b.time=5ms"}, 5, 5, 1},
		{"a time", []string{"services.b.time=5ms", "services.b.routes.slow.time=30ms"}, 5, 30, 1},
		{"a fault at the tail: none is answered well", []string{"services.b.routes.slow.fault=503+delay=10ms"}, 0, 0, 6},
		{"a fault in the middle: likewise", []string{"services.a.routes.slow.fault=503+delay=10ms"}, 0, 0, 0},
		{"both share the one worker", []string{"services.b.time=5ms", "services.b.workers=1"}, 5, 10, 1},
		{"but not one of its own", []string{"services.b.time=5ms", "services.b.workers=1", "services.b.routes.slow.workers=1"}, 5, 5, 1},
		{"a limit of its own where there is none", []string{"services.b.time=5ms", "services.b.routes.slow.workers=1"}, 5, 5, 1},
	} {
		o := run(t, lab([]int{2, 3}, set("services.b.fault=ok"), routed(tt.settings...)))
		equal(t, tt.what+": fast", o.route(t, "fast").MeanMS, float64(tt.fast))
		equal(t, tt.what+": slow", o.route(t, "slow").MeanMS, float64(tt.slow))
		equal(t, tt.what+": hits of the slow one", o.route(t, "slow").Hits, tt.hits)
		equal(t, tt.what+": hits of the fast one", o.route(t, "fast").Hits, 1)
	}
}

// A route that fails takes its own steps in its program, and a policy for one route
// leaves the others alone.
func TestRoutesAreApart(t *testing.T) {
	o := run(t, lab([]int{3}, routed("services.a.fault=503x2,ok", "services.a.routes.slow.fault=503,ok", "services.client.calls.a.retry.route=!slow")))
	equal(t, "fast: retried past its two failures", o.route(t, "fast").Outcomes.OK, 1)
	equal(t, "fast: hits", o.route(t, "fast").Hits, 3)
	equal(t, "slow: not retried", o.route(t, "slow").Outcomes.Failed, 1)
	equal(t, "slow: hits", o.route(t, "slow").Hits, 1)
}

// replicas are three of a, of which one has a fault.
func replicas(law, fault string) change {
	return func(top *topology.Topology) {
		set("services.a.fault=ok", "services.a.replicas=3", "services.a.balance="+law, "services.a.replica.1.fault="+fault)(top)
	}
}

// A broken replica takes its share of the attempts, and more where it answers fast
// and the law looks at what is in flight. To ask another one helps.
func TestReplicas(t *testing.T) {
	const balance = "services.client.calls.a.balance."
	broken := replicas("round-robin", "503")
	for _, tt := range []struct {
		what     string
		attempts int
		changes  []change
		words    string
		share    []int64
	}{
		{"in turn, without a retry", 1, []change{broken}, "200 503 200 200 503 200", []int64{2, 2, 2}},
		{"a retry asks the next", 2, []change{broken}, "200 200 200 200 200 200", []int64{3, 3, 3}},
		{"outside the retry, all attempts go to one", 2, []change{broken, set(balance+"law=round-robin", "services.client.calls.a.policies=balance,retry")},
			"200 503 200 200 503 200", []int64{2, 4, 2}},
		{"who fails at once is always free", 1, []change{replicas("least", "503"), takes(0), set("services.a.fault=ok+delay=1s")},
			"200 503 503 503 503 503", []int64{1, 5, 0}},
		{"a closed port", 1, []change{replicas("round-robin", "refuse")}, "200 refused 200 200 refused 200", []int64{2, 2, 2}},
		{"every replica takes its own steps", 1, []change{replicas("round-robin", "ok"), set("services.a.fault=503,ok")}, "503 200 503 200 200 200", []int64{2, 2, 2}},
	} {
		at := make([]time.Duration, 6)
		for i := range at {
			at[i] = time.Duration(i) * time.Millisecond
		}
		o := run(t, lab([]int{tt.attempts}, append(tt.changes, arriving(at...))...))
		equal(t, tt.what, o.words(), tt.words)
		if share := o.Layers[1].Replicas; !slices.Equal(share, tt.share) {
			t.Errorf("%s: requests of the replicas %v, want %v", tt.what, share, tt.share)
		}
	}
}

// With failover a retry avoids the replica that failed, by every law; without it the
// luck of the attempt may choose it again.
func TestFailover(t *testing.T) {
	const n, balance = 3000, "services.client.calls.a.balance."
	for _, law := range []string{"random", "round-robin", "least"} {
		o := run(t, lab([]int{2}, herd(n), replicas(law, "503"), set(balance+"law="+law, balance+"failover=true")))
		equal(t, law, o.Outcomes.OK, n)
	}
	o := run(t, lab([]int{2}, herd(n), replicas("random", "503")))
	near(t, "without failover, one in nine fails", float64(o.Outcomes.Failed), n/9, 0.1)
}
