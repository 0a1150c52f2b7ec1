package scenarios

import (
	"slices"

	"labctl/report"
)

func idempotent() Scenario {
	const name = "idempotency"
	key := sets("load.key", "true", "services.a.idempotency", "store-after")
	race := func(mode string) []string {
		return []string{"load.key", "true", "services.a.idempotency", mode, "services.a.fault", "ok+delay=300ms",
			clientCall + "timeout", "110ms", clientCall + "retry.on", "timeout,409", clientCall + "keep_working", "true"}
	}
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "A retried POST whose answer was lost does the work again, unless a key tells the server.",
		Text: `A POST creates an order, the answer is lost, and the client tries three times.
Without an idempotency key: three orders. With one, the server does the work once
and replays the stored answer: 3 hits, 1 effect. Count effects, not hits.

A key alone does not help while the first request is still running. The handler
takes 300 ms and the client gives up after 110 ms and tries again, which stops
nothing. A server that looks the key up, works, and stores the answer after
(race-store-after) finds nothing and works three times. One that reserves the key
first works once: race-reserve-first answers 409 meanwhile, and the client, told to
retry on that at once, is through with its attempts before the work is done and
fails. race-reserve-and-wait lets the later requests wait for the first one's
answer, and the third attempt gets it.`,
		Topology: with(lab("lost", 3), sets("load.method", "POST")...),
		Variants: []Variant{
			{Name: "without-key"},
			{Name: "with-key", Set: key},
			{Name: "race-store-after", Set: sets(race("store-after")...)},
			{Name: "race-reserve-first", Set: sets(race("reserve-first")...)},
			{Name: "race-reserve-and-wait", Set: sets(race("reserve-and-wait")...)},
		},
		Figures: slices.Concat([]Figure{
			figure(name, "without-key", "effects", "three orders", report.Exactly()).expects(3),
			figure(name, "with-key", "effects", "one", report.Exactly()).expects(1),
		}, []Figure{
			figure(name, "race-store-after", "effects", nil, report.Exactly()).expects(3),
			figure(name, "race-reserve-first", "effects", nil, report.Exactly()).expects(1),
			figure(name, "race-reserve-and-wait", "effects", nil, report.Exactly()).expects(1),
			figure(name, "race-reserve-and-wait", "ok", nil, report.Exactly()).expects(1),
		}),
	}
}
