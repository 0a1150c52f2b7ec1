package sim

import (
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// starts of requests, in order.
func (o outcome) starts() []time.Duration {
	o.words()
	var out []time.Duration
	for _, r := range o.requests {
		out = append(out, time.Duration(r.start))
	}
	return out
}

// When the requests of a load begin, in every way in which it can be run.
func TestHerds(t *testing.T) {
	for _, tt := range []struct {
		what     string
		settings []string
		starts   []time.Duration
	}{
		{"a herd that starts later", []string{"load.herd.start=30ms", "load.herd.clients=2"}, ms(30, 30)},
		{"two herds", []string{"load.herd.clients=2", "load.others.slow.clients=1", "load.others.slow.start=5ms", "load.others.slow.requests=2"}, ms(0, 0, 5, 15)},
		{"a think time", []string{"load.herd.requests=3", "load.herd.think=20ms"}, ms(0, 30, 60)},
		{"a pause after a failure", []string{"load.herd.requests=3", "load.herd.think=20ms", "load.herd.pause=70ms", "services.a.fault=503+delay=10ms@0s..10ms,ok+delay=10ms"}, ms(0, 80, 110)},
		{"no pause is the think time", []string{"load.herd.requests=3", "load.herd.think=20ms", "services.a.fault=503+delay=10ms"}, ms(0, 30, 60)},
		{"an end of the load", []string{"load.for=60ms", "load.herd.think=20ms"}, ms(0, 30)},
		{"a nanosecond later", []string{"load.for=60000001ns", "load.herd.think=20ms"}, ms(0, 30, 60)},
		{"both an end and a number", []string{"load.for=1h", "load.herd.requests=2"}, ms(0, 10)},
		{"a herd that would start at its end", []string{"load.for=30ms", "load.herd.start=30ms", "load.herd.requests=2"}, nil},
		{"an end of the run comes first", []string{"load.for=1h", "run.until=25ms"}, ms(0, 10, 20)},
	} {
		top := lab([]int{1}, set("services.a.fault=ok+delay=10ms"), set(tt.settings...))
		var results []result
		for _, w := range []way{fastest, general, coupled} {
			var o outcome
			o.Variant, o.warnings = mustRun(t, top, Options{way: w, Ended: func(start, end policy.Instant, out policy.Outcome) {
				o.requests = append(o.requests, request{start, end, out})
			}})
			same(t, tt.what, o.starts(), tt.starts)
			results = append(results, result{o.Variant, o.warnings})
		}
		identical(t, tt.what+": fastest and general", results[0], results[1])
		identical(t, tt.what+": fastest and coupled", results[0], results[2])
	}
}

// What begins at one instant begins in the order of the clients, whichever herd they
// are of and however they come to begin then.
func TestClientsBeginInOrder(t *testing.T) {
	for what, settings := range map[string][]string{
		"one herd":    {"load.herd.clients=6", "load.herd.requests=2"},
		"three herds": {"load.herd.clients=2", "load.herd.requests=2", "load.others.b.clients=2", "load.others.c.clients=2"},
		"smeared":     {"load.herd.clients=2", "load.herd.smear=1ns", "load.others.b.clients=4"},
		"later":       {"load.herd.clients=2", "load.herd.start=1s", "load.others.b.clients=4", "load.others.b.start=1s"},
	} {
		o := run(t, lab([]int{1}, set(settings...), workers(100, 0)))
		for i := range 6 {
			first := policy.RootLuck(1, uint64(i), 0).Attempt(policy.NewEdgeID("client", "a"), 1)
			equal(t, what+text(i), o.arrivals[i].Luck, first)
		}
	}
}

// An open loop ends with its load as well; what was due by then still goes out.
func TestAnOpenLoopEnds(t *testing.T) {
	o := run(t, lab([]int{1}, set("services.a.fault=ok", "load.for=400ms", "load.rate=10/s", "load.rate.workers=1"), takes(150*time.Millisecond)))
	same(t, "hits", o.at(), ms(0, 150, 300, 450))
	equal(t, "outcomes", o.words(), "200 200 200 200")
	equal(t, "goodput counts by the due time", len(o.Goodput), 7)
	given := run(t, lab([]int{1}, set("load.for=20ms"), arriving(ms(0, 10, 20, 30)...)))
	same(t, "given instants", given.at(), ms(0, 10))
}

// The limits know the end of the load: a closed loop that asks until then has no
// number of requests, and is no run without an end.
func TestPreflightOfALoadWithAnEnd(t *testing.T) {
	forever := lab([]int{3}, herd(100_000), set("load.for=10s", "load.herd.think=1s"))
	if err := CheckHits(forever); err != nil {
		t.Errorf("a load with an end: %v", err)
	}
	fast := lab([]int{1}, rate(topology.MaxRate, 0), set("load.for=9s"))
	if err := Check(fast, 0); err != nil {
		t.Errorf("nine billion arrivals: %v", err)
	}
	fast.Load.For = 11 * time.Second
	if err := Check(fast, 0); err == nil {
		t.Errorf("eleven billion arrivals are not refused")
	}
	two := lab([]int{1}, herd(1000), set("load.others.b.clients=1000"), workers(1, 0))
	if Check(two, 1500*perClient) == nil || Check(two, 2000*perClient) != nil {
		t.Errorf("two herds of a thousand need memory for two thousand")
	}
}
