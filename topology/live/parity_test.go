package live_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/sim"
)

// The rows are topologies in which no two things that matter to each other happen
// at one instant. What either engine makes of them is the same: every hit arrives
// at the same nanosecond, and the books agree to the last number.
func TestParity(t *testing.T) {
	const c, a, ac = "services.client.calls.a.", "services.a.", "services.a.calls.b."
	herd := func(settings ...string) []string {
		return append([]string{"load.herd.clients=9", "load.herd.smear=7ms", c + "retry.rest=7ms", c + "retry.jitter=full", a + "fault=ok"}, settings...)
	}
	for what, tt := range map[string]struct {
		attempts []int
		settings []string
	}{
		"workers, first come first served":  {[]int{1}, herd(a+"time=10ms", a+"workers=2")},
		"workers, last come first served":   {[]int{1}, herd(a+"time=10ms", a+"workers=1", a+"order=lifo")},
		"a bounded queue":                   {[]int{3}, herd(a+"time=10ms", a+"workers=1", a+"queue=2")},
		"no queue":                          {[]int{3}, herd(a+"time=10ms", a+"workers=1", a+"queue=none")},
		"callers leave the queue":           {[]int{3}, herd(a+"time=10ms", a+"workers=1", c+"timeout=33ms")},
		"callers leave, and nobody tells":   {[]int{3}, herd(a+"time=10ms", a+"workers=1", c+"timeout=33ms", c+"keep_working=true")},
		"who left is passed over":           {[]int{3}, herd(a+"time=10ms", a+"workers=1", a+"drop=true", c+"timeout=33ms", c+"keep_working=true")},
		"who would be late is passed over":  {[]int{3}, herd(a+"time=10ms", a+"workers=1", a+"drop=late", c+"timeout=33ms", c+"timeout.mode=remaining", c+"keep_working=true")},
		"late by another clock, on the way": {[]int{3}, herd(a+"time=uniform:8ms..50ms", a+"workers=1", a+"drop=late", a+"skew=1500us", c+"timeout=33ms", c+"timeout.mode=absolute", c+"latency=uniform:1ms..2ms")},
		"stalls and ramps":                  {[]int{1}, herd(a+"time=10ms", a+"workers=2", a+"speed=5ms..20ms:50%,30ms..41ms:0%,50ms..70ms:100%..400%")},
		"a speed for all at once":           {[]int{2}, herd(a+"fault=503:50%", a+"time=uniform:10ms..20ms", a+"speed=10ms..20ms:0%,20ms..1s:50%")},
		"drawn times and latencies":         {[]int{2}, herd(a+"fault=503:30%", a+"time=exponential:10ms", c+"latency=uniform:1ms..2ms")},
		"replicas in turn":                  {[]int{2}, herd(a+"fault=503+delay=3ms", a+"replicas=3", a+"replica.1.fault=ok+delay=1ms")},
		"the replica with the fewest":       {[]int{2}, herd(a+"fault=503+delay=3ms", a+"replicas=3", a+"balance=least")},
		"a random replica, then another":    {[]int{2}, herd(a+"fault=503+delay=3ms", a+"replicas=3", c+"balance.law=random", c+"balance.failover=true")},
		"closed loops with pauses":          {[]int{2}, herd(a+"fault=ok+delay=3ms,503+delay=3ms,ok+delay=1ms", "load.for=100ms", "load.herd.think=exponential:5ms", "load.herd.pause=1ms")},
		"two routes over one pool": {[]int{1}, herd("load.for=100ms", "load.herd.think=exponential:5ms", c+"pool.limit=4", a+"time=1ms",
			"load.others.slow.clients=4", "load.others.slow.start=17ms", "load.others.slow.smear=9ms", a+"routes.slow.time=exponential:20ms", a+"routes.slow.workers=2")},
		"routes two hops down": {[]int{1, 2}, herd("services.b.fault=ok+delay=10ms", "services.b.routes.slow.fault=503+delay=20ms,ok", "services.b.skew=1h",
			"load.others.slow.clients=4", "load.others.slow.smear=5ms", "load.herd.think=exponential:5ms", "load.herd.requests=4", ac+"latency=exponential:1ms")},
		"an open loop":              {[]int{2}, herd(a+"time=exponential:9ms", a+"workers=3", "load.rate=300/s", "load.rate.poisson=true", "load.for=200ms")},
		"an open loop with workers": {[]int{2}, herd(a+"time=exponential:9ms", "load.rate=300/s,70ms:900/s", "load.rate.workers=2", "run.until=199ms")},
		"a clock that is behind":    {[]int{2}, herd(a+"fault=503@0s..4ms,ok", a+"skew=-2ms")},
		"Retry-After":               {[]int{3}, herd(a + "fault=503+retry-after=2")},
		"Retry-After, as a date":    {[]int{3}, herd(a+"fault=503+date-retry-after=2", a+"skew=300ms")},
		"Retry-After, ignored":      {[]int{3}, herd(a+"fault=503+retry-after=2", c+"retry.retry_after=ignore")},
		"a throttle":                {[]int{3}, herd(a + "fault=throttle=10/s+burst=2")},
		"keys that wait":            {[]int{3}, herd(a+"fault=ok+delay=30ms", a+"idempotency=reserve-and-wait", "load.key=true", c+"timeout=17ms", c+"keep_working=true")},
		"keys that conflict":        {[]int{3}, herd(a+"fault=ok+delay=30ms", a+"idempotency=reserve-first", "load.key=true", c+"timeout=17ms", c+"keep_working=true")},
		"keys of workers":           {[]int{3}, herd(a+"fault=ok+delay=30ms", a+"idempotency=reserve-and-wait", a+"workers=2", "load.key=true", c+"timeout=17ms", c+"keep_working=true")},
		"keys of replicas":          {[]int{3}, herd(a+"fault=ok+delay=30ms", a+"idempotency=store-after", a+"replicas=2", "load.key=true", c+"timeout=17ms", c+"keep_working=true")},
		"keys by another clock": {[]int{3}, herd(a+"fault=ok+delay=30ms", a+"routes.slow.fault=503+delay=5ms,ok+delay=30ms", a+"skew=1h", a+"idempotency=reserve-and-wait", "load.key=true", c+"timeout=17ms", c+"keep_working=true",
			"load.others.slow.clients=4", "load.others.slow.smear=5ms")},
		"keys of a gateway, left":    {[]int{3, 1}, herd("services.b.fault=ok+delay=30ms,ok", a+"idempotency=reserve-first", "load.key=true", c+"timeout=17ms")},
		"left, and its call goes on": {[]int{3, 1}, herd("services.b.fault=ok+delay=30ms,ok", a+"idempotency=reserve-first", "load.key=true", c+"timeout=17ms", ac+"keep_working=true")},
		"left, and it has workers":   {[]int{3, 1}, herd("services.b.fault=ok+delay=30ms,ok", a+"idempotency=reserve-and-wait", a+"workers=3", "load.key=true", c+"timeout=17ms")},
		"a gateway loses answers":    {[]int{2, 1}, herd("services.b.fault=404+delay=5ms", a+"fault=lost,ok,slow+over=9ms", a+"idempotency=store-after", a+"time=3ms", a+"workers=4", "load.key=true", c+"retry.on=[reset,404]")},
		"a slow body":                {[]int{2}, herd(a+"fault=slow+over=20ms", c+"timeout=33ms")},
		"a body that stalls":         {[]int{3}, herd(a+"fault=stall+delay=2ms:70%", c+"timeout=33ms")},
		"a stall holds its worker":   {[]int{2}, herd(a+"fault=stall,ok", a+"workers=3", a+"time=4ms", c+"timeout=33ms")},
		"a stall that keeps working": {[]int{2}, herd(a+"fault=stall:50%", a+"workers=18", c+"timeout=33ms", c+"keep_working=true", "run.until=1s")},
		"a stall without a body":     {[]int{2}, herd(a+"fault=stall,ok", "load.method=HEAD", c+"timeout=33ms")},
		"a gateway stalls":           {[]int{2, 1}, herd("services.b.fault=404+delay=5ms", a+"fault=stall,ok", a+"idempotency=store-after", "load.key=true", c+"timeout=33ms")},
		"answers that cannot be had": {[]int{7}, herd(a+"fault=truncate,halfreset,malformed,badchunk,lost,ok", c+"retry.on=[reset,malformed]")},
		"a breaker":                  {[]int{1}, herd(a+"fault=503@0s..50ms,ok", c+"breaker.failures=3", c+"breaker.open_for=40ms", "load.for=200ms", "load.herd.think=exponential:5ms")},
		"a fallback":                 {[]int{1, 2}, herd("services.b.fault=ok,503", ac+"fallback.static=true", "load.herd.requests=3", "load.herd.think=3ms")},
		"a bulkhead with a queue":    {[]int{1}, herd(a+"fault=ok+delay=10ms", c+"bulkhead.limit=2", c+"bulkhead.queue=3", c+"bulkhead.wait=25ms", "load.herd.requests=3", "load.herd.pause=exponential:4ms")},
		"an adaptive limit":          {[]int{1}, herd(a+"time=exponential:10ms", a+"workers=4", c+"adaptive.target=25ms", "load.for=300ms", "load.herd.pause=exponential:4ms")},
		"herds that start later":     {[]int{1}, herd("load.others.x.clients=2", "load.others.x.start=5ms", "load.others.y.start=1s", c+"latency=2ms", "load.for=30ms", "load.herd.requests=2")},
		"a deadline, checked": {[]int{1, 3, 3}, []string{"services.c.fault=503+delay=60ms", c + "deadline.limit=310ms", c + "deadline.check=true", c + "deadline.mode=absolute",
			ac + "deadline.check=true", ac + "deadline.mode=absolute", "services.b.calls.c.deadline.check=true", "services.b.skew=70ms"}},
		"a deadline, enforced": {[]int{1, 3, 3}, []string{"services.c.fault=503+delay=60ms", c + "deadline.limit=310ms", c + "deadline.enforce=true", c + "deadline.mode=remaining",
			ac + "deadline.check=true", ac + "deadline.mode=per-hop", ac + "deadline.limit=200ms", "services.b.calls.c.deadline.check=true"}},
	} {
		t.Run(what, func(t *testing.T) { parity(t, lab(t, tt.attempts, tt.settings...)) })
	}
}

func parity(t *testing.T, top topology.Topology) {
	var ideal, arrived []topology.Arrival
	want, _, err := sim.Run(t.Context(), top, sim.Options{Arrivals: func(a topology.Arrival) { ideal = append(ideal, a) }})
	if err != nil {
		t.Fatal(err)
	}
	var got report.Variant
	synctest.Test(t, func(t *testing.T) {
		got, _, err = live.Run(t.Context(), top, live.Options{Net: live.Pipe(), Arrivals: func(a topology.Arrival) { arrived = append(arrived, a) }})
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, list := range [][]topology.Arrival{ideal, arrived} {
		slices.SortFunc(list, func(a, b topology.Arrival) int {
			return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.At, b.At), cmp.Compare(a.Luck, b.Luck))
		})
	}
	same(t, "arrivals", arrived, ideal)
	got.SpreadMS, got.Engine = nil, want.Engine
	equal(t, "books", inWords(t, got), inWords(t, want))
}

func inWords(t *testing.T, v report.Variant) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
