package topology_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// Every path that can be set, under the name that a file uses.
func TestSet(t *testing.T) {
	retry := func(t *topology.Topology) *policy.Retry { return t.Services[1].Calls[0].Policies[0].Retry }
	for _, tt := range []struct {
		path, value string
		want        func(*topology.Topology)
	}{
		{"load.herd.clients", "200", func(t *topology.Topology) { t.Load.Herd.Clients = 200 }},
		{"load.herd.requests", "7", func(t *topology.Topology) { t.Load.Herd.Requests = 7 }},
		{"load.herd.barrier", "false", func(t *topology.Topology) { t.Load.Herd.NoBarrier = true }},
		{"load.herd.barrier", "true", func(t *topology.Topology) { t.Load.Herd.NoBarrier = false }},
		{"load.herd.smear", "45ms", func(t *topology.Topology) { t.Load.Herd.Smear = 45 * time.Millisecond }},
		{"load.method", "post", func(t *topology.Topology) { t.Load.Method = "POST" }},
		{"load.key", "true", func(t *topology.Topology) { t.Load.Key = true }},
		{"run.seed", "18446744073709551615", func(t *topology.Topology) { t.Run.Seed = 1<<64 - 1 }},
		{"run.bin", "1s", func(t *topology.Topology) { t.Run.Bin = time.Second }},
		{"run.bin_offset", "780ms", func(t *topology.Topology) { t.Run.BinOffset = 780 * time.Millisecond }},
		{"run.until", "2s", func(t *topology.Topology) { t.Run.Until = 2 * time.Second }},
		{"run.at", "a", func(t *topology.Topology) { t.Run.At = "a" }},
		{"load.herd.think", "uniform:1s..2s", func(t *topology.Topology) {
			t.Load.Herd.Think = topology.Distribution{Shape: topology.UniformTime, A: time.Second, B: 2 * time.Second}
		}},
		{"load.rate", "280/s,300s:100.5/s", func(t *topology.Topology) {
			t.Load.Rate.Steps = []topology.RateStep{{Milli: 280_000}, {From: 300 * time.Second, Milli: 100_500}}
		}},
		{"load.rate.at", "0s, 100ms\n2.5s", func(t *topology.Topology) {
			t.Load.Rate.At = []time.Duration{0, 100 * time.Millisecond, 2500 * time.Millisecond}
		}},
		{"load.rate.poisson", "true", func(t *topology.Topology) { t.Load.Rate.Poisson = true }},
		{"load.rate.workers", "1", func(t *topology.Topology) { t.Load.Rate.Workers = 1 }},
		{"load.rate.from_send", "true", func(t *topology.Topology) { t.Load.Rate.FromSend = true }},
		{"services.b.time", "60ms", func(t *topology.Topology) { t.Services[2].Time = topology.Always(60 * time.Millisecond) }},
		{"services.b.workers", "20", func(t *topology.Topology) { t.Services[2].Workers = 20 }},
		{"services.b.order", "lifo", func(t *topology.Topology) { t.Services[2].Order = topology.LIFO }},
		{"services.b.queue", "none", func(t *topology.Topology) { t.Services[2].Queue = topology.Full }},
		{"services.b.queue", "100", func(t *topology.Topology) { t.Services[2].Queue = 100 }},
		{"services.b.drop", "true", func(t *topology.Topology) { t.Services[2].Drop = topology.DropGone }},
		{"services.b.drop", "gone", func(t *topology.Topology) { t.Services[2].Drop = topology.DropGone }},
		{"services.b.drop", "late", func(t *topology.Topology) { t.Services[2].Drop = topology.DropLate }},
		{"services.b.replicas", "2", func(t *topology.Topology) { t.Services[2].Replicas = 2 }},
		{"services.b.balance", "least", func(t *topology.Topology) { t.Services[2].Balance = policy.LeastInFlight }},
		{"services.b.skew", "-200ms", func(t *topology.Topology) { t.Services[2].Skew = -200 * time.Millisecond }},
		{"services.b.speed", "30s..40s:0%, 50s..60s:100%..20%", func(t *topology.Topology) {
			t.Services[2].Speed = []topology.Speed{
				{From: 30 * time.Second, Until: 40 * time.Second},
				{From: 50 * time.Second, Until: 60 * time.Second, Percent: 100, To: 20},
			}
		}},
		{"services.a.calls.b.latency", "5ms", func(t *topology.Topology) { t.Services[1].Calls[0].Latency = topology.Always(5 * time.Millisecond) }},
		{"services.b.fault", "429+retry-after=2", func(t *topology.Topology) { t.Services[2].Fault = "429+retry-after=2" }},
		{"services.a.calls.b.keep_working", "true", func(t *topology.Topology) { t.Services[1].Calls[0].KeepWorking = true }},
		{"services.a.calls.b.timeout", "310ms", func(t *topology.Topology) {
			c := &t.Services[1].Calls[0]
			c.Policies = append(c.Policies, topology.Policy{Timeout: &policy.TimeoutAfter{Limit: 310 * time.Millisecond}})
		}},
		{"services.a.calls.b.retry.attempts", "5", func(t *topology.Topology) { retry(t).Attempts = 5 }},
		{"services.a.calls.b.retry.attempts", "unlimited", func(t *topology.Topology) { retry(t).Attempts = policy.Unlimited }},
		{"services.a.calls.b.retry.retries", "0", func(t *topology.Topology) { retry(t).Attempts = 1 }},
		{"services.a.calls.b.retry.retries", "5", func(t *topology.Topology) { retry(t).Attempts = 6 }},
		{"services.a.calls.b.retry.retries", "unlimited", func(t *topology.Topology) { retry(t).Attempts = policy.Unlimited }},
		{"services.a.calls.b.retry.retries", "9223372036854775807", func(t *topology.Topology) {
			retry(t).Attempts = topology.MaxAttempts + 2 // refused by Validate, and not wrapped to "unlimited"
		}},
		{"services.a.calls.b.retry.on", "[503, timeout]", func(t *topology.Topology) {
			retry(t).Filter, _ = policy.ParseFilter("503", "timeout")
		}},
		{"services.a.calls.b.retry.rest", "100ms", func(t *topology.Topology) { retry(t).Rest.Base = 100 * time.Millisecond }},
		{"services.a.calls.b.retry.backoff", "exponential:1.5", func(t *topology.Topology) {
			retry(t).Rest.Backoff = policy.Backoff{Growth: policy.Exponential, Factor: 1500}
		}},
		{"services.a.calls.b.retry.cap", "60s", func(t *topology.Topology) { retry(t).Rest.Cap = time.Minute }},
		{"services.a.calls.b.retry.at_cap", "stop", func(t *topology.Topology) { retry(t).Rest.AtCap = policy.Stop }},
		{"services.a.calls.b.retry.at_cap", "hold", func(t *topology.Topology) { retry(t).Rest.AtCap = policy.Hold }},
		{"services.a.calls.b.retry.jitter", "50%", func(t *topology.Topology) {
			retry(t).Rest.Jitter = policy.Jitter{Law: policy.Proportional, Share: 500_000}
		}},
		{"services.a.calls.b.retry.order", "jitter-then-cap", func(t *topology.Topology) { retry(t).Rest.Order = policy.JitterThenCap }},
		{"services.a.calls.b.retry.order", "cap-then-jitter", func(t *topology.Topology) { retry(t).Rest.Order = policy.CapThenJitter }},
		{"services.a.calls.b.retry.repeatable_only", "true", func(t *topology.Topology) { retry(t).RepeatableOnly = true }},
	} {
		got, want := lab(), lab()
		tt.want(&want)
		equal(t, tt.path, message(got.Set(topology.Setting{Path: tt.path, Value: tt.value})), "")
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %s gave %+v", tt.path, tt.value, got)
		}
	}
}

