package scenarios

import (
	"slices"

	"labctl/report"
)

func failover() Scenario {
	const name = "failover"
	dead := sets("services.a.replica.0.fault", "refuse")
	// A fiftieth of the rate: no laptop serves 15 000 requests per second.
	scaled := sets("load.rate", "300/s", "services.a.time", "5ms", "load.for", "3s")
	variant := func(name string, settings ...[]string) Variant {
		return Variant{Name: name, Set: sets(slices.Concat(settings...)...), Live: scaled}
	}
	die := []string{dead[0].Path, dead[0].Value}
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "When one of two servers dies, the other gets all the load, and may fall as well.",
		Scaled:  "300 requests per second instead of 15 000, and servers of 200 instead of 10 000",
		Text: `Two servers of 10 000 requests per second share 15 000. One dies, and what fails
there is tried on the other: 15 000 on a server of 10 000. Its queue grows without
end, every answer comes after the client's 100 ms are over, and the goodput falls far
below what it could still do. With a bounded queue it sheds what it cannot do in time
and serves close to its capacity. Failover needs spare capacity or shedding.`,
		Topology: with(lab("ok", 2), sets("services.a.replicas", "2", "services.a.workers", "1", "services.a.time", "100us",
			"load.rate", "15000/s", "load.for", "3s", clientCall+"timeout", "100ms", clientCall+"balance.failover", "true",
			clientCall+"retry.on", "refused,reset", clientCall+"keep_working", "true")...),
		Variants: []Variant{
			variant("before"),
			variant("survivor", die),
			variant("shedding", die, []string{"services.a.queue", "8"}),
		},
		Figures: []Figure{
			figure(name, "before", "goodput", nil, report.AtLeast(0.99)).at("ok_share"),
			figure(name, "survivor", "offered_rps", 15_000, report.WithinPercent(1)).at("a.replica_rps_1").
				liveAs(&LiveValue{Expected: 300, Tolerance: report.WithinPercent(10)}),
			figure(name, "survivor", "goodput", "it falls too", report.Between(0, 0.5)).at("ok_share"),
			figure(name, "shedding", "goodput", nil, report.Between(0.6, 0.68)).at("ok_share").liveAs(onLive(report.Between(0.5, 0.68))),
		},
	}
}
