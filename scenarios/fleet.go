package scenarios

import (
	"time"

	"labctl/report"
	"labctl/topology"
)

func fleet() Scenario {
	const name = "fleet"
	t := with(lab("503", 4), sets(
		clientCall+"retry.rest", "1ms",
		clientCall+"budget.law", "finagle", clientCall+"budget.per_client", "true")...)
	t.Run.Bin = time.Second
	split := func(clients, requests, think, smear string) []topology.Setting {
		return sets("load.herd.clients", clients, "load.herd.requests", requests, "load.herd.think", think, "load.herd.smear", smear)
	}
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Beyond:  true,
		Title:   "A retry budget of each client holds a few clients back, and a fleet of them not at all.",
		Text: `1 000 requests per second for 100 s against a service that is down, four attempts
each, and every client has a budget of its own as Finagle and Linkerd have it: 20 % of
its requests, and a floor of ten retries per second so that quiet clients may retry at
all. Ten clients of 100 requests per second stay near the share: 1.3 hits per request.
Split the same load over a thousand or a hundred thousand clients, and each is so quiet
that its floor allows every retry: four hits per request, as if there were no budget.

The floor is per client; what the service sees is the floor times the clients. A budget
protects a service only where its floor is small against the rate of one client, or
where clients share it. Only virtual time has it: --engine sim.`,
		Topology: t,
		Variants: []Variant{
			{Name: "10-clients", Set: split("10", "10000", "10ms", "10ms")},
			{Name: "1000-clients", Set: split("1000", "100", "1s", "1s")},
			{Name: "100000-clients", Set: split("100000", "1", "0s", "100s")},
			{Name: "without-floor", Set: append(split("1000", "100", "1s", "1s"), set(clientCall+"budget.floor", "none"))},
		},
		Figures: []Figure{
			figure(name, "10-clients", "amplification", nil, report.Within(0.03)).expects(1.3).simOnly(fleetLive),
			figure(name, "1000-clients", "amplification", nil, report.Exactly()).expects(4).simOnly(fleetLive),
			figure(name, "100000-clients", "amplification", nil, report.Exactly()).expects(4).simOnly(fleetLive),
			figure(name, "without-floor", "amplification", nil, report.Within(0.03)).expects(1.2).simOnly(fleetLive),
		},
	}
}

const fleetLive = "a live run is one process with one budget: run it with --engine sim"
