package scenarios

import (
	"time"

	"labctl/report"
)

func faults() Scenario {
	const name = "faults"
	t := lab("ok", 1, 3)
	t.Run.Until = time.Minute
	s := Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "Each fault on its own: which of them does a layer try again?",
		Text: `A makes three attempts on B with a timeout of 150 ms each, and B has one fault per
variant. Slow answers, connections that die before or inside the answer, and throttling
are worth another attempt: 3 hits. An answer that is no HTTP is not: the server spoke,
and would say the same again. An outage of 100 ms and a capacity of nothing are seen
as what they answer. Compare the layers: only a retried, so the client sees one
failure in every case.`,
		Topology: with(t, sets(aCall+"timeout", "150ms", aCall+"retry.rest", "20ms")...),
	}
	add := func(variant, fault string, hits int, published any, more ...string) {
		s.Variants = append(s.Variants, Variant{Name: variant, Set: append(sets("services.b.fault", fault), sets(more...)...)})
		s.Figures = append(s.Figures, figure(name, variant, "hits", published, report.Exactly()).expects(hits))
	}
	const verify = "way to verify"
	add("latency", "ok+delay=300ms", 3, verify)
	add("reset", "reset", 3, verify)
	add("throttle", "429+retry-after=1", 3, verify)
	add("invalid", "malformed", 1, verify)
	add("bad-chunk", "badchunk", 1, nil)
	add("reset-inside", "halfreset", 3, nil)
	add("truncated", "truncate", 3, nil)
	add("empty", "close", 3, nil)
	add("slow-body", "slow+over=300ms", 3, nil)
	add("hang", "hang", 3, nil)
	add("outage", "503@0s..30ms,ok", 3, nil)
	add("full", "ok", 3, nil, "services.b.workers", "1", "services.b.queue", "none", "services.b.fault", "hang")
	return s
}
