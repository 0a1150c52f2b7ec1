package sim_test

import "testing"

// The same of what a call can be surrounded with, and of what services can do. Here
// clients do meet; again no two of them at one instant where it matters.
func TestParityOfPolicies(t *testing.T) {
	const client, a, b = "services.client.calls.a.", "services.a.calls.b.", "services.b.calls.c."
	deadline := func(mode string, more ...string) []string {
		return append([]string{"services.c.fault=503+delay=61ms", client + "deadline.limit=300ms", client + "deadline.mode=" + mode,
			a + "deadline.mode=" + mode, a + "deadline.check=true", b + "deadline.mode=" + mode, b + "deadline.check=true"}, more...)
	}
	keys := func(mode string) []string {
		return []string{"load.key=true", "services.a.idempotency=" + mode, "services.a.fault=ok+delay=3s", client + "timeout=990ms", client + "keep_working=true", client + "retry.on=[timeout,409]"}
	}
	few := []string{"load.herd.clients=7", "load.herd.smear=40ms", "services.a.fault=ok+delay=11ms"}
	with := func(more ...string) []string { return append(more, few...) }
	for _, tt := range []struct {
		what     string
		attempts []int
		settings []string
	}{
		{"a Retry-After in seconds", []int{3}, []string{"services.a.fault=503+retry-after=2+delay=7ms"}},
		{"a date", []int{3}, []string{"services.a.fault=503+date-retry-after=2+delay=7ms"}},
		{"ignored", []int{3}, []string{"services.a.fault=429+retry-after=2", client + "retry.rest=50ms", client + "retry.retry_after=ignore"}},
		{"text", []int{3}, []string{"services.a.fault=503+raw-retry-after=soon", client + "retry.rest=50ms"}},
		{"of a gateway", []int{3, 2}, []string{"services.a.fault=ok+retry-after=2", "services.b.fault=503+retry-after=5+delay=3ms"}},
		{"a throttle", []int{3}, []string{"services.a.fault=throttle=3/s+burst=2", "load.herd.clients=5", "load.herd.smear=300ms"}},
		{"a lost answer", []int{3}, []string{"services.a.fault=lost+delay=5ms"}},
		{"a cut one", []int{3}, []string{"services.a.fault=truncate+delay=5ms"}},
		{"one that cannot be read", []int{3}, []string{"services.a.fault=malformed+delay=5ms"}},
		{"a slow one", []int{3}, []string{"services.a.fault=slow+over=300ms+delay=5ms"}},
		{"left in the middle", []int{2}, []string{"services.a.fault=slow+over=320ms+delay=5ms", client + "timeout=99ms", client + "retry.rest=3ms"}},
		{"a lost answer of a gateway", []int{3, 1}, []string{"services.a.fault=lost", "services.b.fault=ok+delay=5ms"}},
		{"a deadline: absolute", []int{1, 3, 3}, deadline("absolute")},
		{"remaining", []int{1, 3, 3}, deadline("remaining")},
		{"per hop", []int{1, 3, 3}, deadline("per-hop")},
		{"b's clock is ahead", []int{1, 3, 3}, deadline("absolute", "services.b.skew=200ms")},
		{"b's clock is behind", []int{1, 3, 3}, deadline("absolute", "services.b.skew=-200ms")},
		{"b takes its time", []int{1, 3, 3}, deadline("remaining", "services.b.fault=ok+delay=50ms")},
		{"enforced", []int{1, 3, 3}, deadline("none", client+"deadline.enforce=true")},
		{"keys: stored after the work", []int{3}, keys("store-after")},
		{"keys: reserved first", []int{3}, keys("reserve-first")},
		{"keys: and waited for", []int{3}, keys("reserve-and-wait")},
		{"two herds and two routes", []int{2, 2}, []string{"load.herd.requests=3", "load.herd.think=13ms", "load.others.slow.clients=2", "load.others.slow.smear=9ms",
			"services.b.fault=ok+delay=5ms", "services.b.routes.slow.fault=503+delay=17ms"}},
		{"a load with an end", []int{1}, []string{"load.for=300ms", "load.herd.clients=3", "load.herd.smear=20ms", "load.herd.think=7ms", "load.herd.pause=31ms", "services.a.fault=503+delay=11ms@0s..100ms,ok+delay=3ms"}},
		{"an open loop", []int{2}, []string{"load.rate=90/s", "load.for=500ms", "services.a.fault=503+delay=5ms@100ms..200ms,ok+delay=3ms"}},
		{"workers", []int{1}, with("services.a.time=13ms", "services.a.workers=1")},
		{"a short queue, newest first", []int{1}, with("services.a.time=13ms", "services.a.workers=1", "services.a.queue=2", "services.a.order=lifo")},
		{"a queue that callers leave", []int{1}, with("services.a.time=13ms", "services.a.workers=1", client+"timeout=57ms")},
		{"a pool", []int{1}, with(client + "pool.limit=2")},
		{"a bulkhead that is full", []int{2}, with(client+"bulkhead.limit=1", client+"bulkhead.queue=1", client+"bulkhead.wait=9ms", client+"retry.rest=3ms")},
		{"a breaker", []int{2}, with(client+"breaker.failures=2", client+"breaker.open_for=15ms", "services.a.fault=503+delay=7ms", client+"retry.rest=2ms")},
		{"a fallback", []int{2, 1}, []string{a + "fallback.static=true", "services.b.fault=503+delay=5ms"}},
		{"replicas in turn", []int{2}, with(client+"balance.law=round-robin", "services.a.replicas=3", "services.a.replica.1.fault=503+delay=2ms", client+"retry.rest=3ms")},
		{"replicas by luck", []int{2}, with("services.a.replicas=3", "services.a.balance=random", "services.a.replica.1.fault=503+delay=2ms", client+"balance.law=random", client+"balance.failover=true", client+"retry.rest=3ms")},
	} {
		t.Run(tt.what, func(t *testing.T) { parity(t, chain(t, tt.attempts, tt.settings...)) })
	}
}