// An error says what the path or the value could have been, and what it refused
// changes nothing.
func TestSetRefuses(t *testing.T) {
	const a = "services.a.calls.b."
	for _, tt := range []struct{ path, value, want string }{
		{"", "1", ": a path starts with load, run or services.NAME"},
		{"loads.herd", "1", "loads.herd: a path starts with load, run or services.NAME"},
		{"services", "1", "services: a path starts with load, run or services.NAME"},
		{"load", "1", `load: no field "": there are herd.FIELD and others.ROUTE.FIELD (with clients, requests, barrier, smear, think, pause, route, start), for, rate, rate.at, rate.poisson, rate.workers, rate.from_send, method, key`},
		{"load.herd", "1", `load.herd: no field "herd": there are herd.FIELD and others.ROUTE.FIELD (with clients, requests, barrier, smear, think, pause, route, start), for, rate, rate.at, rate.poisson, rate.workers, rate.from_send, method, key`},
		{"run.bins", "1", `run.bins: no field "bins": there are seed, bin, bin_offset, until, at`},
		{"services.z.fault", "503", `services.z.fault: no service "z": there are client, a, b`},
		{"services.a", "503", "services.a: a service has calls.TARGET, routes.ROUTE, replica.N, fault, time, workers, order, queue, drop, replicas, balance, skew, parallel, idempotency, speed"},
		{"services.a.calls", "1", "services.a.calls: a service has calls.TARGET, routes.ROUTE, replica.N, fault, time, workers, order, queue, drop, replicas, balance, skew, parallel, idempotency, speed"},
		{"services.a.fault.x", "1", `services.a.fault.x: no field "fault.x": there are fault, time, workers, order, queue, drop, replicas, balance, skew, parallel, idempotency, speed`},
		{"services.a.calls.c.timeout", "1s", `services.a.calls.c.timeout: a does not call "c": it calls b`},
		{"services.b.calls.c.timeout", "1s", `services.b.calls.c.timeout: b does not call "c": it calls nobody`},
		{"services.a.calls.b", "3", "services.a.calls.b: a call has latency, chance, keep_working, policies, and the fields of fallback, deadline, adaptive, bulkhead, budget, hedge, retry, breaker, timeout, pool, balance"},
		{a + "retries", "3", a + "retries: a call has latency, chance, keep_working, policies, and the fields of fallback, deadline, adaptive, bulkhead, budget, hedge, retry, breaker, timeout, pool, balance"},
		{a + "retry.times", "3", a + `retry.times: no field "times": there are attempts, retries, on, rest, backoff, cap, at_cap, jitter, order, max_elapsed, elapsed_rule, retry_after, repeatable_only`},

		{"load.herd.clients", "many", `load.herd.clients: "many" is not a whole number`},
		{"load.herd.barrier", "maybe", `load.herd.barrier: "maybe" is neither true nor false`},
		{"load.herd.smear", "45", `load.herd.smear: "45" is not a duration: write it like 50ms, 1.5s or 2m`},
		{"run.seed", "-1", `run.seed: "-1" is not a whole number from 0 to 18446744073709551615`},
		{a + "timeout.mode", "per-hop", a + `timeout.mode: "per-hop": choose absolute or none or remaining`},
		{"services.a.drop", "maybe", `services.a.drop: "maybe": choose none or gone or late`},
		{a + "timeout", "soon", a + `timeout: "soon" is not a duration: write it like 50ms, 1.5s or 2m`},
		{a + "keep_working", "2", a + `keep_working: "2" is neither true nor false`},
		{a + "retry.attempts", "three", a + `retry.attempts: "three" is neither a whole number nor unlimited`},
		{a + "retry.attempts", "-1", a + "retry.attempts: -1 is negative: say 1 or more attempts, or unlimited"},
		{a + "retry.on", "200", a + `retry.on: cannot retry on "200": name a status from 400 to 599, 4xx, 5xx, timeout, refused, reset, malformed or rejected`},
		{a + "retry.backoff", "double", a + `retry.backoff: unknown backoff "double": choose fixed, linear, exponential or exponential:FACTOR`},
		{a + "retry.at_cap", "end", a + `retry.at_cap: "end": choose hold or stop`},
		{a + "retry.jitter", "some", a + `retry.jitter: unknown jitter "some": choose none, full, equal, decorrelated, or a share such as 50%`},
		{a + "retry.order", "both", a + `retry.order: "both": choose cap-then-jitter or jitter-then-cap`},
	} {
		got := lab()
		equal(t, tt.path, message(got.Set(topology.Setting{Path: tt.path, Value: tt.value})), tt.want)
		if !reflect.DeepEqual(got, lab()) {
			t.Errorf("%s = %s was refused and changed the topology to %+v", tt.path, tt.value, got)
		}
	}
}

