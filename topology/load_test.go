package topology_test

import (
	"testing"
	"time"

	"labctl/topology"
)

// What may be asked of clients, and the cure for what not.
func TestLoadIsChecked(t *testing.T) {
	const s = time.Second
	open := func(r topology.Rate) func(*topology.Topology) {
		return func(top *topology.Topology) { top.Load, top.Run.Until = topology.Load{Rate: r}, time.Hour }
	}
	herd := func(h topology.Herd) func(*topology.Topology) {
		return func(top *topology.Topology) { top.Load.Herd = h }
	}
	steps := func(steps ...topology.RateStep) topology.Rate { return topology.Rate{Steps: steps} }
	for _, tt := range []struct {
		what string
		load func(*topology.Topology)
		err  string
	}{
		{"a herd", herd(topology.Herd{Clients: topology.MaxClients, Requests: topology.MaxRequests, Smear: s, Think: topology.Always(s)}), ""},
		{"nobody", herd(topology.Herd{}), "load.herd.clients: 0 would send nothing"},
		{"too many", herd(topology.Herd{Clients: topology.MaxClients + 1}), "load.herd.clients: 1000000001 is over the limit"},
		{"negative requests", herd(topology.Herd{Clients: 1, Requests: -1}), "load.herd.requests: -1"},
		{"too many requests", herd(topology.Herd{Clients: 1, Requests: topology.MaxRequests + 1}), "load.herd.requests: 1000001"},
		{"a negative smear", herd(topology.Herd{Clients: 1, Smear: -1}), "load.herd.smear: -1ns is negative"},
		{"a negative think time", herd(topology.Herd{Clients: 1, Think: topology.Always(-1)}), "load.herd.think: -1ns is negative"},
		{"an unknown method", func(top *topology.Topology) { top.Load.Method = "FETCH" }, `load.method: "FETCH": choose GET`},
		{"a rate", open(steps(topology.RateStep{Milli: topology.MaxRate * 1000})), ""},
		{"an open loop has no clients", open(steps(topology.RateStep{Milli: 1})), ""},
		{"a pause", open(steps(topology.RateStep{Milli: 1}, topology.RateStep{From: s}, topology.RateStep{From: s, Milli: 1})), ""},
		{"steps out of order", open(steps(topology.RateStep{From: s}, topology.RateStep{})), "load.rate: the step at 0s stands after one at 1s"},
		{"a step before the release", open(steps(topology.RateStep{From: -s})), "load.rate: the step at -1s"},
		{"a negative rate", open(steps(topology.RateStep{Milli: -500})), "load.rate: -0.5 requests per second"},
		{"a rate beyond all", open(steps(topology.RateStep{Milli: topology.MaxRate*1000 + 1})), "load.rate: "},
		{"negative workers", open(topology.Rate{Steps: []topology.RateStep{{Milli: 1}}, Workers: -1}), "load.rate.workers: -1"},
		{"instants", open(topology.Rate{At: []time.Duration{0, 0, s}}), ""},
		{"instants and steps", open(topology.Rate{At: []time.Duration{0}, Steps: []topology.RateStep{{Milli: 1}}}), "load.rate: both steps and instants"},
		{"instants out of order", open(topology.Rate{At: []time.Duration{s, 0}}), "load.rate.at: the instants are not in order"},
		{"instants before the release", open(topology.Rate{At: []time.Duration{-s, 0}}), "load.rate.at: -1s is negative"},
		{"instants beyond a year", open(topology.Rate{At: []time.Duration{topology.MaxDuration + 1}}), "load.rate.at: 8760h0m0.000000001s is over the limit"},
		{"a rate without an end", func(top *topology.Topology) { top.Load.Rate.Steps = []topology.RateStep{{Milli: 1}} }, "run.until: arrivals at a rate have no end"},
		{"instants have one of their own", func(top *topology.Topology) { top.Load.Rate.At = []time.Duration{0} }, ""},
	} {
		top := lab()
		tt.load(&top)
		holds(t, tt.what, top.Validate(), tt.err)
	}
}

// A client makes at least one request.
func TestPerClient(t *testing.T) {
	for requests, want := range map[int]int{0: 1, 1: 1, 5: 5} {
		equal(t, "requests", topology.Load{}.PerClient(topology.Herd{Requests: requests}), want)
	}
}
