package topology_test

import (
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

func window(from, until time.Duration, percent, to int) topology.Speed {
	return topology.Speed{From: from, Until: until, Percent: percent, To: to}
}

// What a service may be said to be capable of, and the cure for what not.
func TestCapacityIsChecked(t *testing.T) {
	const s = time.Second
	speeds := func(w ...topology.Speed) topology.Capacity { return topology.Capacity{Speed: w} }
	for _, tt := range []struct {
		what string
		c    topology.Capacity
		err  string // part of the message; empty: none
	}{
		{"the zero value", topology.Capacity{}, ""},
		{"the most of everything", topology.Capacity{Workers: topology.MaxWorkers, Replicas: topology.MaxReplicas, Queue: 1 << 40, Drop: topology.DropGone, Skew: topology.MaxDuration}, ""},
		{"no place to wait", topology.Capacity{Workers: 1, Queue: topology.Full}, ""},
		{"a clock that is behind", topology.Capacity{Skew: -topology.MaxDuration}, ""},
		{"negative workers", topology.Capacity{Workers: -1}, "b.workers: -1 is not from 0 (no limit)"},
		{"too many workers", topology.Capacity{Workers: topology.MaxWorkers + 1}, "b.workers: 10000001"},
		{"negative replicas", topology.Capacity{Replicas: -1}, "b.replicas: -1"},
		{"too many replicas", topology.Capacity{Replicas: topology.MaxReplicas + 1}, "b.replicas: 10001"},
		{"a queue of less than none", topology.Capacity{Workers: 1, Queue: -2}, "b.queue: -2 is negative"},
		{"a queue that nobody would wait in", topology.Capacity{Queue: 5}, "b.queue: nobody waits"},
		{"a refusal that nobody would get", topology.Capacity{Queue: topology.Full}, "b.queue: nobody waits"},
		{"a deadline that nobody would look at", topology.Capacity{Drop: topology.DropLate}, "b.drop: nobody waits"},
		{"no rule", topology.Capacity{Workers: 1, Drop: topology.DropLate + 1}, "b.drop: 3 is no rule"},
		{"a clock that is off by more than a year", topology.Capacity{Skew: topology.MaxDuration + 1}, "b.skew"},
		{"and behind", topology.Capacity{Skew: -topology.MaxDuration - 1}, "b.skew"},
		{"a negative service time", topology.Capacity{Time: topology.Always(-1)}, "b.time: -1ns is negative"},
		{"a stall", speeds(window(s, 2*s, 0, 0)), ""},
		{"a slow-down", speeds(window(s, 2*s, 50, 0)), ""},
		{"a ramp down", speeds(window(s, 2*s, 100, 10)), ""},
		{"a ramp up", speeds(window(s, 2*s, 1, 100)), ""},
		{"windows that touch", speeds(window(0, s, 50, 0), window(s, 2*s, 0, 0)), ""},
		{"an empty window", speeds(window(s, s, 50, 0)), "b.speed: the window 1s..1s is empty"},
		{"a window before the release", speeds(window(-s, s, 50, 0)), "b.speed: the window -1s..1s"},
		{"windows that overlap", speeds(window(0, 2*s, 50, 0), window(s, 3*s, 0, 0)), "overlaps: write windows in order"},
		{"a negative speed", speeds(window(0, s, -1, 0)), "b.speed: "},
		{"a speed beyond all", speeds(window(0, s, topology.MaxPercent+1, 0)), "b.speed: 10001%"},
		{"a ramp beyond all", speeds(window(0, s, 1, topology.MaxPercent+1)), "b.speed: 10001%"},
		{"a ramp out of a stall", speeds(window(0, s, 0, 100)), "b.speed: a ramp from 0% never gets going"},
	} {
		top := lab()
		top.Tail().Capacity = tt.c
		holds(t, tt.what, top.Validate(), tt.err)
	}
}

// holds wants an error with a text in it, or none for an empty one.
func holds(t *testing.T, what string, err error, text string) {
	t.Helper()
	if got := message(err); text == "" && got != "" || !strings.Contains(got, text) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, text)
	}
}

// Clients meet where requests wait for each other, or are counted to choose a
// replica.
func TestCoupled(t *testing.T) {
	for _, tt := range []struct {
		what string
		c    topology.Capacity
		want bool
	}{
		{"no limit", topology.Capacity{Time: topology.Always(time.Second)}, false},
		{"a limit of workers", topology.Capacity{Workers: 1}, true},
		{"replicas in turn", topology.Capacity{Replicas: 2}, true},
		{"replicas by what they have to do", topology.Capacity{Replicas: 2, Balance: policy.LeastInFlight}, true},
		{"replicas by luck", topology.Capacity{Replicas: 2, Balance: policy.Random}, false},
		{"one replica", topology.Capacity{Replicas: 1}, false},
		{"a changing speed", topology.Capacity{Speed: []topology.Speed{window(0, 1, 0, 0)}}, false},
	} {
		equal(t, tt.what, tt.c.Coupled(), tt.want)
	}
}
