package topology_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// Layers are named like the columns of a sheet, behind the client.
func TestLayerName(t *testing.T) {
	for i, want := range map[int]string{0: "client", 1: "a", 2: "b", 26: "z", 27: "aa", 28: "ab", 52: "az", 53: "ba", 63: "bk", 702: "zz", 703: "aaa"} {
		equal(t, fmt.Sprintf("layer %d", i), topology.LayerName(i), want)
	}
	seen := map[string]int{}
	for i := range 20_000 {
		name := topology.LayerName(i)
		if before, twice := seen[name]; twice {
			t.Fatalf("layers %d and %d are both %s", before, i, name)
		}
		seen[name] = i
	}
}

// k values build the client, k−1 services and a tail that always fails.
func TestChain(t *testing.T) {
	for _, tt := range []struct {
		attempts []int
		want     string
	}{
		{[]int{3}, "client 3 a | a 503"},
		{[]int{1, 3, 3}, "client 1 a | a 3 b | b 3 c | c 503"},
		{[]int{policy.Unlimited}, "client -1 a | a 503"},
	} {
		var got []string
		for _, s := range topology.Chain(tt.attempts...) {
			text := s.Name
			for _, c := range s.Calls {
				text += fmt.Sprintf(" %d %s", c.Attempts(), c.To)
			}
			got = append(got, strings.TrimSuffix(text+" "+s.Fault, " "))
		}
		equal(t, fmt.Sprint(tt.attempts), strings.Join(got, " | "), tt.want)
	}
}

// A variant is a clone that is changed: the original must not notice.
func TestCloneSharesNothing(t *testing.T) {
	original := func() topology.Topology {
		top := lab()
		top.Services[0].Calls[0].Policies = append(top.Services[0].Calls[0].Policies,
			topology.Policy{Timeout: &policy.TimeoutAfter{Limit: time.Second}})
		return top
	}
	dump := func(t topology.Topology) string {
		text := fmt.Sprintf("%+v %+v\n", t.Load, t.Run)
		for _, s := range t.Services {
			text += s.Name + " " + s.Fault + "\n"
			for _, c := range s.Calls {
				text += "  " + c.To + fmt.Sprint(c.KeepWorking) + "\n"
				for _, p := range c.Policies {
					text += fmt.Sprintf("    %+v %+v\n", p.Retry, p.Timeout)
				}
			}
		}
		return text
	}
	for what, change := range map[string]func(*topology.Topology){
		"a retry":       func(t *topology.Topology) { t.Services[0].Calls[0].Policies[0].Retry.Attempts = 9 },
		"a rest":        func(t *topology.Topology) { t.Services[0].Calls[0].Policies[0].Retry.Rest.Base = time.Hour },
		"a timeout":     func(t *topology.Topology) { t.Services[0].Calls[0].Policies[1].Timeout.Limit = time.Hour },
		"a policy":      func(t *topology.Topology) { t.Services[0].Calls[0].Policies[0] = topology.Policy{} },
		"a call":        func(t *topology.Topology) { t.Services[0].Calls[0].KeepWorking = true },
		"a target":      func(t *topology.Topology) { t.Services[1].Calls[0].To = "z" },
		"a service":     func(t *topology.Topology) { t.Services[2].Fault = "ok" },
		"all services":  func(t *topology.Topology) { clear(t.Services) },
		"the herd":      func(t *topology.Topology) { t.Load.Herd.Clients = 9 },
		"the run's end": func(t *topology.Topology) { t.Run.Until = time.Hour },
	} {
		top := original()
		clone := top.Clone()
		change(&clone)
		equal(t, "after "+what+" of the clone changed, the original", dump(top), dump(original()))
		if dump(clone) == dump(original()) {
			t.Errorf("%s did not change: this row tests nothing", what)
		}
	}
	c := original().Services[0].Calls[0]
	c.Clone().Policies[0].Retry.Attempts = 9
	equal(t, "a call's clone", c.Policies[0].Retry.Attempts, 3)
}

// The worst case is a product, and no product of the lab wraps.
func TestWorstHits(t *testing.T) {
	const million = topology.MaxAttempts
	for _, tt := range []struct {
		what              string
		attempts          []int
		clients, requests int
		want              int64
	}{
		{"one client, three layers of three", []int{3, 3, 3}, 1, 1, 27},
		{"requests multiply like clients", []int{3}, 200, 2, 1200},
		{"no requests said is one", []int{3}, 200, 0, 600},
		{"the largest herd of the largest patience still fits", []int{1}, topology.MaxClients, topology.MaxRequests, 1e15},
		{"beyond 2⁶³ it stays there", []int{million, million, million, million}, 1, 1, math.MaxInt64},
		{"2⁶⁴ does not wrap to 0", []int{1 << 16, 1 << 16, 1 << 16, 1 << 16}, 1, 1, math.MaxInt64},
		{"without a limit", []int{3, policy.Unlimited, 3}, 1, 1, math.MaxInt64},
		{"two layers without a limit are not 1", []int{policy.Unlimited, policy.Unlimited}, 1, 1, math.MaxInt64},
	} {
		top := topology.Topology{Services: topology.Chain(tt.attempts...)}
		top.Load.Herd = topology.Herd{Clients: tt.clients, Requests: tt.requests}
		equal(t, tt.what, top.WorstHits(), tt.want)
	}
}

// A call's stack may hold several retries: they multiply like layers.
func TestCallAttempts(t *testing.T) {
	call := func(attempts ...int) topology.Call {
		var c topology.Call
		for _, n := range attempts {
			c.Policies = append(c.Policies, topology.Policy{Retry: &policy.Retry{Attempts: n}})
		}
		return c
	}
	const million = topology.MaxAttempts
	equal(t, "none", call().Attempts(), 1)
	equal(t, "two", call(3, 4).Attempts(), 12)
	equal(t, "one without a limit", call(3, policy.Unlimited).Attempts(), policy.Unlimited)
	equal(t, "a product that does not wrap", call(million, million, million, million).Attempts(), math.MaxInt)
	equal(t, "the first retry", call(3, 4).Retry().Attempts, 3)
	equal(t, "no retry is one attempt", call().Retry().Attempts, 1)
}
