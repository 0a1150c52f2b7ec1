package lab_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/sim"
	"labctl/trace"
	"labctl/trace/lab"
)

// simulated runs a lab in virtual time and returns its result and its trace as a file.
func simulated(t testing.TB, top topology.Topology) (report.Variant, []byte) {
	t.Helper()
	var file bytes.Buffer
	r := lab.NewRecorder(trace.NewWriter(&file), top)
	v, _, err := sim.Run(t.Context(), top, sim.Options{Spans: r.Span})
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return v, file.Bytes()
}

// sent does it over HTTP, in a bubble.
func sent(t *testing.T, top topology.Topology) (v report.Variant, out []byte) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var file bytes.Buffer
		r := lab.NewRecorder(trace.NewWriter(&file), top)
		var err error
		v, _, err = live.Run(t.Context(), top, live.Options{Net: live.Pipe(), Spans: r.Span})
		if err == nil {
			err = r.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		out = file.Bytes()
	})
	return v, out
}

type counts struct{ requests, attempts int64 }

// exact wants that a trace gives back the counts of a result: those of the clients, of
// each layer, and the hits.
func exact(t testing.TB, v report.Variant, file []byte) trace.Report {
	t.Helper()
	spans, err := trace.Read(nil, bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	r := trace.Analyze(spans)
	got := map[string]counts{}
	for _, p := range r.Paths {
		last := p.Services[len(p.Services)-1]
		c := got[last]
		c.requests += p.Requests
		got[last] = c
	}
	for _, l := range r.Layers {
		c := got[l.From]
		c.attempts += l.Attempts
		got[l.From] = c
	}
	for _, l := range v.Layers {
		if want := (counts{l.Requests, l.Attempts}); got[l.Name] != want {
			t.Errorf("%s: the trace says %+v, the result %+v", l.Name, got[l.Name], want)
		}
	}
	if tail := v.Layers[len(v.Layers)-1].Name; r.Requests != v.Requests || got[tail].requests != v.Hits {
		t.Errorf("the trace says %d requests and %d hits, the result %d and %d", r.Requests, got[tail].requests, v.Requests, v.Hits)
	}
	for _, n := range r.Notes {
		switch n.Code {
		case "overlapping", "attempts-without-server": // a hedge; an attempt that was left on its way
		default:
			t.Errorf("%s: %s", n.Code, n.Message)
		}
	}
	return r
}

func builtIn(t testing.TB, name string, set ...string) []scenarios.Run {
	t.Helper()
	s, ok := scenarios.Find(name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	var o scenarios.Overrides
	for _, setting := range set {
		path, value, _ := strings.Cut(setting, "=")
		o.Set = append(o.Set, topology.Setting{Path: path, Value: value})
	}
	p, err := scenarios.NewPlan(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return p.Runs
}
