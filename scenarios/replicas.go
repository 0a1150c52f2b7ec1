package scenarios

import (
	"slices"

	"labctl/report"
)

func replicas() Scenario {
	const name = "replicas"
	random := sets(clientCall+"balance.law", "random", "load.herd.clients", "10", "load.herd.requests", "1000")
	attempts := func(n string) []string { return []string{clientCall + "retry.attempts", n} }
	hung := sets("services.a.replica.0.fault", "hang", "services.a.fault", "ok+delay=20ms", clientCall+"timeout", "1s", clientCall+"retry.attempts", "2")
	down := sets("services.a.replica.0.fault", "hang", "services.a.replica.1.fault", "hang", clientCall+"timeout", "1s",
		clientCall+"retry.attempts", "3", clientCall+"retry.rest", "100ms", clientCall+"retry.backoff", "exponential")
	quick := sets(clientCall+"timeout", "250ms")
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "One of two replicas is broken: what a retry saves depends on how it chooses.",
		Scaled:  "timeouts of 250 ms instead of 1 s",
		Text: `One of two replicas always fails. Chosen at random for every attempt, it fails
50 %, 25 % and 12.5 % of the requests with 0, 1 and 2 retries: (broken ÷ all)^attempts.
Taken in turn by a single client, one retry always reaches the healthy one. With many
clients at once the turns interleave and some retries meet the broken one again:
round-robin-herd.

A replica that hangs costs more than one that fails: the request takes its timeout
and then the healthy one's time. With all replicas down it takes attempts × timeout and
the rests, for nothing.`,
		Topology: with(lab("ok", 1), sets("services.a.replicas", "2", "services.a.replica.0.fault", "503")...),
		Variants: []Variant{
			{Name: "random-0", Set: random},
			{Name: "random-1", Set: append(slices.Clone(random), sets(attempts("2")...)...)},
			{Name: "random-2", Set: append(slices.Clone(random), sets(attempts("3")...)...)},
			{Name: "round-robin", Set: sets(append(attempts("2"), "load.herd.requests", "1000")...)},
			{Name: "round-robin-herd", Set: sets(append(attempts("2"), "load.herd.clients", "99")...)},
			{Name: "hung", Set: hung, Live: quick},
			{Name: "all-down", Set: down, Live: quick},
		},
		Figures: []Figure{
			figure(name, "random-0", "failed", 50, binomial99(50, 10_000)).at("error_percent"),
			figure(name, "random-1", "failed", 25, binomial99(25, 10_000)).at("error_percent"),
			figure(name, "random-2", "failed", 12.5, binomial99(12.5, 10_000)).at("error_percent"),
			figure(name, "round-robin", "failed", "always saved", report.Exactly()).at("error_percent").expects(0),
			figure(name, "hung", "elapsed_ms", "the timeout and the healthy server's time", report.Exactly()).expects(1_020).
				liveAs(onLive(report.AtLeast(270))),
			figure(name, "all-down", "elapsed_ms", "at least retries × timeout", report.Exactly()).expects(3_300).
				liveAs(onLive(report.AtLeast(1_050))),
		},
	}
}
