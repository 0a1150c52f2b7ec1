package sim

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// Requests that nothing will ever wake are said to be so; those that the end of
// the run finds in flight are cancelled by it.
func TestRequestsWithoutAnAnswer(t *testing.T) {
	const rest = "services.client.calls.a.retry.rest=1s"
	for _, tt := range []struct {
		what      string
		top       topology.Topology
		code      string
		says      string
		cancelled int64
	}{
		{"a hang without a timeout", lab([]int{3}, herd(7), set("services.a.fault=hang", "run.until=10s")), "never-answered", "7 requests never got an answer", 7},
		{"hanging workers, and who waits for them", lab([]int{3}, herd(7), set("services.a.fault=hang", "run.until=10s"), workers(2, 0)), "never-answered", "7 requests", 7},
		{"stalls, and who waits for their workers", lab([]int{3}, herd(7), set("services.a.fault=stall", "run.until=10s"), workers(2, 0)), "never-answered", "7 requests", 7},
		{"unlimited retries, cut", lab([]int{-1}, herd(7), set(rest, "run.until=10s")), "cut", "at 10s with 7 requests in flight", 7},
		{"of coupled clients", lab([]int{-1}, herd(7), set(rest, "run.until=10s"), workers(9, 0)), "cut", "7 requests in flight", 7},
		{"those that wait for a worker too", lab([]int{1}, herd(7), set("run.until=3500ms"), workers(1, time.Second)), "cut", "4 requests in flight", 4},
		{"an end that nobody meets", lab([]int{3}, herd(7), set(rest, "run.until=10s")), "", "", 0},
		{"an answer at the end itself is none", lab([]int{3}, herd(7), set(rest, "run.until=2s")), "cut", "7 requests", 7},
	} {
		o := run(t, tt.top)
		if tt.code != "" && !strings.Contains(o.warning(tt.code), tt.says) {
			t.Errorf("%s: got %v, want %s: %s", tt.what, o.warnings, tt.code, tt.says)
		}
		equal(t, tt.what+": warnings", len(o.warnings), min(len(tt.code), 1))
		equal(t, tt.what+": cancelled", o.Outcomes.Cancelled, tt.cancelled)
		equal(t, tt.what+": told of all", len(o.requests), 7)
		if tt.cancelled > 0 {
			equal(t, tt.what+": end", o.ElapsedMS, float64(tt.top.Run.Until.Milliseconds()))
		}
	}
}

// A client that is cut leaves nothing behind for the next one, nor memory: two
// hundred or two thousand, the engine holds as many jobs.
func TestCutClientsLeaveNothing(t *testing.T) {
	size := func(n int) int {
		p, err := newPlan(lab([]int{-1}, herd(n), set("services.client.calls.a.retry.rest=1s", "services.client.calls.a.timeout=100ms",
			"services.client.calls.a.keep_working=true", "services.a.fault=503+delay=20s", "run.until=10s")))
		if err != nil {
			t.Fatal(err)
		}
		out := newTally(p.topo, Options{})
		e := newEngine(p, out)
		for id := range n {
			e.reset()
			e.clients.start(id, id+1)
			e.run(func() bool { return false })
		}
		v, _ := out.Variant("sim")
		equal(t, "cancelled", v.Outcomes.Cancelled, int64(n))
		equal(t, "abandoned", v.Abandoned, int64(9*n)) // the tenth would be at the end
		return cap(e.jobs)
	}
	equal(t, "jobs", size(2000), size(200))
}

// Time saturates: after 292 years nothing happens any more, in any way of
// running, and nothing has wrapped into the past.
func TestTheEndOfTime(t *testing.T) {
	const year = topology.MaxDuration
	for what, change := range map[string]change{
		"rests":         func(top *topology.Topology) { top.Services[0].Calls[0].Policies[0].Retry.Rest.Base = year },
		"service times": takes(year),
		"latencies":     slow(year / 2),
		"think times": func(top *topology.Topology) {
			top.Load.Herd.Requests, top.Load.Herd.Think = 1000, topology.Always(year)
			top.Services[0].Calls[0].Policies[0].Retry.Attempts = 1
		},
	} {
		var results []result
		for _, w := range []way{fastest, general, coupled} {
			var o result
			last := policy.Instant(-1)
			top := lab([]int{1000, 3}, herd(2), change)
			o.v, o.warnings = mustRun(t, top, Options{way: w, Arrivals: func(a topology.Arrival) {
				if a.At < 0 || a.At == policy.Never {
					t.Errorf("%s: a hit at %d after one at %d", what, a.At, last)
				}
				last = a.At
			}})
			equal(t, what+": outcomes", o.v.Outcomes.Failed == o.v.Requests, what == "think times")
			results = append(results, o)
		}
		identical(t, what+": fastest and general", results[0], results[1])
		identical(t, what+": fastest and coupled", results[0], results[2])
		between(t, what+": hits", results[0].v.Hits, 290, 5300)
	}
	late := speeds(topology.Speed{From: math.MaxInt64 - 5, Until: math.MaxInt64, Percent: 50})
	equal(t, "a window at the end of time", late.Finish(policy.Never-10, 100), policy.Never)
}

// An interrupt ends a run soon, also in the middle of one client, and says how
// far it came.
func TestInterrupt(t *testing.T) {
	endless := lab([]int{topology.MaxAttempts, topology.MaxAttempts, topology.MaxAttempts}, herd(2))
	for _, w := range []way{fastest, general, coupled} {
		ctx, cancel := context.WithCancel(context.Background())
		hits := 0
		v, warnings, err := Run(ctx, endless, Options{way: w, Arrivals: func(topology.Arrival) {
			if hits++; hits == 100_000 {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, ErrInterrupted) {
			t.Errorf("error %v", err)
		}
		between(t, "hits", v.Hits, 90_000, 110_000)
		equal(t, "requests", v.Requests, v.Outcomes.Cancelled)
		equal(t, "warning", warnings[0].Code, "partial")
	}
}

// Progress never goes back and comes to its end.
func TestProgress(t *testing.T) {
	for what, top := range map[string]topology.Topology{
		"alone":    lab([]int{3}, herd(50_000)),
		"coupled":  lab([]int{3}, herd(50_000), workers(10, time.Millisecond)),
		"open":     lab([]int{1}, set("services.a.fault=ok"), rate(1000, 100*time.Second), takes(time.Millisecond)),
		"instants": lab([]int{1}, set("services.a.fault=ok"), arriving(ms(make([]int, 50_000)...)...)),
	} {
		told, last, end := 0, int64(-1), int64(0)
		mustRun(t, top, Options{Arrivals: func(topology.Arrival) {}, Progress: func(done, all int64) {
			if done < last || done > all {
				t.Errorf("%s: %d of %d after %d", what, done, all, last)
			}
			told, last, end = told+1, done, all
		}})
		if told < 3 || end > 0 && last < end/2 {
			t.Errorf("%s: told %d times, the last time of %d of %d", what, told, last, end)
		}
	}
}
