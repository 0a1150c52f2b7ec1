package lab_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/policy"
	"labctl/trace"
)

// Each variant of every built-in scenario gives back its counts in virtual time.
func TestTracesOfScenariosAreExact(t *testing.T) {
	const most = 5_000 // hits; the larger ones differ in nothing but size
	ran := 0
	for _, s := range scenarios.All() {
		for _, run := range builtIn(t, s.Name) {
			top := run.For("sim")
			if n := top.WorstHits(); n > most || top.Load.Open() && top.Run.Until == 0 && top.Load.For == 0 {
				continue
			}
			ran++
			t.Run(s.Name+"/"+run.Name, func(t *testing.T) {
				v, file := simulated(t, top)
				exact(t, v, file)
			})
		}
	}
	if ran < 50 {
		t.Errorf("only %d variants were small enough", ran)
	}
}

// Over HTTP the same scenarios give back their counts.
func TestTracesOfLiveRunsAreExact(t *testing.T) {
	for name, set := range map[string][]string{
		"nested-retry":  nil,
		"jitter-herd":   {"load.herd.clients=200"},
		"breaker":       nil,
		"breaker-order": nil,
		"bulkhead":      nil,
		"cancel":        nil,
		"deadline":      nil,
		"fallback":      nil,
		"failover":      nil,
		"idempotency":   nil,
		"retry-filter":  nil,
		"spread":        nil,
	} {
		for _, run := range builtIn(t, name, set...) {
			top := run.For("live")
			if top.WorstHits() > 20_000 || top.Load.Open() {
				continue
			}
			t.Run(name+"/"+run.Name, func(t *testing.T) {
				v, file := sent(t, top)
				exact(t, v, file)
			})
		}
	}
}

// graph is client → a → {b, c at once}, b → d, c → d, of which all may retry.
func graph(set ...string) topology.Topology {
	retry := func(to string, n int) topology.Call {
		return topology.Call{To: to, Policies: []topology.Policy{{Retry: &policy.Retry{Attempts: n, Filter: policy.DefaultFilter()}}}}
	}
	return topology.Topology{
		Load: topology.Load{Herd: topology.Herd{Clients: 3, Requests: 2}},
		Services: []topology.Service{
			{Name: "client", Calls: []topology.Call{retry("a", 2)}},
			{Name: "a", Parallel: true, Calls: []topology.Call{retry("b", 3), retry("c", 2)}},
			{Name: "b", Calls: []topology.Call{retry("d", 2)}},
			{Name: "c", Calls: []topology.Call{retry("d", 3)}},
			{Name: "d", Fault: "503"},
		},
		Run: topology.Run{Bin: 50 * time.Millisecond, Seed: 1},
	}
}

// A graph has a path for each way, and the trace tells them apart where the result has
// their sum.
func TestPathsOfAGraph(t *testing.T) {
	for engine, run := range map[string]func() (report.Variant, []byte){
		"sim":  func() (report.Variant, []byte) { return simulated(t, graph()) },
		"live": func() (report.Variant, []byte) { return sent(t, graph()) },
	} {
		v, file := run()
		r := exact(t, v, file)
		got := map[string]float64{}
		for _, p := range r.Paths {
			got[strings.Join(p.Services, " ")] = p.Amplification
		}
		want := map[string]float64{"client": 1, "client a": 2, "client a b": 6, "client a c": 4, "client a b d": 12, "client a c d": 12}
		if !maps.Equal(got, want) {
			t.Errorf("%s: amplification %v, want %v", engine, got, want)
		}
		if v.Hits != 6*24 || len(v.Edges) == 0 {
			t.Errorf("%s: %d hits", engine, v.Hits)
		}
	}
}

// A hedge is a copy that began while the first ran, in both engines.
func TestHedges(t *testing.T) {
	top := graph()
	top.Services[4].Fault = "ok+delay=20ms"
	for _, path := range []string{"services.b.calls.d.hedge.delay", "services.c.calls.d.hedge.delay"} {
		if err := top.Set(topology.Setting{Path: path, Value: "5ms"}); err != nil {
			t.Fatal(err)
		}
	}
	for engine, run := range map[string]func() (report.Variant, []byte){
		"sim":  func() (report.Variant, []byte) { return simulated(t, top) },
		"live": func() (report.Variant, []byte) { return sent(t, top) },
	} {
		v, file := run()
		hedges := int64(0)
		for _, l := range exact(t, v, file).Layers {
			if hedges += l.Overlapping; l.Retries != 0 {
				t.Errorf("%s: %+v", engine, l)
			}
		}
		if hedges == 0 || hedges != v.Hits-12 {
			t.Errorf("%s: %d hedges, %d hits of 12 calls", engine, hedges, v.Hits)
		}
	}
}

