package sim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// change is a change of a topology.
type change func(*topology.Topology)

// lab is one client of a chain with these attempts, client first. The tail
// answers 503.
func lab(attempts []int, changes ...change) topology.Topology {
	top := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: topology.Chain(attempts...),
		Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
	for _, c := range changes {
		c(&top)
	}
	return top
}

// set changes fields as a file would, by lines such as "services.a.fault=ok".
func set(settings ...string) change {
	return func(top *topology.Topology) {
		for _, s := range settings {
			path, value, _ := strings.Cut(s, "=")
			if err := top.Set(topology.Setting{Path: path, Value: value}); err != nil {
				panic(err)
			}
		}
	}
}

// tail changes what the tail can do.
func tail(c func(*topology.Capacity)) change {
	return func(top *topology.Topology) { c(&top.Tail().Capacity) }
}

// takes gives the tail a service time.
func takes(d time.Duration) change {
	return tail(func(c *topology.Capacity) { c.Time = topology.Always(d) })
}

// workers gives the tail workers that take so long.
func workers(n int, d time.Duration) change {
	return tail(func(c *topology.Capacity) { c.Workers, c.Time = n, topology.Always(d) })
}

// rate makes the load an open loop of even arrivals per second.
func rate(perSecond int64, until time.Duration) change {
	return func(top *topology.Topology) {
		top.Load.Rate.Steps = []topology.RateStep{{Milli: perSecond * 1000}}
		top.Run.Until = until
	}
}

// arriving makes the load an open loop of requests at these instants.
func arriving(at ...time.Duration) change {
	return func(top *topology.Topology) { top.Load.Rate.At = at }
}

// longUnderRace skips a test that takes millions of events in one goroutine,
// where the race detector finds nothing and takes ten times as long.
func longUnderRace(t *testing.T) {
	if underRace {
		t.Skip("one goroutine, many events")
	}
}

func herd(n int) change {
	return func(top *topology.Topology) { top.Load.Herd.Clients = n }
}

func seed(n int) change { return func(top *topology.Topology) { top.Run.Seed = uint64(n) } }

// request is one logical request as it ended.
type request struct {
	start, end policy.Instant
	outcome    policy.Outcome
}

func (r request) latency() time.Duration { return r.end.Sub(r.start) }

// outcome is what a run gave.
type outcome struct {
	report.Variant
	warnings []report.Warning
	requests []request          // in order of their ends
	arrivals []topology.Arrival // in order
}

// run simulates a topology, remembering everything.
func run(t testing.TB, top topology.Topology) outcome {
	t.Helper()
	var o outcome
	o.Variant, o.warnings = mustRun(t, top, Options{
		Arrivals: func(a topology.Arrival) { o.arrivals = append(o.arrivals, a) },
		Ended: func(start, end policy.Instant, out policy.Outcome) {
			o.requests = append(o.requests, request{start, end, out})
		},
	})
	return o
}

func mustRun(t testing.TB, top topology.Topology, o Options) (report.Variant, []report.Warning) {
	t.Helper()
	if err := top.Validate(); err != nil {
		t.Fatal(err)
	}
	v, warnings, err := Run(context.Background(), top, o)
	if err != nil {
		t.Fatal(err)
	}
	return v, warnings
}

// at lists the instants of the hits on the tail.
func (o outcome) at() []time.Duration {
	last := len(o.Layers) - 2
	var out []time.Duration
	for _, a := range o.arrivals {
		if a.Service == last {
			out = append(out, time.Duration(a.At))
		}
	}
	return out
}

// ends lists when the requests ended.
func (o outcome) ends() []time.Duration {
	var out []time.Duration
	for _, r := range o.requests {
		out = append(out, time.Duration(r.end))
	}
	return out
}

// words are the outcomes of the requests in order of their starts.
func (o outcome) words() string {
	slices.SortStableFunc(o.requests, func(a, b request) int { return int(a.start - b.start) })
	var words []string
	for _, r := range o.requests {
		words = append(words, r.outcome.String())
	}
	return strings.Join(words, " ")
}

// warning is the message of the warning of that code, or empty.
func (o outcome) warning(code string) string {
	for _, w := range o.warnings {
		if w.Code == code {
			return w.Message
		}
	}
	return ""
}

// counts are the hits of every service, the tail last.
func (o outcome) counts() []int64 {
	var out []int64
	for _, l := range o.Layers[1:] {
		out = append(out, l.Requests)
	}
	return out
}

// tester is a test, or one draw of a property.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
}

func equal[T comparable](t tester, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func same[T comparable](t tester, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// near wants a number within a share of another.
func near(t tester, what string, got, want, within float64) {
	t.Helper()
	if d := got - want; max(d, -d) > within*want {
		t.Errorf("%s: got %v, want %v ± %v %%", what, got, want, 100*within)
	}
}

func between[T int | int64 | float64 | time.Duration](t tester, what string, got, from, to T) {
	t.Helper()
	if got < from || got > to {
		t.Errorf("%s: got %v, want %v to %v", what, got, from, to)
	}
}

func ms(n ...int) []time.Duration {
	var out []time.Duration
	for _, v := range n {
		out = append(out, time.Duration(v)*time.Millisecond)
	}
	return out
}

func text[T any](v T) string { return fmt.Sprint(v) }

// hitsOf is the number of hits on the tail.
func hitsOf(out *tally) int64 {
	v, _ := out.Variant("sim")
	return v.Hits
}

// lastOf is the instant of the last outcome.
func lastOf(out *tally) policy.Instant {
	v, _ := out.Variant("sim")
	return policy.Instant(math.Round(v.ElapsedMS * 1e6))
}

// simulate runs all clients in one event loop, wants nothing to be left of them,
// and returns what the loop was made of.
func simulate(t testing.TB, top topology.Topology) (*engine, *tally) {
	t.Helper()
	if err := top.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := newPlan(top)
	if err != nil {
		t.Fatal(err)
	}
	out := newTally(top, Options{})
	e := newEngine(p, out)
	e.together(context.Background(), Options{})
	if top.Run.Until == 0 {
		empty(t, e)
	}
	return e, out
}

// empty wants an engine to have come to its end with nothing left: no event, no
// job, no frame, no worker.
func empty(t tester, e *engine) {
	t.Helper()
	equal(t, "events left", e.queue.Len(), 0)
	equal(t, "jobs left", e.alive, 0)
	equal(t, "requests left", e.demands.used, 0)
	free := 0
	for i := e.free; i != none && free <= len(e.jobs); i = e.jobs[i].caller {
		free++
	}
	equal(t, "jobs in the free list", free, len(e.jobs))
	equal(t, "requests that wait for a worker", e.clients.due.len(), 0)
	equal(t, "requests in flight", e.clients.flying, 0)
	for i := range e.edges {
		equal(t, "calls left", e.edges[i].core.Calls(), 0)
	}
	for i := range e.services {
		for s := range e.services[i].stations {
			st := &e.services[i].stations[s]
			equal(t, "workers busy", st.busy, 0)
			equal(t, "requests waiting", st.waiting.len(), 0)
			equal(t, "places kept", st.waiting.tail-st.waiting.head, 0)
		}
	}
}

func timeout(d time.Duration) *policy.TimeoutAfter { return &policy.TimeoutAfter{Limit: d} }
