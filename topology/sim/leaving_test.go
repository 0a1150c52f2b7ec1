package sim

import (
	"testing"
	"time"

	"labctl/topology"
)

// Callers that leave take the work below along, or do not: orphans are hits that
// come after somebody above has left, and the one in progress is abandoned. The
// rows are those of the live engine, and some that it cannot have.
func TestCallersThatLeave(t *testing.T) {
	const (
		at310, at270 = "services.client.calls.a.timeout=310ms", "services.client.calls.a.timeout=270ms"
		clientKeeps  = "services.client.calls.a.keep_working=true"
		aKeeps       = "services.a.calls.b.keep_working=true"
		bKeeps       = "services.b.calls.c.keep_working=true"
		rests        = "services.b.calls.c.retry.rest=100ms"
	)
	for _, tt := range []struct {
		what                    string
		settings                []string
		change                  change
		hits, orphan, abandoned int64
	}{
		{"passed down, the sixth hit is the last", []string{at310}, nil, 6, 0, 1},
		{"passed down at 270 ms, the fifth is", []string{at270}, nil, 5, 0, 1},
		{"nobody tells a: 360, 420 and 480 ms come in vain", []string{at310, clientKeeps}, nil, 9, 3, 1},
		{"at 270 ms it is 4 of 9 that come in vain", []string{at270, clientKeeps}, nil, 9, 4, 1},
		{"a hears of it and tells nobody: b goes on, and so do a's retries", []string{at270, aKeeps}, nil, 9, 4, 1},
		{"b hears of it and tells nobody: its own retries go on", []string{at270, bKeeps}, nil, 6, 1, 1},
		{"while b rests: hits at 0, 160 and no more", []string{at310, rests}, nil, 2, 0, 0},
		{"while b rests, and nobody tells", []string{at310, rests, clientKeeps}, nil, 9, 7, 0},
		{"while b rests, and b tells nobody", []string{at310, rests, bKeeps}, nil, 3, 1, 0},
		{"the word takes 10 ms for each of three hops", []string{at310}, everywhere(10 * time.Millisecond), 4, 0, 1},
		{"a hit on its way when all above have left is an orphan", []string{"services.client.calls.a.timeout=25ms"}, everywhere(10 * time.Millisecond), 1, 1, 0},
		{"at the instant itself too", []string{"services.client.calls.a.timeout=30ms"}, everywhere(10 * time.Millisecond), 1, 1, 0},
		{"a moment later it is abandoned", []string{"services.client.calls.a.timeout=31ms"}, everywhere(10 * time.Millisecond), 1, 0, 1},
	} {
		changes := []change{set(append(tt.settings, "services.c.fault=503+delay=60ms")...)}
		if tt.change != nil {
			changes = append(changes, tt.change)
		}
		top := lab([]int{1, 3, 3}, changes...)
		o := run(t, top)
		equal(t, tt.what+": hits", o.Hits, tt.hits)
		equal(t, tt.what+": orphans", o.HitKinds.Orphan, tt.orphan)
		equal(t, tt.what+": abandoned", o.Abandoned, tt.abandoned)
		equal(t, tt.what+": timeouts", o.Outcomes.Timeout, 1)
		equal(t, tt.what+": warnings", len(o.warnings), 0)
		simulate(t, top)
	}
}

// everywhere gives every call a network latency each way.
func everywhere(d time.Duration) change {
	return func(top *topology.Topology) {
		for i := range top.Services[:len(top.Services)-1] {
			top.Services[i].Calls[0].Latency = topology.Always(d)
		}
	}
}

// A request that times out between two attempts leaves a retry that nobody
// waits for and nobody stops: its attempts are orphans, and count the effects of
// the request that they belong to.
func TestRetriesInVain(t *testing.T) {
	top := lab([]int{4}, set("services.a.fault=each:503x3,ok", "services.client.calls.a.retry.rest=100ms", "services.client.calls.a.keep_working=true"))
	call := &top.Services[0].Calls[0]
	call.Policies = append([]topology.Policy{{Timeout: timeout(150 * time.Millisecond)}}, call.Policies...)
	top.Load.Herd.Requests = 3
	o := run(t, top)
	same(t, "hits", o.at(), ms(0, 100, 150, 200, 250, 300, 300, 350, 400, 450, 500, 600))
	equal(t, "outcomes", o.words(), "timeout timeout timeout")
	equal(t, "orphans", o.HitKinds.Orphan, 6)
	equal(t, "effects", o.Effects, 3)
	equal(t, "duplicates", o.HitKinds.Duplicate, 0)
	simulate(t, top)
}

// A retry after a timeout is wanted: only the attempt that timed out is not.
func TestRetriesAfterATimeoutAreNoOrphans(t *testing.T) {
	o := run(t, lab([]int{3}, set("services.a.fault=hang", "services.client.calls.a.timeout=50ms")))
	equal(t, "hits", o.Hits, 3)
	equal(t, "orphans", o.HitKinds.Orphan, 0)
	equal(t, "abandoned", o.Abandoned, 3)
}

