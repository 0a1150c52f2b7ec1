package scenarios

import "labctl/report"

const (
	clientCall = "services.client.calls.a."
	aCall      = "services.a.calls.b."
	bCall      = "services.b.calls.c."
)

func deadline() Scenario {
	const name = "deadline"
	checked := func(mode string) []string {
		return []string{aCall + "deadline.limit", "300ms", aCall + "deadline.mode", mode, aCall + "deadline.check", "true",
			bCall + "deadline.mode", mode, bCall + "deadline.check", "true"}
	}
	variant := func(name string, settings ...string) Variant { return Variant{Name: name, Set: sets(settings...)} }
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A deadline ends the work of all layers; a duration that starts anew at every hop does not.",
		Text: `A and B make three attempts each, and every hit on C takes 60 ms and fails: 9
hits, 540 ms. With one absolute deadline of 300 ms, checked before every attempt
in A and in B, the sixth attempt would begin exactly at 300 ms and is not made: 5
hits. A duration of 300 ms that every hop starts anew lets B begin three more:
6 hits, 360 ms, and the more hops, the more it swells.

orphans is what happens without any: A's caller gives up after 270 ms and nobody
tells B; 4 of the 9 hits arrive when nobody waits any more. orphans-cancelled is
the same with cancellation passed down.

Both ways to send a deadline have an error of their own. skew-ahead and
skew-behind: an absolute instant needs clocks that agree, and B's are 200 ms
apart from A's: 2 hits, or 6. queue-remaining: a remaining duration forgets the
time on the way and in queues, here 50 ms in front of each request of B, so the
last hit ends 100 ms after the deadline; queue-absolute is the same by an
absolute one.`,
		Topology: lab("503+delay=60ms", 1, 3, 3),
		Variants: []Variant{
			variant("none"),
			variant("absolute", checked("absolute")...),
			variant("remaining", checked("remaining")...),
			variant("per-hop", checked("per-hop")...),
			variant("orphans", clientCall+"timeout", "270ms", clientCall+"keep_working", "true"),
			variant("orphans-cancelled", clientCall+"timeout", "270ms"),
			variant("skew-ahead", append(checked("absolute"), "services.b.skew", "200ms")...),
			variant("skew-behind", append(checked("absolute"), "services.b.skew", "-200ms")...),
			variant("queue-remaining", append(checked("remaining"), "services.b.fault", "ok+delay=50ms")...),
			variant("queue-absolute", append(checked("absolute"), "services.b.fault", "ok+delay=50ms")...),
		},
		Figures: deadlineFigures(name),
	}
}

func deadlineFigures(name string) []Figure {
	exactly := report.Exactly()
	atLeast := func(ms float64) *LiveValue { return onLive(report.AtLeast(ms)) }
	return []Figure{
		figure(name, "none", "hits", 9, exactly),
		figure(name, "none", "elapsed_ms", 567, exactly).expects(540).liveAs(atLeast(540)),
		figure(name, "absolute", "hits", 5, exactly),
		figure(name, "absolute", "elapsed_ms", 312, exactly).expects(300).liveAs(atLeast(300)),
		figure(name, "per-hop", "hits", "it swells with the hops", exactly).expects(6),
		figure(name, "per-hop", "elapsed_ms", "it swells with the hops", exactly).expects(360).liveAs(atLeast(360)),
		figure(name, "orphans", "orphan_hits", "the layers below keep running", exactly).expects(4),
		figure(name, "orphans-cancelled", "orphan_hits", nil, exactly).expects(0),
		figure(name, "skew-absolute", "hits", nil, exactly).of("skew-ahead", "skew-behind").expects([]int{2, 6}),
		figure(name, "queue-remaining", "hits", nil, exactly).of("queue-remaining", "queue-absolute").expects([]int{5, 4}),
	}
}
