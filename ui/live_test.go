package ui

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// begun starts a live run of a state in the process.
func begun(t *testing.T, query string) *liveRuns {
	t.Helper()
	s, err := ParseState(query)
	if err != nil {
		t.Fatal(err)
	}
	r := newLiveRuns(BuiltIn())
	t.Cleanup(r.close)
	if err := r.begin(t.Context(), s, "pipe"); err != nil {
		t.Fatal(err)
	}
	return r
}

// The bins fill as the run goes, and at the end are those of its shadow: in a bubble a
// machine is never late.
func TestLiveRunIsWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := begun(t, "lab=jitter-herd&variant=fixed&clients=20")
		var phases []string
		for range 3 {
			time.Sleep(80 * time.Millisecond)
			synctest.Wait()
			v := r.view()
			phases = append(phases, v.Phase)
			if at := len(phases) - 1; v.Hits != []int64{20, 40, 60}[at] || v.ShadowHits != 60 {
				t.Errorf("look %d: %d hits of %d", at, v.Hits, v.ShadowHits)
			}
		}
		v := r.view()
		if !slices.Equal(phases, []string{"running", "running", "done"}) || !slices.Equal(v.Bins, v.Shadow) {
			t.Errorf("phases %q, bins %v, shadow %v", phases, v.Bins, v.Shadow)
		}
		if want := "60 hits live, 60 in virtual time; half of them came within 0.0 ms of their ideal instant, 99 % within 0.0 ms"; v.Summary != want {
			t.Errorf("summary %q, want %q", v.Summary, want)
		}
	})
}

func TestLiveRunIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := begun(t, "lab=jitter-herd&variant=fixed&clients=20&rest=10s")
		time.Sleep(time.Second)
		if err := r.begin(t.Context(), State{Lab: "jitter-herd"}, "pipe"); !errors.Is(err, errBusy) {
			t.Errorf("a second run: %v", err)
		}
		r.stop()
		r.going.Wait()
		if v := r.view(); v.Phase != "stopped" || v.Hits != 20 {
			t.Errorf("%s with %d hits", v.Phase, v.Hits)
		}
		if err := r.begin(t.Context(), State{Lab: "jitter-herd"}, "pipe"); err != nil {
			t.Errorf("another run afterwards: %v", err)
		}
	})
}

// The end of the page is the end of its run.
func TestCloseStopsTheLiveRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := begun(t, "lab=jitter-herd&variant=fixed&clients=20&rest=10s")
		time.Sleep(time.Second)
		r.close()
		if v := r.view(); v.Phase != "stopped" {
			t.Errorf("phase %s", v.Phase)
		}
		if err := r.begin(t.Context(), State{Lab: "jitter-herd"}, "pipe"); !errors.Is(err, context.Canceled) {
			t.Errorf("a run after the end: %v", err)
		}
	})
}

func TestLiveRefusals(t *testing.T) {
	for _, tt := range []struct{ query, net, want string }{
		{"lab=jitter-herd", "udp", `net: "udp": choose tcp or pipe`},
		{"lab=metastable", "pipe", "it would take 1,500 s, which nobody watches: use shorter rests, or labctl run"},
		{"lab=jitter-herd&clients=20000000", "pipe", "up to 60000000 hits on the tail are over the limit of 50000000 of a live run: use fewer attempts, layers, clients or requests, give the run an end, or use --engine sim"},
		{"lab=tidal", "tcp", `there is no lab "tidal" here: choose one of the list, or start labctl ui with its file`},
	} {
		s, _ := ParseState(tt.query)
		r := newLiveRuns(BuiltIn())
		err := r.begin(t.Context(), s, tt.net)
		r.close()
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s over %s:\n got %v\nwant %s", tt.query, tt.net, err, tt.want)
		}
	}
}
