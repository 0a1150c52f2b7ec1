package node_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/node"
	"labctl/topology/policy"
)

// tail is what a tail saw of n clients' first requests, one after the other each so
// long after the other, from its release on.
func tail(n int, every time.Duration) node.Found {
	r := node.Result{Lab: labID, Process: "tail", Record: live.Record{Service: "a", Released: 10 * time.Second}}
	for i := range n {
		at := time.Duration(i) * every
		r.Record.Hits = append(r.Record.Hits, live.Hit{At: at, End: at, Path: policy.ExtendPath(policy.RootPath(uint64(i), 0), "client", "a", 1)})
	}
	return node.Found{Source: node.Source{Service: "a"}, Result: &r, Offset: &node.Offset{}}
}

func herd(first, clients int, release node.Release) node.Found {
	r := node.Result{Lab: labID, Process: "herd", Release: &release, Record: live.Record{
		Service: "client", Released: time.Second,
		Calls: []live.CallRecord{{To: "a", Sent: int64(clients), Notes: make([]int64, policy.Notes)}},
		Herd:  &live.HerdRecord{First: first, Clients: clients},
	}}
	for i := range clients {
		r.Record.Herd.Requests = append(r.Record.Herd.Requests, live.Request{Client: uint64(first + i), Outcome: policy.Status(200), End: 200e6, Wave: true})
	}
	return node.Found{Source: node.Source{Service: "client", Left: &r}, Result: &r}
}

func single(t *testing.T, clients int) topology.Topology {
	top := chain(t, clients, 1)
	top.Services[1].Fault, top.Run.Bin = "", 100*msec
	return top
}

// What may be doubted about the clocks and the release is said.
func TestDoubtsAboutHosts(t *testing.T) {
	exact := node.Release{Tail: "tail", Agreed: 10 * time.Second, Offset: node.Offset{Ahead: 9 * time.Second, Bound: msec}}
	with := func(change func(*node.Release)) node.Release {
		r := exact
		change(&r)
		return r
	}
	for _, tt := range []struct {
		name    string
		found   []node.Found
		code    string // empty: nothing is said
		says    string
		partial bool
	}{
		{"all is well", []node.Found{tail(4, 0), herd(0, 4, exact)}, "", "", false},
		{"two herds", []node.Found{tail(4, 0), herd(2, 2, exact), herd(0, 2, exact)}, "", "", false},
		{"a herd that is missing", []node.Found{tail(4, 0), herd(0, 2, exact)}, "herd-missing", "clients 2–3 are in no result of a herd", true},
		{"no herd", []node.Found{tail(4, 0)}, "no-release", "bins begin with the first request", true},
		{"a clock that is not known well", []node.Found{tail(4, 0), herd(0, 4, with(func(r *node.Release) { r.Offset.Bound = 30 * msec }))},
			"clock-unsure", "the clock of herd 0–3 is known to ±30.0 ms only, which is not small against a bin of 100ms", false},
		{"a herd that was late", []node.Found{tail(4, 0), herd(0, 4, with(func(r *node.Release) { r.Late = 40 * msec }))},
			"herd-late", "herd 0–3 was let go 40.0 ms later than agreed", false},
		{"a clock that jumped", []node.Found{tail(4, 0), herd(0, 4, with(func(r *node.Release) { r.After = &node.Offset{Ahead: 9*time.Second + 7*msec, Bound: msec} }))},
			"clock-moved", "moved by 7.0 ms", false},
		{"herds that agreed on nothing", []node.Found{tail(4, 0), herd(0, 2, exact), herd(2, 2, with(func(r *node.Release) { r.Agreed += time.Second }))},
			"releases-differ", "the herds were to begin 1s apart", false},
		{"another tail", []node.Found{tail(4, 0), herd(0, 4, with(func(r *node.Release) { r.Tail = "before" }))},
			"tail-restarted", "herd 0–3 was released against another process of a", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, said, err := merge(t, single(t, 4), tt.found)
			equal(t, "partial", errors.Is(err, live.ErrInterrupted), tt.partial)
			if !strings.Contains(said[tt.code], tt.says) || tt.code == "" && len(said) > 0 {
				t.Errorf("said %q", said)
			}
			equal(t, "hits", v.Hits, 4)
			equal(t, "requests", v.Requests, 4)
		})
	}
}

// Bins begin at the release that was agreed, and not with the first hit.
func TestBinsBeginAtTheAgreedRelease(t *testing.T) {
	release := node.Release{Tail: "tail", Agreed: 10*time.Second - 250*msec, Offset: node.Offset{Bound: msec}, Late: 5 * msec}
	v, _, err := merge(t, single(t, 4), []node.Found{tail(4, 100*msec), herd(0, 4, release)})
	if err != nil {
		t.Fatal(err)
	}
	want := []int64{0, 0, 1, 1, 1, 1}
	if len(v.Bins) != len(want) {
		t.Fatalf("bins %v, want %v", v.Bins, want)
	}
	for i := range want {
		equal(t, "bin", v.Bins[i], want[i])
	}
	equal(t, "elapsed", v.ElapsedMS, 205.0)
}

// What cannot be of one run is no result.
func TestResultsOfDifferentRuns(t *testing.T) {
	other := tail(4, 0)
	other.Result.Lab = "another"
	release := node.Release{Tail: "tail", Agreed: 10 * time.Second}
	for _, tt := range []struct {
		name  string
		found []node.Found
		want  string
	}{
		{"another file", []node.Found{other}, "a ran another file"},
		{"twice", []node.Found{tail(4, 0), tail(4, 0)}, "a stands twice"},
		{"the same clients", []node.Found{tail(4, 0), herd(0, 3, release), herd(2, 2, release)}, "two herds have client 2"},
	} {
		_, _, err := merge(t, single(t, 4), tt.found)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A pause of a process is part of what happened.
func TestPausesAreSaid(t *testing.T) {
	f := tail(1, 0)
	f.Result.Pauses = []node.Pause{{At: 11 * time.Second, For: 3 * time.Second}}
	release := node.Release{Tail: "tail", Agreed: 10 * time.Second}
	_, said, err := merge(t, single(t, 1), []node.Found{f, herd(0, 1, release)})
	if want := "a stood still for 3.0 s, from 1.0 s after the release on"; err != nil || !strings.Contains(said["paused"], want) {
		t.Errorf("%v, %q", err, said)
	}
}

// Attempts that were stopped may not have arrived, and others must have.
func TestStoppedAttempts(t *testing.T) {
	release := node.Release{Tail: "tail", Agreed: 10 * time.Second}
	for stopped, want := range map[int64]bool{0: true, 1: true, 2: false} {
		h := herd(0, 4, release)
		h.Result.Record.Calls[0].Stopped = stopped
		_, said, err := merge(t, single(t, 4), []node.Found{tail(2, 0), h})
		if warned := said["hits-differ-from-attempts"] != ""; err != nil || warned != want {
			t.Errorf("%d of 2 stopped: %v, %v", stopped, said, err)
		}
	}
}
