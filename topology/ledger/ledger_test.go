package ledger_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/ledger"
	"labctl/topology/policy"
)

const ms = policy.Instant(time.Millisecond)

func lab() topology.Topology {
	return topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 2}},
		Services: topology.Chain(1, 3),
		Run:      topology.Run{Bin: 50 * time.Millisecond},
	}
}

// client enters one request with three hits on the tail, the second wave late.
func client(l *ledger.Ledger, late policy.Instant) {
	l.Begun(0)
	l.Sent(0, 1)
	l.Arrive(0, 0, true)
	for n := range 3 {
		l.Sent(1, 1)
		l.Arrive(1, policy.Instant(n)*late, n == 0)
	}
	l.Ended(0, policy.Status(503), 0, 2*late)
}

func TestVariant(t *testing.T) {
	l := ledger.New(lab())
	client(l, 60*ms)
	client(l, 60*ms)
	l.Orphan()
	l.Abandoned()
	l.Effect(1)
	l.Effect(2)
	l.Wasted(1, 4)
	v, warnings := l.Variant("sim")
	if len(warnings) != 0 {
		t.Errorf("warnings: %v", warnings)
	}
	if v.Edges != nil {
		t.Errorf("calls %v of a chain, whose layers say the same", v.Edges)
	}
	for what, pair := range map[string][2]any{
		"requests":      {v.Requests, int64(2)},
		"hits":          {v.Hits, int64(6)},
		"amplification": {v.Amplification, 3.0},
		"bins":          {v.Bins, []int64{2, 2, 2}},
		"first wave":    {v.FirstWave, int64(2)},
		"elapsed":       {v.ElapsedMS, 120.0},
		"failed":        {v.Outcomes.Failed, int64(2)},
		"orphan":        {v.HitKinds.Orphan, int64(1)},
		"duplicate":     {v.HitKinds.Duplicate, int64(1)},
		"effects":       {v.Effects, int64(2)},
		"abandoned":     {v.Abandoned, int64(1)},
		"calls of a":    {v.Layers[1].Attempts, int64(6)},
		"retries of a":  {v.Layers[1].Policy.Retries, 2},
		"rests in vain": {v.Layers[1].WastedRests, int64(4)},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
}

// Books of parts add up to the books of the whole, in any order.
func TestMerge(t *testing.T) {
	whole, one, two := ledger.New(lab()), ledger.New(lab()), ledger.New(lab())
	client(whole, 60*ms)
	client(whole, 90*ms)
	client(one, 90*ms)
	client(two, 60*ms)
	one.Merge(two)
	got, _ := one.Variant("sim")
	want, _ := whole.Variant("sim")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("merged:\n%+v\nwhole:\n%+v", got, want)
	}
}

// Every kind of an outcome has its place in the result.
func TestOutcomes(t *testing.T) {
	l := ledger.New(lab())
	for _, o := range []policy.Outcome{
		policy.Status(200), policy.Status(404), policy.Failed(policy.Reset), policy.Failed(policy.Timeout),
		policy.Failed(policy.Rejected), policy.Failed(policy.Cancelled),
	} {
		l.Begun(0)
		l.Ended(0, o, 0, ms)
	}
	v, warnings := l.Variant("sim")
	if o := v.Outcomes; o.OK != 1 || o.Failed != 2 || o.Timeout != 1 || o.Rejected != 1 || o.Cancelled != 1 {
		t.Errorf("%+v", o)
	}
	if len(warnings) != 1 || warnings[0].Code != "bin-longer-than-run" {
		t.Errorf("a run of 1 ms in bins of 50: %v", warnings)
	}
}

// The layer that is looked at is the one whose hits are binned.
func TestAt(t *testing.T) {
	lab := lab()
	lab.Run.At = "a"
	l := ledger.New(lab)
	client(l, 60*ms)
	if v, _ := l.Variant("sim"); v.At != "a" || !reflect.DeepEqual(v.Bins, []int64{1}) || v.Hits != 3 {
		t.Errorf("at %q: bins %v, %d hits", v.At, v.Bins, v.Hits)
	}
}

// diamond is client → a → {b, c} → d, whose edges are numbered in this order.
func diamond() topology.Topology {
	return topology.Topology{
		Load: topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: []topology.Service{
			{Name: "client", Calls: []topology.Call{{To: "a", Policies: []topology.Policy{{Timeout: &policy.TimeoutAfter{Limit: time.Second}}}}}},
			{Name: "a", Calls: []topology.Call{{To: "b"}, {To: "c", KeepWorking: true}}},
			{Name: "b", Calls: []topology.Call{{To: "d"}}}, {Name: "c", Calls: []topology.Call{{To: "d"}}}, {Name: "d"},
		},
		Run: topology.Run{Bin: 50 * time.Millisecond},
	}
}

// A layer's attempts are those over all of its edges, its requests those of all who
// call it. Its own time is what the attempts at it took without those that it made,
// but never less than nothing, as where it makes several at once.
func TestGraph(t *testing.T) {
	one, two := ledger.New(diamond()), ledger.New(diamond())
	one.Begun(0)
	for i, edge := range []struct{ service, attempts, took int }{{0, 1, 100}, {1, 2, 60}, {2, 3, 50}, {3, 4, 20}, {3, 5, 30}} {
		l := []*ledger.Ledger{one, two}[i%2]
		l.Sent(i, int64(edge.attempts))
		l.Took(i, time.Duration(edge.took)*time.Millisecond)
		for range edge.attempts {
			l.Arrive(edge.service, 0, false)
		}
		l.Note(i, policy.Late)
	}
	one.Ended(0, policy.Status(200), 0, 130*ms)
	one.Merge(two)
	v, _ := one.Variant("sim")
	for i, want := range []struct {
		requests, attempts, late int64
		total, own               float64
	}{{1, 1, 1, 130, 30}, {1, 5, 2, 100, 0}, {2, 4, 1, 60, 40}, {3, 5, 1, 50, 20}, {9, 0, 0, 50, 50}} {
		l := v.Layers[i]
		if l.Requests != want.requests || l.Attempts != want.attempts || l.Late != want.late {
			t.Errorf("%s: %d requests, %d attempts, %d late; want %+v", l.Name, l.Requests, l.Attempts, l.Late, want)
		}
		if l.Time.TotalMS != want.total || l.Time.OwnMS != want.own || l.Time.Budget != want.own/1000 {
			t.Errorf("%s: time %+v, want %+v", l.Name, l.Time, want)
		}
		if (l.Policy == nil) != (want.attempts == 0) || l.Policy != nil && l.Policy.KeepWorking {
			t.Errorf("%s: policy %+v is not that of its first call", l.Name, l.Policy)
		}
	}
	if want := []report.CallEdge{
		{From: "client", To: "a", Requests: 1, Attempts: 1}, {From: "a", To: "b", Requests: 1, Attempts: 2}, {From: "a", To: "c", Requests: 1, Attempts: 3},
		{From: "b", To: "d", Requests: 2, Attempts: 4}, {From: "c", To: "d", Requests: 3, Attempts: 5},
	}; !slices.Equal(v.Edges, want) {
		t.Errorf("calls %v, want %v", v.Edges, want)
	}
}