// A policy that a call lacks is added where it does what its name says: a retry
// outermost, a timeout innermost, one per attempt.
func TestSetAddsPolicies(t *testing.T) {
	kinds := func(c topology.Call) string {
		var out []string
		for _, p := range c.Policies {
			out = append(out, p.Kind())
		}
		return strings.Join(out, " ")
	}
	top := lab()
	call := &top.Services[0].Calls[0]
	call.Policies = nil
	set := func(path, value string) {
		t.Helper()
		equal(t, path, message(top.Set(topology.Setting{Path: "services.client.calls.a." + path, Value: value})), "")
	}
	set("timeout", "1s")
	set("retry.rest", "50ms")
	equal(t, "the retry goes around the timeout", kinds(*call), "retry timeout")
	equal(t, "a retry of which only the rest is said makes one attempt", call.Retry().Attempts, 1)
	set("retry.attempts", "4")
	set("timeout", "2s")
	equal(t, "what is there is changed and not added again", kinds(*call), "retry timeout")
	equal(t, "its timeout", call.Policies[1].Timeout.Limit, 2*time.Second)
	equal(t, "its attempts", call.Attempts(), 4)

	bare := lab()
	bare.Services[0].Calls[0].Policies = nil
	equal(t, "a value that cannot be read", message(bare.Set(topology.Setting{Path: "services.client.calls.a.retry.rest", Value: "x"})),
		`services.client.calls.a.retry.rest: "x" is not a duration: write it like 50ms, 1.5s or 2m`)
	equal(t, "adds no policy", len(bare.Services[0].Calls[0].Policies), 0)
}