// An effect is work that was done, whether or not somebody waited for it.
func TestEffects(t *testing.T) {
	const delayed, timeout = "services.a.fault=ok+delay=60ms", "services.client.calls.a.timeout=50ms"
	for _, tt := range []struct {
		what                     string
		settings                 []string
		hits, effects, duplicate int64
	}{
		{"done once", []string{"services.a.fault=ok"}, 1, 1, 0},
		{"a failure does nothing", []string{"services.a.fault=503,ok"}, 2, 1, 0},
		{"a status of the fault program is not the work itself", []string{"services.a.fault=201"}, 1, 0, 0},
		{"a tail that hears of the timeout stops in time", []string{delayed, timeout}, 3, 0, 0},
		{"one that does not does the work three times", []string{delayed, timeout, "services.client.calls.a.keep_working=true"}, 3, 3, 2},
		{"two requests are no duplicates", []string{"services.a.fault=ok", "load.herd.requests=2"}, 2, 2, 0},
		{"a reset loses nothing that was done", []string{"services.a.fault=reset,ok"}, 2, 1, 0},
	} {
		o := run(t, lab([]int{3}, set(tt.settings...)))
		equal(t, tt.what+": hits", o.Hits, tt.hits)
		equal(t, tt.what+": effects", o.Effects, tt.effects)
		equal(t, tt.what+": duplicates", o.HitKinds.Duplicate, tt.duplicate)
	}
}

// A worker that becomes free by an answer is given to the next request in the
// middle of what the edge has to do; that request calls over the same edge.
func TestAWorkerThatIsHandedOnCallsAtOnce(t *testing.T) {
	const n = 100
	top := lab([]int{1, 2}, herd(n), set("services.b.fault=503+delay=1ms", "services.a.calls.b.timeout=1h"), func(top *topology.Topology) {
		top.Services[1].Workers = 1
	})
	o := run(t, top)
	same(t, "hits", o.counts(), []int64{n, 2 * n})
	for i, at := range o.at() {
		equal(t, "hit "+text(i), at, time.Duration(i)*time.Millisecond)
	}
	simulate(t, top)

	open := lab([]int{2}, set("services.a.fault=503+delay=1ms", "services.client.calls.a.timeout=1h"),
		arriving(make([]time.Duration, n)...), func(top *topology.Topology) { top.Load.Rate.Workers = 1 })
	equal(t, "an open loop's worker likewise", run(t, open).Hits, 2*n)
	simulate(t, open)
}

// A word that a caller has left must not reach the job of another attempt that
// took the place of one whose reply is still on its way: here a's first request,
// answered at 40 ms and given up at 60, makes room for the one to b at 50 ms,
// under the same reference of another edge.
func TestALateWordReachesNobodyElse(t *testing.T) {
	top := lab([]int{1, 1}, set("services.a.fault=503,ok", "services.b.fault=ok+delay=45ms", "services.client.calls.a.timeout=60ms",
		"services.a.calls.b.timeout=1h"), slow(40*time.Millisecond), arriving(ms(0, 10)...))
	equal(t, "effects", run(t, top).Effects, 1)
	simulate(t, top)
}

// Networks of any speed, and timeouts on the way: all together is as one by one.
func TestLateReplies(t *testing.T) {
	top := lab([]int{1, 1}, herd(2000), set("services.b.fault=ok", "services.client.calls.a.timeout=25ms", "services.a.calls.b.timeout=12ms"),
		func(top *topology.Topology) {
			top.Load.Herd.Smear = time.Second
			top.Services[0].Calls[0].Latency = topology.Distribution{Shape: topology.UniformTime, B: 20 * time.Millisecond}
			top.Services[1].Calls[0].Latency = topology.Distribution{Shape: topology.UniformTime, B: 10 * time.Millisecond}
			top.Services[1].Workers = 5000
		})
	e, out := simulate(t, top)
	equal(t, "answered", out.Done(), 2000)
	// All of this is independent, so one after the other gives the same.
	top.Services[1].Workers = 0
	alone, _ := mustRun(t, top, Options{way: general})
	v, _ := collect(&plan{topo: e.topo}, out, false)
	v.Layers, alone.Layers = nil, nil
	equal(t, "result", text(v), text(alone))
}

// A call that is made at the instant at which its caller hears that it need not:
// the word and the request arrive together, and the request is first.
func TestAWordThatTravelsWithItsRequest(t *testing.T) {
	top := lab([]int{1, 1}, set("services.b.fault=hang", "services.client.calls.a.timeout=20ms"), everywhere(10*time.Millisecond), func(top *topology.Topology) {
		top.Services[1].Time = topology.Always(20 * time.Millisecond)
	})
	o := run(t, top)
	same(t, "hits", o.at(), ms(40))
	equal(t, "orphans", o.HitKinds.Orphan, 1)
	equal(t, "abandoned", o.Abandoned, 0)
	simulate(t, top)
}
