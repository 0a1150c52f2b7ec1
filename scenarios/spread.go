package scenarios

import (
	"time"

	"labctl/report"
)

func spread() Scenario {
	const name = "spread"
	t := with(lab("503", 2), sets("load.herd.clients", "10000", clientCall+"retry.rest", "100ms")...)
	t.Run.Bin = 10 * time.Millisecond
	// 110 ms ± 40 ms is uniform between 70 and 150 ms.
	uniform := sets(clientCall+"retry.rest", "110ms", clientCall+"retry.jitter", "36.3636%")
	fewer := sets("load.herd.clients", "500", "run.bin", "50ms")
	const why = "no machine releases 10 000 clients within 10 ms: the live run has 500, in bins of 50 ms"
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "10 000 requests fail together: a fixed rest brings them back in one bin, jitter in eight.",
		Scaled:  "500 clients in bins of 50 ms",
		Text: `10 000 requests fail at one instant and are tried again once. After a fixed 100 ms
all of them return within one bin of 10 ms. After 70 to 150 ms, uniform, they
return over eight bins, some 1 300 in the fullest.`,
		Topology: t,
		Variants: []Variant{
			{Name: "fixed", Live: fewer},
			{Name: "jitter", Set: uniform, Live: fewer},
		},
		Figures: timed(
			figure(name, "fixed", "peak", "one mass", report.Exactly()).at("retry_peak").expects(10_000).simOnly(why),
			figure(name, "jitter", "peak", "no large mass returns together", report.Within(50)).at("retry_peak").expects(1_300).simOnly(why),
		),
	}
}