// Whatever is set, nothing panics, what was refused changed nothing, and what
// then passes Validate can be composed.
func FuzzSet(f *testing.F) {
	for _, path := range []string{"load.herd.clients", "load.herd.barrier", "run.seed", "run.at", "services.a.fault", "services..x",
		"services.a.calls.b.retry.on", "services.a.calls.b.retry.jitter", "services.a.calls.b.timeout", "services.a.calls.b.retry."} {
		for _, value := range []string{"", "1", "-1", "1e9", "50%", "[503,,]", "9999999999999999999", "1h", "true", "\x00"} {
			f.Add(path, value)
		}
	}
	f.Fuzz(func(t *testing.T, path, value string) {
		top := lab()
		if top.Set(topology.Setting{Path: path, Value: value}) != nil {
			if !reflect.DeepEqual(top, lab()) {
				t.Errorf("%q = %q was refused and changed the topology", path, value)
			}
			return
		}
		if top.Validate() != nil {
			return
		}
		for _, s := range top.Services {
			for _, c := range s.Calls {
				policy.NewEdge(policy.NewEdgeID(s.Name, c.To), c.Stack(&top), true).Start(policy.Request{}, 0, nil)
			}
		}
		if top.WorstHits() < 1 {
			t.Errorf("%q = %q: %d hits at worst", path, value, top.WorstHits())
		}
	})
}
