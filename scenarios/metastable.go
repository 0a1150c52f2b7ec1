package scenarios

import (
	"slices"
	"time"

	"labctl/report"
	"labctl/topology"
)

func metastable() Scenario {
	const name = "metastable"
	one := sets(clientCall+"retry.attempts", "1")
	rate := func(perSecond string) []topology.Setting { return sets("load.rate", perSecond+"/s") }
	budget := func(ratio string) []topology.Setting {
		return under(clientCall+"budget.", "law", "finagle", "ratio", ratio, "floor", "none")
	}
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Beyond:  true,
		Title:   "A cut of ten seconds ends, and the outage does not: retries keep it alive.",
		Text: `A database serves 300 queries per second and gets 280; its callers wait for 1 s and
try once again. It stands still for 10 s. Without retries it works off what has piled
up and heals by itself, 125 s after the cut ends. With one retry 560 per second are
offered for ever: everything is answered too late, goodput stays at zero, and only a
large cut of the load, or a budget, ends it.

safe-149 and unsafe-150 are the threshold: what a service survives is its capacity
divided by the attempts, 300 / 2 = 150. A retry budget must be below 300/280 − 1 =
7.14 %: 5 % recovers, minutes later, and the popular 10 % does not. A database that
passes over what has timed out already (drop-gone) is no help; one that is told of the
timeout and passes over what it cannot do in time (drop-late) is well at once. backoff
alone changes nothing: it moves the retries and makes them no fewer. A breaker that
leaves the database alone for 30 s heals it.

hysteresis raises the load step by step, to 320 for 20 s, and lowers it again: 280 and
200 per second, which were served on the way up, are an outage on the way down.

The last four are the same on a laptop, after "Metastable Failures in the Wild" (OSDI
2022): capacity 100, load 40, a timeout of 3.3 s and four attempts. 10 s at 22 % of the
speed heal, 10 s at 20 % stick, 9 s at 20 % heal, and so do 10 s at 20 % with 30 % less
load.

Recovered is the first bin of 5 s from which on 4 of 10 requests are answered well.
A live run would take minutes per variant: use --engine sim.`,
		Topology: metastableLab(),
		Variants: []Variant{
			{Name: "no-retry", Set: one},
			{Name: "one-retry"},
			{Name: "safe-149", Set: rate("149")},
			{Name: "unsafe-150", Set: rate("150")},
			{Name: "budget-5", Set: budget("5%")},
			{Name: "budget-10", Set: budget("10%")},
			{Name: "drop-gone", Set: sets("services.a.drop", "gone")},
			{Name: "drop-late", Set: sets("services.a.drop", "late", clientCall+"timeout.mode", "remaining")},
			{Name: "backoff", Set: under(clientCall+"retry.", "rest", "10s", "jitter", "full")},
			{Name: "breaker", Set: under(clientCall+"breaker.", "rate", "50%", "window", "10s", "open_for", "30s", "permits", "1")},
			// The same 280 per second is served on the way up and is an outage on the way down.
			{Name: "hysteresis", Set: sets("load.rate", "100/s,30s:200/s,60s:280/s,90s:320/s,110s:280/s,170s:200/s,270s:100/s",
				"load.for", "900s", "run.until", "900s", "services.a.speed", "0s..1s:100%")},
			{Name: "load-cut", Set: sets("load.rate", "280/s,300s:100/s")},
			{Name: "osdi-78-10s", Set: laptop("40", "30s..40s:22%")},
			{Name: "osdi-80-10s", Set: laptop("40", "30s..40s:20%")},
			{Name: "osdi-80-9s", Set: laptop("40", "30s..39s:20%")},
			{Name: "osdi-80-less-load", Set: laptop("28", "30s..40s:20%")},
		},
		Figures: metastableFigures(name),
	}
}

func metastableLab() topology.Topology {
	t := with(lab("ok", 2), sets(
		"load.rate", "280/s", "load.for", "1500s",
		"services.a.workers", "1", "services.a.time", "3333333ns", "services.a.speed", "30s..40s:0%",
		clientCall+"timeout", "1s", clientCall+"keep_working", "true")...)
	t.Run.Bin, t.Run.Until = 5*time.Second, 1500*time.Second
	return t
}

// laptop is the set of parameters that gives the four outcomes of the paper's retry
// section.
func laptop(rate, speed string) []topology.Setting {
	return slices.Concat(sets("load.rate", rate+"/s", "load.for", "600s", "run.until", "600s",
		"services.a.time", "10ms", "services.a.speed", speed,
		clientCall+"timeout", "3300ms", clientCall+"retry.attempts", "4"))
}

func metastableFigures(name string) []Figure {
	never := func(variant string, published any) Figure {
		return figure(name, variant, "recovered_ms", published, report.Exactly()).expects(-1).simOnly(longLive)
	}
	heals := func(variant string, from, to float64, published any) Figure {
		return figure(name, variant, "recovered_ms", published, report.Between(from, to)).simOnly(longLive)
	}
	return []Figure{
		heals("no-retry", 160_000, 170_000, "heals by itself"),
		never("one-retry", "only a big load cut ends it"),
		figure(name, "one-retry", "amplification", 2, report.Within(0.05)).simOnly(longLive),
		heals("safe-149", 1_000_000, 1_310_000, "capacity ÷ attempts is safe"),
		never("unsafe-150", "capacity ÷ attempts is safe"),
		heals("budget-5", 60_000, 900_000, nil),
		never("budget-10", nil),
		never("drop-gone", nil),
		heals("drop-late", 39_000, 45_000, nil),
		never("backoff", nil),
		heals("breaker", 40_000, 120_000, nil),
		heals("hysteresis", 400_000, 700_000, nil),
		heals("load-cut", 300_000, 1_030_000, "a big load cut ends it"),
		heals("osdi-78-10s", 0, 120_000, "recovers"),
		never("osdi-80-10s", "stays down"),
		heals("osdi-80-9s", 0, 120_000, "recovers"),
		heals("osdi-80-less-load", 0, 120_000, "recovers"),
	}
}

const longLive = "a live run of it takes minutes: run it with --engine sim"
