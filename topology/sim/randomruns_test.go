package sim

import (
	"context"
	"reflect"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/faultserver/program"
	"labctl/report"
	"labctl/topology"
)

// result is all that a run gives.
type result struct {
	v        report.Variant
	warnings []report.Warning
}

func resultOf(t *rapid.T, top topology.Topology, o Options) result {
	v, warnings, err := Run(context.Background(), top, o)
	if err != nil {
		t.Fatal(err)
	}
	return result{v, warnings}
}

func identical(t tester, what string, a, b result) {
	t.Helper()
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s:\n%+v\n%+v", what, a, b)
	}
}

// Clients that share nothing give the same, bit for bit, whether they are
// followed one by one without a queue, one by one with one, or all together.
func TestAllWaysAreOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { allWaysAreOne(t, anyChain(t)) })
}

// allWaysAreOne wants that of a topology with anything added that they do not share.
func allWaysAreOne(t *rapid.T, top topology.Topology) {
	if rapid.Bool().Draw(t, "with variety") {
		addVariety(t, &top)
	}
	if rapid.Bool().Draw(t, "with timeouts") {
		addTimeouts(t, &top)
	}
	if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
		top.Run.Until = anyTime(t, "until") + 20*time.Millisecond
	}
	p, err := newPlan(top)
	if err != nil || !p.independent() {
		t.Fatalf("not independent: %v", err)
	}
	first := resultOf(t, top, Options{})
	identical(t, "fastest and general", first, resultOf(t, top, Options{way: general}))
	identical(t, "fastest and coupled", first, resultOf(t, top, Options{way: coupled}))
	identical(t, "twice", first, resultOf(t, top, Options{}))
}

// Whatever happens, nothing is lost: every attempt arrives, every request ends
// once, and at the end no job, frame or worker is left.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { nothingIsLost(t, anyChain(t)) })
}

// nothingIsLost wants that of a topology with anything added to it.
func nothingIsLost(t *rapid.T, top topology.Topology) {
	addVariety(t, &top)
	addTimeouts(t, &top)
	addCapacity(t, &top)
	addShared(t, &top)
	if err := top.Validate(); err != nil {
		t.Skip(err)
	}
	cut := rapid.IntRange(0, 3).Draw(t, "cut") == 0
	if cut {
		top.Run.Until = anyTime(t, "until") + 20*time.Millisecond
	}
	p, err := newPlan(top)
	if err != nil {
		t.Fatal(err)
	}
	out := newTally(top, Options{})
	e := newEngine(p, out)
	e.together(context.Background(), Options{})
	v, _ := out.Variant("sim")
	o := v.Outcomes
	equal(t, "outcomes", o.OK+o.Failed+o.Timeout+o.Rejected+o.Cancelled+o.Degraded, v.Requests)
	equal(t, "with an outcome", out.Done(), v.Requests)
	equal(t, "first and retry", v.HitKinds.First+v.HitKinds.Retry, v.Hits)
	between(t, "orphans and abandoned", v.HitKinds.Orphan+v.Abandoned, 0, v.Hits)
	if cut {
		return
	}
	empty(t, e)
	if top.Load.For == 0 {
		equal(t, "requests", v.Requests, requestsOf(top.Load))
	}
	allArrive(t, top, v)
}

// allArrive wants every attempt to have reached a service, and nothing else to.
func allArrive(t tester, top topology.Topology, v report.Variant) {
	t.Helper()
	sent, came := v.Layers[0].Attempts, int64(0)
	for i, l := range v.Layers[1:] {
		if top.IsChain() {
			equal(t, "arrivals of the attempts on "+l.Name, l.Requests, v.Layers[i].Attempts)
		}
		sent += l.Attempts
		came += l.Requests
	}
	equal(t, "arrivals of all attempts", came, sent)
}

// anyGraph draws services of which each calls some of those behind it, in turn or at
// once, some with a chance.
func anyGraph(t *rapid.T) topology.Topology {
	top := lab(make([]int, rapid.IntRange(1, 4).Draw(t, "services")))
	for i := range top.Services {
		s := &top.Services[i]
		s.Calls = nil
		s.Parallel = rapid.Bool().Draw(t, "parallel")
		for to := i + 1; to < len(top.Services); to++ {
			called := rapid.IntRange(0, 2).Draw(t, "called") > 0
			if chance := rapid.SampledFrom([]program.Chance{0, 0, 300_000}).Draw(t, "chance"); called || i == 0 && to == 1 {
				s.Calls = append(s.Calls, topology.Call{To: top.Services[to].Name, Chance: chance})
			}
		}
	}
	addLoad(t, &top)
	addBehaviour(t, &top)
	if err := top.Validate(); err != nil {
		t.Skip(err) // nobody calls some service
	}
	return top
}

// A graph keeps what a chain does.
func TestAnyGraphLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { nothingIsLost(t, anyGraph(t)) })
}

func TestAllWaysOfAnyGraphAreOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { allWaysAreOne(t, anyGraph(t)) })
}

// requestsOf is how many requests a load without an end makes.
func requestsOf(l topology.Load) (n int64) {
	if l.Open() {
		return int64(len(l.Rate.At))
	}
	for _, h := range l.Herds() {
		n += int64(h.Clients * l.PerClient(h))
	}
	return n
}

// The number of cores shows in nothing: also where it is not a multiple of a
// block, and where quantiles come from a histogram.
func TestAnyNumberOfCores(t *testing.T) {
	for _, way := range []way{fastest, general} {
		top := lab([]int{3}, herd(5*blockSize+7), set("services.client.calls.a.retry.rest=100ms", "services.client.calls.a.retry.jitter=50%"))
		top.Load.Herd.Requests = 6
		many, warnings := mustRun(t, top, Options{way: way})
		before := runtime.GOMAXPROCS(1)
		one, _ := mustRun(t, top, Options{way: way})
		runtime.GOMAXPROCS(before)
		if !reflect.DeepEqual(one, many) {
			t.Errorf("with one core\n%+v\nwith %d\n%+v", one, before, many)
		}
		equal(t, "quantiles", many.LatencyMS.Kind, "hdr3")
		equal(t, "warnings", len(warnings), 0)
	}
}
