package live_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/policy"
)

// asked lets a node answer requests that say how long the release is ago.
func asked(t *testing.T, top topology.Topology, ago ...string) live.Record {
	t.Helper()
	began := time.Now().Add(-time.Minute)
	n, err := live.NewNode(top, "a", live.NodeOptions{Began: began})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	for _, text := range ago {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Labctl-Path", "0.0/client>a#1")
		if text != "" {
			r.Header.Set("Labctl-Since", text)
		}
		n.ServeHTTP(httptest.NewRecorder(), r)
	}
	return n.Record()
}

// Time begins with the first request, and a minute ago if that says so: a window of a
// fault is one after the release, whichever service has it.
func TestReleaseTravels(t *testing.T) {
	top := lab(t, []int{1}, "services.a.fault=503@0s..30s,ok")
	for _, tt := range []struct {
		name   string
		ago    []string
		worked []bool
	}{
		{"at the release", []string{""}, []bool{false}},
		{"later", []string{"40s"}, []bool{true}},
		{"the first one counts", []string{"", "40s"}, []bool{false, false}},
		{"what no clock says", []string{"soon"}, []bool{false}},
		{"a release to come", []string{"-40s"}, []bool{false}},
	} {
		r := asked(t, top, tt.ago...)
		var worked []bool
		for _, h := range r.Hits {
			worked = append(worked, h.Worked)
		}
		same(t, tt.name, worked, tt.worked)
	}
	if r := asked(t, top, "40s"); r.Released > 21*time.Second || r.Hits[0].At < 40*time.Second {
		t.Errorf("released %v after the process began, with a hit at %v", r.Released, r.Hits[0].At)
	}
	if r := asked(t, top); r.Released != 0 {
		t.Errorf("without a request there was a release after %v", r.Released)
	}
}

func TestWhatNodesCannotDo(t *testing.T) {
	for _, tt := range []struct{ set, want string }{
		{"services.b.fault=503", ""},
		{"services.b.fault=refuse", ""},
		{"services.b.replicas=2", "services.b.replicas: a node is one server"},
		{"services.b.drop=gone", "services.b.drop: who left on another host"},
	} {
		top := lab(t, []int{2, 2}, "services.b.workers=1", "services.b.queue=1")
		path, value, _ := strings.Cut(tt.set, "=")
		if err := top.Set(topology.Setting{Path: path, Value: value}); err != nil {
			t.Fatal(err)
		}
		err := live.SupportsNodes(top)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.set, err, tt.want)
		}
	}
}

// A record on another clock has all its instants there, and what is no instant stays.
func TestShift(t *testing.T) {
	record := func(at time.Duration) live.Record {
		i := policy.Instant(at)
		return live.Record{
			Released: 5,
			Hits:     []live.Hit{{At: at, End: at}, {At: at, End: -1}},
			Tries:    []live.Try{{Start: i, End: i}},
			Calls: []live.CallRecord{{
				Took: 5, Left: []live.Departure{{At: at}}, Asked: map[string]policy.Instant{"0.0": i}, Refused: []live.Hit{{At: at, End: at}},
			}},
			Herd: &live.HerdRecord{Requests: []live.Request{{Start: i, Sent: i, End: i}}, Issued: []time.Duration{at}},
		}
	}
	got := record(10)
	got.Shift(7)
	if want := record(17); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
