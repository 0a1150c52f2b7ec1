package scenarios

import (
	"slices"
	"time"

	"labctl/report"
)

func recovery() Scenario {
	const name = "recovery"
	t := with(lab("ok", 2), sets(
		"load.rate", "30/s", "load.for", "60s",
		"services.a.workers", "1", "services.a.time", "25ms", "services.a.speed", "5s..10s:0%,10s..120s:50%",
		clientCall+"timeout", "200ms", clientCall+"keep_working", "true")...)
	t.Run.Bin = time.Second
	breaker := func(permits string) []string {
		return []string{clientCall + "breaker.failures", "5", clientCall + "breaker.open_for", "1s",
			clientCall + "breaker.permits", permits, clientCall + "breaker.successes", "10000"}
	}
	scaled := sets("load.for", "12s", "services.a.speed", "2s..3s:0%,3s..120s:50%")
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A vendor that is half recovered: how many probes bring it back, and how many knock it over again?",
		Scaled:  "a load of 12 s with an outage of 1 s, instead of 60 s with one of 5 s",
		Text: `A vendor that does 40 calls per second gets 30, stands still for 5 s, and then
comes back at half its speed: 20 per second, less than what is asked of it. Calls that
time out after 200 ms go on at the vendor all the same.

The breaker stays half-open for long: it wants 10 000 good probes before it trusts the
vendor again. With one probe at a time (limit-1) it hands the vendor one call after
the other, each in time: half of the requests are answered. With ten at once
(limit-10) the probes queue behind each other until some come too late, the breaker
opens, and the vendor is knocked over again and again. (One good probe that closes it
is no better: all requests at once are more than ten.) Without a breaker (unlimited) the
backlog never shrinks and two attempts each feed it: nothing is answered in time, for
ever.`,
		Topology: t,
		Variants: []Variant{
			{Name: "limit-1", Set: sets(breaker("1")...), Live: slices.Clone(scaled)},
			{Name: "limit-10", Set: sets(breaker("10")...), Live: slices.Clone(scaled)},
			{Name: "unlimited", Live: slices.Clone(scaled)},
		},
		Figures: []Figure{
			figure(name, "limit-1", "recovered", "risk", report.Between(0, 20_000)).at("recovered_ms").liveAs(onLive(report.Between(0, 10_000))),
			figure(name, "limit-10", "recovered", "knocked over again", report.Exactly()).expects(-1).at("recovered_ms"),
			figure(name, "unlimited", "recovered", "knocked over again", report.Exactly()).expects(-1).at("recovered_ms"),
		},
	}
}
