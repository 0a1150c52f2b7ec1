package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"labctl/topology/live"
)

// In a bubble over pipes, a request takes what its policies and its tail take,
// to the nanosecond.
func TestDurationsAreExact(t *testing.T) {
	const tail = "services.c.fault=503+delay=60ms"
	for _, tt := range []struct {
		what     string
		attempts []int
		settings []string
		hits     int64
		elapsed  time.Duration
	}{
		{"three layers of three one after the other: 9 calls of 60 ms",
			[]int{1, 3, 3}, []string{tail}, 9, 540 * time.Millisecond},
		{"rests of 100 ms: six between the hits, two more between the calls on b",
			[]int{1, 3, 3}, []string{tail, "services.a.calls.b.retry.rest=100ms", "services.b.calls.c.retry.rest=100ms"},
			9, 1340 * time.Millisecond},
		{"no rest follows the last attempt: 4 attempts, 3 rests (case A12)",
			[]int{4}, []string{"services.client.calls.a.retry.rest=1s"}, 4, 3 * time.Second},
		{"linear growth: 1, 2, 3 s",
			[]int{4}, []string{"services.client.calls.a.retry.rest=1s", "services.client.calls.a.retry.backoff=linear"}, 4, 6 * time.Second},
		{"an answer that is good enough ends it all",
			[]int{1, 3, 3}, []string{"services.c.fault=503+delay=60ms,503+delay=60ms,ok"}, 3, 120 * time.Millisecond},
		{"a timeout of each attempt: three times 310 ms",
			[]int{3}, []string{"services.a.fault=hang", "services.client.calls.a.timeout=310ms"}, 3, 930 * time.Millisecond},
		{"two requests of one client follow each other",
			[]int{3}, []string{"services.a.fault=503+delay=60ms", "load.herd.requests=2"}, 6, 360 * time.Millisecond},
		{"a call in which nothing waits takes no time",
			[]int{3, 3}, nil, 9, 0},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, lab(t, tt.attempts, tt.settings...), live.Pipe())
				equal(t, "hits", o.Hits, tt.hits)
				equal(t, "elapsed", time.Duration(o.ElapsedMS*float64(time.Millisecond)), tt.elapsed)
				if len(o.warnings) > 0 && o.Requests == 1 {
					t.Errorf("warnings: %v", o.warnings)
				}
			})
		})
	}
}

// The tree holds every attempt of one request, depth first, with its instant.
func TestTree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := run(t, lab(t, []int{2, 2}, "services.b.fault=503+delay=60ms", "services.client.calls.a.retry.rest=100ms"), live.Pipe())
		same(t, "instants on a", o.offsets("a"), []float64{0, 220})
		same(t, "instants on b", o.offsets("b"), []float64{0, 60, 220, 280})
		equal(t, "outcomes on b", o.words("b"), "503 503 503 503")
		var order []int
		for _, a := range o.Tree {
			order = append(order, a.Depth)
		}
		same(t, "depths", order, []int{0, 1, 1, 0, 1, 1})
	})
}

// A caller that stops waiting takes the work below it along, or leaves it
// running; hits that come after it left are orphans, the one in progress is
// abandoned.
func TestCallersThatLeave(t *testing.T) {
	const (
		at310, at270 = "services.client.calls.a.timeout=310ms", "services.client.calls.a.timeout=270ms"
		clientKeeps  = "services.client.calls.a.keep_working=true"
		aKeeps       = "services.a.calls.b.keep_working=true"
	)
	for _, tt := range []struct {
		what                    string
		settings                []string
		hits, orphan, abandoned int64
	}{
		{"passed down, the sixth hit is the last", []string{at310}, 6, 0, 1},
		{"passed down at 270 ms, the fifth is", []string{at270}, 5, 0, 1},
		{"nobody tells a: 360, 420 and 480 ms come in vain", []string{at310, clientKeeps}, 9, 3, 1},
		{"at 270 ms it is 4 of 9 that come in vain", []string{at270, clientKeeps}, 9, 4, 1},
		{"a hears of it and tells nobody: b goes on, and so do a's retries", []string{at270, aKeeps}, 9, 4, 1},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, lab(t, []int{1, 3, 3}, append(tt.settings, "services.c.fault=503+delay=60ms")...), live.Pipe())
				equal(t, "hits", o.Hits, tt.hits)
				equal(t, "orphans", o.HitKinds.Orphan, tt.orphan)
				equal(t, "abandoned", o.Abandoned, tt.abandoned)
				equal(t, "timeouts", o.Outcomes.Timeout, 1)
				equal(t, "warnings", len(o.warnings), 0)
			})
		})
	}
}

// Who stopped waiting first decides: what comes then is in vain, although a
// layer further down goes on waiting for a while.
func TestTheFirstToLeaveCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := run(t, lab(t, []int{1, 1, 9}, "services.c.fault=503+delay=60ms",
			"services.client.calls.a.timeout=270ms", "services.client.calls.a.keep_working=true",
			"services.a.calls.b.timeout=390ms", "services.a.calls.b.keep_working=true"), live.Pipe())
		equal(t, "hits", o.Hits, 9)
		equal(t, "orphans, from 270 ms on", o.HitKinds.Orphan, 4)
		equal(t, "abandoned", o.Abandoned, 1)
	})
}

// A retry after a timeout is wanted: only the attempt that timed out is not.
func TestRetriesAfterATimeoutAreNoOrphans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := run(t, lab(t, []int{3}, "services.a.fault=hang", "services.client.calls.a.timeout=50ms"), live.Pipe())
		equal(t, "hits", o.Hits, 3)
		equal(t, "orphans", o.HitKinds.Orphan, 0)
		equal(t, "abandoned", o.Abandoned, 3)
	})
}

// An effect is work that was done, whether or not somebody waited for it.
func TestEffects(t *testing.T) {
	const slow, timeout = "services.a.fault=ok+delay=60ms", "services.client.calls.a.timeout=50ms"
	for _, tt := range []struct {
		what                     string
		settings                 []string
		hits, effects, duplicate int64
	}{
		{"done once", []string{"services.a.fault=ok"}, 1, 1, 0},
		{"a failure does nothing", []string{"services.a.fault=503,ok"}, 2, 1, 0},
		{"a tail that hears of the timeout stops in time", []string{slow, timeout}, 3, 0, 0},
		{"one that does not does the work three times", []string{slow, timeout, "services.client.calls.a.keep_working=true"}, 3, 3, 2},
		{"two requests are no duplicates", []string{"services.a.fault=ok", "load.herd.requests=2"}, 2, 2, 0},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, lab(t, []int{3}, tt.settings...), live.Pipe())
				equal(t, "hits", o.Hits, tt.hits)
				equal(t, "effects", o.Effects, tt.effects)
				equal(t, "duplicates", o.HitKinds.Duplicate, tt.duplicate)
			})
		})
	}
}
