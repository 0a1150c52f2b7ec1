package scenarios

import "labctl/report"

func pipeline() Scenario {
	const name = "pipeline"
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "Deadline, bulkhead, retry and timeout as one stack, with every branch of it taken.",
		Text: `The pseudo-code of the article as a topology: what is left of the caller's deadline
decides whether A calls its vendor at all; a bulkhead of 10 lets a call wait for 20 ms
at most; a retry makes two attempts, with jitter, each with a timeout of 300 ms or what
is left of the deadline; and what fails is answered by a fallback, marked as degraded.

The vendor is slow for a while and fails now and then, and A itself stands still for
600 ms, so that every branch is taken: answered, answered after a retry, degraded
because too little time was left, because the bulkhead was full, because both attempts
failed.
Look at what the article asks to watch: each layer's share of the time budget, the
amplification, the rejections.`,
		Topology: with(lab("503:10%", 1, 2), sets(
			"load.rate", "100/s", "load.rate.poisson", "true", "load.for", "20s", "run.bin", "1s",
			clientCall+"deadline.limit", "500ms", clientCall+"deadline.mode", "absolute", clientCall+"deadline.enforce", "true",
			"services.a.workers", "40", "services.a.time", "uniform:1ms..5ms", "services.a.speed", "14s..14600ms:0%",
			aCall+"fallback.static", "true",
			aCall+"deadline.mode", "absolute", aCall+"deadline.check", "true", aCall+"deadline.enforce", "true", aCall+"deadline.useful", "50ms",
			aCall+"bulkhead.limit", "10", aCall+"bulkhead.wait", "20ms",
			aCall+"retry.rest", "20ms", aCall+"retry.jitter", "full",
			aCall+"timeout", "300ms",
			"services.b.time", "uniform:40ms..120ms", "services.b.speed", "5s..8s:20%")...),
		Variants: []Variant{{Name: "all"}},
		Figures: []Figure{
			figure(name, "all", "branches", "pseudo-code", report.Exactly()).at("branches").
				expects("answered, retried, degraded, rejected, late, expired, timed out"),
			figure(name, "all", "budget_share", "a signal to watch", report.Between(0.1, 0.25)).at("b.time.budget"),
			figure(name, "all", "amplification", "a signal to watch", report.Between(0.8, 0.95)),
			figure(name, "all", "rejections", "a signal to watch", report.AtLeast(100)).at("a.bulkhead.timed_out"),
		},
	}
}
