package ledger_test

import (
	"testing"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/ledger"
	"labctl/topology/policy"
)

// guarded is a client with these policies on its only call, outermost first.
func guarded(t *testing.T, settings ...string) (topology.Topology, *policy.Edge) {
	t.Helper()
	top := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: topology.Chain(1),
		Run:      topology.Run{Bin: time.Second},
	}
	for i := 0; i < len(settings); i += 2 {
		if err := top.Set(topology.Setting{Path: settings[i], Value: settings[i+1]}); err != nil {
			t.Fatal(err)
		}
	}
	return top, policy.NewEdge(1, top.Services[0].Calls[0].Stack(&top), true)
}

const onA = "services.client.calls.a."

// layer is what the client's layer says after its edge was watched.
func watched(top topology.Topology, e *policy.Edge, at time.Duration, idle bool) report.Layer {
	l := ledger.New(top)
	l.Watch(0, e.Stack(), policy.Instant(at), idle)
	v, _ := l.Variant("sim")
	return v.Layers[0]
}

// A half-open breaker whose probe does not come back is stuck, and said to be (case
// A07); one whose probe has a timeout is not, nor is one whose probe has just gone.
func TestStuckBreaker(t *testing.T) {
	opens := []string{onA + "breaker.failures", "1", onA + "breaker.open_for", "1s", onA + "breaker.permits", "1"}
	for _, tt := range []struct {
		sentence     string
		settings     []string
		at           time.Duration
		status, note string
	}{
		{"after 3.6 s", opens, 5 * time.Second, "stuck half-open", "1 probe in flight for 3.6s: give the call a timeout"},
		{"after a moment", opens, 1500 * time.Millisecond, "half-open", ""},
		{"it has a timeout", append([]string{onA + "timeout", "10s"}, opens...), 5 * time.Second, "half-open", ""},
	} {
		top, e := guarded(t, tt.settings...)
		start := func(at time.Duration) policy.Ref {
			_, actions := e.Start(policy.Request{}, policy.Instant(at), nil)
			for _, a := range actions {
				if a.Kind == policy.Send {
					return a.Ref
				}
			}
			return policy.Ref{}
		}
		e.Done(start(0), policy.Status(503), 0, nil)
		start(1400 * time.Millisecond) // the probe, for ever
		b := watched(top, e, tt.at, false).Breaker
		if b.Status != tt.status || b.Note != tt.note || b.Opened != 1 || b.Probes != 1 {
			t.Errorf("%s: %+v, want %q, %q", tt.sentence, b, tt.status, tt.note)
		}
	}
}

// A place that is taken when nothing runs any more is a leak (case A08); while a
// call runs it is in use.
func TestLeak(t *testing.T) {
	top, e := guarded(t, onA+"bulkhead.limit", "8")
	e.Start(policy.Request{}, 0, nil)
	if b := watched(top, e, 0, false).Bulkhead; b.InUse != 1 || b.Leaked != 0 || b.Admitted != 1 {
		t.Errorf("while it runs: %+v", b)
	}
	if b := watched(top, e, 0, true).Bulkhead; b.Leaked != 1 {
		t.Errorf("when nothing runs: %+v", b)
	}
}

// The layers' own times, their shares, and the client's budget: 100 ms of its 500
// are spent in front of a, 300 in a.
func TestTimes(t *testing.T) {
	top, _ := guarded(t, onA+"timeout", "500ms", onA+"policies", "timeout,retry")
	l := ledger.New(top)
	l.Begun(0)
	l.Took(0, 300*time.Millisecond)
	l.Ended(0, policy.Status(200), 0, policy.Instant(400*time.Millisecond))
	v, _ := l.Variant("sim")
	for i, want := range []report.TimeShare{
		{TotalMS: 400, OwnMS: 100, Share: 0.25, Budget: 0.2},
		{TotalMS: 300, OwnMS: 300, Share: 0.75, Budget: 0.6},
	} {
		if got := *v.Layers[i].Time; got != want {
			t.Errorf("%s: %+v, want %+v", v.Layers[i].Name, got, want)
		}
	}
}

// Only good answers while the load lasts count for a rate, and a service has
// recovered from the first bin on of which 4 of 10 requests were answered well.
func TestRatesAndRecovery(t *testing.T) {
	top, _ := guarded(t, "load.for", "4s")
	l := ledger.New(top)
	end := func(from, at time.Duration, status int) {
		l.Begun(0)
		l.Ended(0, policy.Status(status), policy.Instant(from), policy.Instant(at))
	}
	const s = time.Second
	end(0, s/2, 200)
	end(s, s, 503)
	end(2*s, 2*s+s/2, 200)
	end(2*s, 2*s, 503)
	end(3*s, 3*s+s/2, 200)
	end(3*s, 5*s, 200) // too late to count
	v, _ := l.Variant("sim")
	r := v.Routes[0]
	if r.Done != 3 || r.RPS != 3/3.5 || r.MeanMS != 500 || r.Outcomes.OK != 4 || r.Outcomes.Failed != 2 {
		t.Errorf("route: %+v", r)
	}
	if v.RecoveredMS != 2000 {
		t.Errorf("recovered at %v ms, goodput %v", v.RecoveredMS, v.Goodput)
	}
	end(3*s, 3*s, 503)
	end(3*s, 3*s, 503)
	end(3*s, 3*s, 503)
	end(3*s, 3*s, 503)
	if v, _ := l.Variant("sim"); v.RecoveredMS != -1 {
		t.Errorf("2 of 6 good answers at the end are no recovery, but %v", v.RecoveredMS)
	}
}
