package sim_test

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/sim"
)

// chain is a chain changed as a file would.
func chain(t *testing.T, attempts []int, settings ...string) topology.Topology {
	t.Helper()
	top := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: topology.Chain(attempts...),
		Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
	for _, s := range settings {
		path, value, _ := strings.Cut(s, "=")
		if err := top.Set(topology.Setting{Path: path, Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	if err := top.Validate(); err != nil {
		t.Fatal(err)
	}
	return top
}

// both runs a topology in both engines, live in a bubble, and returns the
// variants and the arrivals of each, sorted by who arrives where.
func both(t *testing.T, top topology.Topology) (l, s report.Variant, arrivedLive, arrivedSim []topology.Arrival) {
	t.Helper()
	var err error
	s, _, err = sim.Run(t.Context(), top, sim.Options{Arrivals: func(a topology.Arrival) { arrivedSim = append(arrivedSim, a) }})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		l, _, err = live.Run(t.Context(), top, live.Options{Net: live.Pipe(), Arrivals: func(a topology.Arrival) { arrivedLive = append(arrivedLive, a) }})
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, arrivals := range [][]topology.Arrival{arrivedLive, arrivedSim} {
		slices.SortFunc(arrivals, func(a, b topology.Arrival) int {
			return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.Luck, b.Luck))
		})
	}
	return l, s, arrivedLive, arrivedSim
}

// The rows are topologies whose clients share nothing and in which no two things
// that matter to each other happen at one instant: live has no order of ties.
// Everything that both engines count is the same, and every hit arrives at the
// same nanosecond.
func TestParity(t *testing.T) {
	const client, a, b = "services.client.calls.a.", "services.a.calls.b.", "services.b.calls.c."
	for _, tt := range []struct {
		what     string
		attempts []int
		settings []string
	}{
		{"one request", []int{1}, nil},
		{"three layers of three without a rest", []int{3, 3, 3}, nil},
		{"a slow tail", []int{1, 3, 3}, []string{"services.c.fault=503+delay=60ms"}},
		{"a tail that recovers in time", []int{3, 3}, []string{"services.b.fault=503+delay=7ms@0s..30ms,ok", client + "retry.rest=11ms"}},
		{"a tail that answers 201", []int{3}, []string{"services.a.fault=201"}},
		{"fixed rests in every layer", []int{3, 3, 3}, []string{client + "retry.rest=100ms", a + "retry.rest=30ms", b + "retry.rest=7ms"}},
		{"a herd with jitter", []int{3}, []string{"load.herd.clients=50", client + "retry.rest=100ms", client + "retry.jitter=50%"}},
		{"a smeared herd with full jitter", []int{4}, []string{"load.herd.clients=50", "load.herd.smear=45ms", client + "retry.rest=100ms", client + "retry.jitter=full", client + "retry.backoff=exponential"}},
		{"jitter in three layers", []int{2, 2, 3}, []string{"load.herd.clients=20", client + "retry.rest=90ms", client + "retry.jitter=equal",
			a + "retry.rest=50ms", a + "retry.jitter=full", b + "retry.rest=10ms", b + "retry.jitter=decorrelated", b + "retry.cap=50ms", "services.c.fault=503+delay=3ms"}},
		{"closed loops", []int{2}, []string{"load.herd.clients=10", "load.herd.requests=5", client + "retry.rest=20ms", client + "retry.jitter=50%", "services.a.fault=503+delay=1ms"}},
		{"resets and refusals by luck", []int{3}, []string{"load.herd.clients=40", "services.a.fault=reset:40%", client + "retry.rest=20ms", client + "retry.jitter=50%"}},
		{"closed connections behind a gateway", []int{2, 2}, []string{"load.herd.clients=10", "services.b.fault=close+delay=3ms", client + "retry.rest=20ms", client + "retry.jitter=50%"}},
		{"a closed port", []int{3}, []string{"services.a.fault=refuse", client + "retry.rest=20ms"}},
		{"a closed port behind a gateway", []int{2, 3}, []string{"load.herd.clients=5", "services.b.fault=refuse", a + "retry.rest=20ms"}},
		{"timeouts of attempts, passed down", []int{3}, []string{"services.a.fault=hang", client + "timeout=310ms", client + "retry.rest=20ms"}},
		{"timeouts of attempts, kept working", []int{3}, []string{"services.a.fault=ok+delay=700ms", client + "timeout=310ms", client + "keep_working=true"}},
		{"a timeout in the middle, passed down", []int{2, 3, 3}, []string{"load.herd.clients=10", "services.c.fault=503+delay=60ms", a + "timeout=270ms", client + "retry.rest=31ms", client + "retry.jitter=full"}},
		{"a timeout in the middle, kept working", []int{2, 3, 3}, []string{"load.herd.clients=10", "services.c.fault=503+delay=60ms", a + "timeout=270ms", a + "keep_working=true", client + "retry.rest=31ms", client + "retry.jitter=full"}},
		{"a caller leaves, and nobody tells", []int{1, 3, 3}, []string{"services.c.fault=503+delay=60ms", client + "timeout=310ms", client + "keep_working=true"}},
		{"a hears of it and tells nobody", []int{1, 3, 3}, []string{"services.c.fault=503+delay=60ms", client + "timeout=270ms", a + "keep_working=true"}},
		{"b hears of it and tells nobody", []int{1, 3, 3}, []string{"services.c.fault=503+delay=60ms", client + "timeout=270ms", b + "keep_working=true", b + "retry.rest=7ms"}},
		{"a caller leaves in a rest below", []int{2, 1, 3}, []string{"services.c.fault=503+delay=60ms", client + "timeout=210ms", b + "retry.rest=100ms"}},
		{"work that is done in vain, and twice", []int{2}, []string{"load.herd.clients=10", "services.a.fault=ok+delay=60ms", client + "timeout=50ms", client + "keep_working=true", client + "retry.rest=20ms", client + "retry.jitter=50%"}},
		{"work that is stopped in time", []int{2}, []string{"load.herd.clients=10", "services.a.fault=ok+delay=60ms", client + "timeout=50ms", client + "retry.rest=20ms", client + "retry.jitter=50%"}},
		{"cut in a rest", []int{-1}, []string{client + "retry.rest=100ms", "run.until=950ms"}},
		{"cut in a call", []int{3}, []string{"services.a.fault=503+delay=400ms", "run.until=950ms"}},
		{"cut with a request that hangs", []int{3}, []string{"services.a.fault=hang", "run.until=950ms"}},
		{"posts are not repeated", []int{3}, []string{"load.method=POST", client + "retry.repeatable_only=true"}},
		{"nor are deletions left alone", []int{3}, []string{"load.method=DELETE", client + "retry.repeatable_only=true"}},
	} {
		t.Run(tt.what, func(t *testing.T) { parity(t, chain(t, tt.attempts, tt.settings...)) })
	}
}

// parity wants both engines to say the same of a topology.
func parity(t *testing.T, top topology.Topology) {
	l, s, arrivedLive, arrivedSim := both(t, top)
	if len(arrivedLive) != len(arrivedSim) {
		t.Errorf("hits of all layers: live %d, sim %d", len(arrivedLive), len(arrivedSim))
	}
	for i := range min(len(arrivedLive), len(arrivedSim)) {
		if arrivedLive[i] != arrivedSim[i] {
			t.Errorf("arrival %d: live %+v, sim %+v", i, arrivedLive[i], arrivedSim[i])
			break
		}
	}
	if s.Outcomes.Cancelled > 0 {
		l.Abandoned = s.Abandoned // live takes the end of the run for a caller that leaves
	}
	sameVariant(t, l, s)
}

// sameVariant compares all that is exact in both engines, times included: the
// bubble's clock is as virtual as the simulator's.
func sameVariant(t *testing.T, l, s report.Variant) {
	t.Helper()
	for i := range l.Layers {
		l.Layers[i].Policy, s.Layers[i].Policy = nil, nil
		if !reflect.DeepEqual(l.Layers[i], s.Layers[i]) {
			t.Errorf("layer %s:\nlive %s\nsim  %s", s.Layers[i].Name, inJSON(l.Layers[i]), inJSON(s.Layers[i]))
		}
	}
	for _, field := range []struct {
		what      string
		live, sim any
	}{
		{"requests", l.Requests, s.Requests}, {"hits", l.Hits, s.Hits}, {"effects", l.Effects, s.Effects}, {"elapsed", l.ElapsedMS, s.ElapsedMS},
		{"outcomes", l.Outcomes, s.Outcomes}, {"kinds", l.HitKinds, s.HitKinds}, {"abandoned", l.Abandoned, s.Abandoned},
		{"first wave", l.FirstWave, s.FirstWave}, {"peak", l.Peak, s.Peak}, {"retry peak", l.RetryPeak, s.RetryPeak}, {"peak in 100 ms", l.Peak100MS, s.Peak100MS},
		{"latency", l.LatencyMS, s.LatencyMS}, {"early hits", l.EarlyHits, s.EarlyHits}, {"recovered", l.RecoveredMS, s.RecoveredMS},
	} {
		if field.live != field.sim {
			t.Errorf("%s: live %v, sim %v", field.what, field.live, field.sim)
		}
	}
	if !slices.Equal(l.Bins, s.Bins) || !slices.Equal(l.Waves, s.Waves) || !slices.Equal(l.RetryBins, s.RetryBins) {
		t.Errorf("bins: live %v %v, sim %v %v", l.Bins, l.Waves, s.Bins, s.Waves)
	}
	if !reflect.DeepEqual(l.Routes, s.Routes) {
		t.Errorf("routes:\nlive %s\nsim  %s", inJSON(l.Routes), inJSON(s.Routes))
	}
	if !slices.Equal(l.Goodput, s.Goodput) {
		t.Errorf("goodput: live %v, sim %v", l.Goodput, s.Goodput)
	}
}

func inJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
