package scenarios

import (
	"slices"

	"labctl/report"
	"labctl/topology"
)

func bulkhead() Scenario {
	const name = "bulkhead"
	per := sets(clientCall+"pool.per", "route")
	ceiling := slices.Concat(
		under(clientCall+"bulkhead.", "limit", "10", "queue", "none"),
		sets(clientCall+"bulkhead.route", "slow", "load.others.slow.pause", "6.7ms"))
	dead := sets("services.a.routes.slow.fault", "hang", clientCall+"timeout", "3s", clientCall+"timeout.route", "slow")
	// A live run has no need of numbers for what a fast call costs, and a third of
	// the time. The rejected rest longer, since clients and service share a machine.
	scaled := sets("services.a.routes.fast.time", "0s", "load.herd.think", "0s", "services.a.routes.slow.time", "1s", "load.for", "3340ms")
	variant := func(name string, live []topology.Setting, settings ...[]topology.Setting) Variant {
		return Variant{Name: name, Set: slices.Concat(settings...), Live: append(slices.Clone(scaled), live...), Rounds: 3}
	}
	shared := variant("shared", nil)
	shared.Rounds = 1 // its throughput is that of its slow path
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A shared pool lets one slow dependency starve everything, without a single error.",
		Scaled:  "the slow path takes 1 s instead of 3 s and the load lasts 3.34 s instead of 10 s; the fast path costs what this machine takes",
		Text: `50 clients use a fast path and 60 a slow one (3 s), over one pool of 20
connections. Alone, the fast path does tens of thousands of requests per second.
With the slow clients first in the queue, every fast call waits for three rounds
of 3 s: its throughput falls ten thousand times, its p50 is 9 s, and nothing
fails. Watch the pool instead of the error rate: 20 in use, 90 waiting.

separate gives each path a pool of its own: the fast path is untouched, and so
is the slow one. ceiling keeps one pool and lets at most 10 calls onto the slow
path, rejecting the others at once: the fast path is saved as well, and the slow
one pays, 40 calls done instead of 120, and tens of thousands of rejections.
Live, the fast path has ten connections left there, over which two cores do
somewhat less than over twenty. isolated is the slow dependency dead instead of
slow, with a pool of its own: the other keeps its capacity.

The fast clients start 20 ms after the slow ones. In virtual time a fast call is
0.1 ms in the pool and 0.77 ms outside it.`,
		Topology: bulkheadLab(),
		Variants: []Variant{
			variant("alone", nil, sets("load.others.slow.clients", "0")),
			shared,
			variant("separate", nil, per),
			variant("ceiling", sets("load.others.slow.pause", "67ms"), ceiling),
			variant("isolated", sets(clientCall+"timeout", "1s"), per, dead),
		},
		Figures: bulkheadFigures(name),
	}
}

func bulkheadLab() topology.Topology {
	return with(lab("ok", 1), sets(
		"load.herd.route", "fast", "load.herd.clients", "50", "load.herd.start", "20ms", "load.herd.think", "770us",
		"load.others.slow.clients", "60", "load.for", "10s",
		"services.a.routes.fast.time", "100us", "services.a.routes.slow.time", "3s",
		clientCall+"pool.limit", "20")...)
}

func bulkheadFigures(name string) []Figure {
	exactly, atLeast90 := report.Exactly(), report.AtLeast(0.9)
	const machine = "a machine's own throughput: compare it within one run"
	return append(timed(
		figure(name, "separate", "ratio", 1.09, atLeast90).at("fast.rps").ratio("separate", "alone"),
		figure(name, "ceiling", "ratio", 1.02, atLeast90).at("fast.rps").ratio("ceiling", "alone").
			liveAs(onLive(report.AtLeast(0.8))), // on two cores a bare net/http client does 0.86 over 10 connections of what it does over 20
		figure(name, "isolated", "ratio", "the others keep their capacity", atLeast90).at("fast.rps").ratio("isolated", "alone"),
	),
		figure(name, "alone", "rps", 57_225, report.WithinPercent(2)).at("fast.rps").simOnly(machine),
		figure(name, "shared", "rps", 5, report.WithinPercent(10)).at("fast.rps").expects(5.56).
			simOnly("its slow path is three times as fast"),
		figure(name, "shared", "p50_ms", 8_998, report.WithinPercent(1)).at("fast.p50_ms").expects(9_000).
			liveAs(&LiveValue{Expected: 3_000, Tolerance: report.WithinPercent(10)}),
		figure(name, "shared", "errors", 0, exactly).at("fast.errors"),
		figure(name, "shared", "slowdown", 11_000, report.WithinPercent(10)).at("fast.rps").ratio("alone", "shared").
			liveAs(onLive(report.AtLeast(1000*1.0/3))),
		figure(name, "shared", "slow_done", 120, exactly).at("slow.ok"),
		figure(name, "separate", "slow_done", 120, exactly).at("slow.ok"),
		figure(name, "ceiling", "slow_done", 40, exactly).at("slow.ok"),
		figure(name, "ceiling", "rejected", 74_651, report.WithinPercent(1)).at("slow.rejected").
			simOnly("the rejected rest ten times as long"),
		figure(name, "shared", "in_use", "watch the pool's saturation", exactly).at("client.pool.in_use").expects(20),
		figure(name, "shared", "waiting", "watch the pool's saturation", exactly).at("client.pool.waiting").expects(90),
	)
}
