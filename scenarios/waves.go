package scenarios

import (
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

func waves() Scenario {
	const name = "waves"
	services := topology.Chain(4)
	services[0].Calls[0].Policies[0].Retry.Rest = policy.Rest{
		Base:    time.Second,
		Backoff: policy.Backoff{Growth: policy.Exponential},
	}
	jitter := set("services.client.calls.a.retry.jitter", "full")
	return Scenario{
		Name:    name,
		CheckBy: "sim",
		Title:   "Exponential backoff alone moves a herd from second to second; only jitter breaks it up.",
		Text: `50 clients fail together and make four attempts, after 1, 2 and 4 s. Without
jitter all 50 come back in the same seconds, 1, 3 and 7 after the release, and
the seconds between are empty: the backoff spreads the waves, not the clients.
With full jitter, uniform between 0 and the backoff, the same 200 hits spread
out, most of them early.

A bin needs a phase. The release is at the start of bin 0 here; a server that
counts by its own clock sees the burst somewhere inside a second. full-jitter-phased
puts it 0.78 s into one (--bin-offset), which is what the published row shows.

A live run takes 7 s per variant; --engine sim is immediate.`,
		Topology: topology.Topology{
			Load:     topology.Load{Herd: topology.Herd{Clients: 50}},
			Services: services,
			Run:      topology.Run{Seed: 1, Bin: time.Second},
		},
		Variants: []Variant{
			{Name: "exponential", Set: []topology.Setting{set("services.client.calls.a.retry.jitter", "none")}, Reference: true},
			{Name: "full-jitter", Set: []topology.Setting{jitter}},
			{Name: "full-jitter-phased", Set: []topology.Setting{jitter, set("run.bin_offset", "780ms")}},
		},
		Figures: append([]Figure{figure(name, "full-jitter", "hits", 200, report.Exactly())}, timed(
			Figure{ID: name + "/exponential.bins", Variants: []string{"exponential"}, Field: "bins",
				Published: "about 50 in seconds 1, 2, 4 and 8, nearly none in 3, 5, 6, 7",
				Expected:  []int64{50, 50, 0, 50, 0, 0, 0, 50}},
			Figure{ID: name + "/full-jitter.bins", Variants: []string{"full-jitter"}, Field: "bins",
				Expected: []float64{113.5, 31.2, 24.0, 12.5, 11.5, 6.3, 1.05}, Tolerance: report.ChiSquare(1)},
			Figure{ID: name + "/full-jitter-phased.bins", Variants: []string{"full-jitter-phased"}, Field: "bins",
				Published: []int64{62, 56, 30, 22, 13, 14, 2, 1},
				Expected:  []float64{61.6, 58.3, 32.0, 19.6, 12.5, 10.6, 4.9, 0.5}, Tolerance: report.ChiSquare(1)},
		)...),
	}
}
