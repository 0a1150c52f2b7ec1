package scenarios

import "labctl/report"

func workers() Scenario {
	const name = "workers"
	scaled := sets("services.a.routes.slow.time", "1s", "load.for", "3340ms")
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A shared pool of blocking workers is the same trap in another place.",
		Scaled:  "the slow job takes 1 s instead of 2 s and the load lasts 3.34 s instead of 6.67 s",
		Text: `20 workers do a job of 5 ms for 50 clients: 4 000 per second, each waiting 12.5 ms
on the mean. Let 60 clients ask for a job of 2 s from the same workers, and the fast
job falls to 8 per second with a p50 of 6 s, three rounds of the slow one. Four
workers of its own for the slow job give the fast one all of it back.`,
		Topology: with(lab("ok", 1), sets(
			"load.herd.route", "fast", "load.herd.clients", "50", "load.herd.start", "20ms",
			"load.others.slow.clients", "60", "load.for", "6670ms",
			"services.a.workers", "20",
			"services.a.routes.fast.time", "5ms", "services.a.routes.slow.time", "2s")...),
		Variants: []Variant{
			{Name: "alone", Set: sets("load.others.slow.clients", "0"), Live: scaled},
			{Name: "shared", Live: scaled},
			{Name: "separate", Set: sets("services.a.routes.slow.workers", "4"), Live: scaled},
		},
		Figures: workersFigures(name),
	}
}

func workersFigures(name string) []Figure {
	const machine = "a machine's timers are part of it: see the ratio"
	return []Figure{
		figure(name, "alone", "rps", 3_308, report.WithinPercent(1)).at("fast.rps").expects(4_000).simOnly(machine),
		figure(name, "alone", "mean_ms", 15.1, report.WithinPercent(1)).at("fast.mean_ms").expects(12.5).simOnly(machine),
		figure(name, "shared", "rps", 8, report.WithinPercent(5)).at("fast.rps").expects(8.3).
			simOnly("its slow job is twice as fast"),
		figure(name, "shared", "p50_ms", 6_009, report.WithinPercent(1)).at("fast.p50_ms").expects(6_000).
			liveAs(&LiveValue{Expected: 3_000, Tolerance: report.WithinPercent(10)}),
		figure(name, "shared", "slowdown", 413.5, report.WithinPercent(20)).at("fast.rps").ratio("alone", "shared").
			liveAs(onLive(report.AtLeast(100))),
		figure(name, "separate", "ratio", 0.998, report.AtLeast(0.95)).at("fast.rps").ratio("separate", "alone").
			liveAs(onLive(report.AtLeast(0.9))),
	}
}
