package scenarios

import (
	"time"

	"labctl/report"
)

func adaptive() Scenario {
	const name = "adaptive"
	t := with(lab("ok", 1), sets(
		"load.rate", "300/s", "load.for", "20s",
		"services.a.workers", "4", "services.a.time", "uniform:10ms..20ms", "services.a.speed", "5s..10s:40%",
		clientCall+"adaptive.target", "60ms")...)
	t.Run.Bin = time.Second
	shorter := sets("load.for", "8s", "services.a.speed", "2s..4s:40%")
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Scaled:  "a load of 8 s, slow from 2 s to 4 s, instead of 20 s",
		Title:   "A limit that follows the latency needs a floor, a ceiling and a slow recovery.",
		Text: `300 requests per second for a service that does 267, and 107 while it is slow, from
5 s to 10 s. guarded lets its limit grow by one per round trip and cuts 10 % off
when answers take over 60 ms, between 4 and 32: it stays near what the service can do.
bare cuts 90 % at once and comes back by leaps: its limit swings between 1 and 51,
more requests are rejected although fewer are answered, and the slowest answers take
half as long again (p95). The limit over time is in the JSON.`,
		Topology: t,
		Variants: []Variant{
			{Name: "guarded", Set: under(clientCall+"adaptive.", "initial", "10", "min", "4", "max", "32", "decrease", "10%", "increase", "1"), Live: shorter},
			{Name: "bare", Set: under(clientCall+"adaptive.", "initial", "10", "min", "1", "decrease", "90%", "increase", "50"), Live: shorter},
		},
		Figures: []Figure{
			figure(name, "guarded", "limit", "needs a min, a max and a slow recovery", report.Between(1, 5)).at("client.adaptive.span"),
			figure(name, "bare", "limit", "it oscillates", report.AtLeast(10)).at("client.adaptive.span"),
		},
	}
}