// What the layers of three times three times three do is read off their spans alone.
func TestWhoRetriedInNestedRetry(t *testing.T) {
	run := builtIn(t, "nested-retry", "services.client.calls.a.retry.attempts=3", "services.client.calls.a.retry.rest=100ms",
		"services.a.calls.b.retry.attempts=3", "services.b.calls.c.retry.attempts=3")[0]
	v, file := simulated(t, run.Topology)
	r := exact(t, v, file)
	if p, _ := r.Worst(); p.Amplification != 27 || len(p.RetriedBy) != 3 || p.RetriedBy[1] != (trace.Factor{Layer: "a", Most: 3, Mean: 3}) {
		t.Errorf("%+v", p)
	}
	for _, l := range r.Layers {
		if l.Inferred != 0 || l.Retries != l.Calls*2 || len(l.On) != 1 || l.On[0].What != "503" {
			t.Errorf("%+v", l)
		}
		if l.From == "client" && (l.Rest == nil || l.Rest.Median != 100) {
			t.Errorf("rests of the client: %+v", l.Rest)
		}
	}
}

// The same run gives the same file, whatever else the machine does.
func TestSameRunSameFile(t *testing.T) {
	top := builtIn(t, "jitter-herd", "load.herd.clients=200")[0].For("sim")
	_, one := simulated(t, top)
	if _, two := simulated(t, top); !bytes.Equal(one, two) {
		t.Error("two files of one run differ")
	}
}

// Any graph of services with any policies: what the trace says is what was counted.
func TestTracesOfAnyLabAreExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		top := graph()
		top.Load.Herd.Clients = rapid.IntRange(1, 20).Draw(rt, "clients")
		top.Run.Seed = rapid.Uint64Range(1, 1000).Draw(rt, "seed")
		faults := []string{"503", "ok", "503:40%", "503x2,ok", "delay=30ms+503", "hang:20%", "reset", "refuse", "429+retry-after=1", "ok+delay=40ms:50%"}
		settings := [][2]string{
			{"timeout", "20ms"}, {"retry.attempts", "1"}, {"retry.attempts", "4"}, {"retry.rest", "7ms"}, {"keep_working", "true"},
			{"latency", "uniform:1ms..5ms"}, {"breaker.failures", "3"}, {"bulkhead.limit", "2"}, {"hedge.delay", "5ms"}, {"chance", "50%"},
		}
		for i := 1; i < len(top.Services); i++ {
			set(rt, &top, "services."+top.Services[i].Name+".fault", rapid.SampledFrom(faults).Draw(rt, "fault"))
		}
		set(rt, &top, "services.d.workers", rapid.SampledFrom([]string{"0", "1", "3"}).Draw(rt, "workers"))
		for _, call := range []string{"client.calls.a.", "a.calls.b.", "a.calls.c.", "b.calls.d.", "c.calls.d."} {
			for range rapid.IntRange(0, 2).Draw(rt, "settings") {
				s := rapid.SampledFrom(settings).Draw(rt, "setting")
				set(rt, &top, "services."+call+s[0], s[1])
			}
		}
		top.Run.Until = time.Duration(rapid.IntRange(20, 300).Draw(rt, "until")) * time.Millisecond
		if err := top.Validate(); err != nil {
			rt.Skip(err)
		}
		v, file := simulated(t, top)
		exact(fatal{t, rt}, v, file)
	})
}

// fatal lets a failure be shrunk.
type fatal struct {
	testing.TB
	rt *rapid.T
}

func (f fatal) Errorf(format string, args ...any) { f.rt.Errorf(format, args...) }

func set(t *rapid.T, top *topology.Topology, path, value string) {
	if err := top.Set(topology.Setting{Path: path, Value: value}); err != nil {
		t.Fatal(err)
	}
}
