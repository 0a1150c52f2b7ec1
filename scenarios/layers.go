package scenarios

import (
	"time"

	"labctl/report"
	"labctl/topology"
)

func layers() Scenario {
	const name = "layers"
	s := Scenario{
		Name:  name,
		Title: "Send one request, read the tail's counter, and learn how many layers retry.",
		Text: `One request goes through a system that you do not know, to a tail that always
fails and counts. 1 hit: no layer retries. 3: one layer of three. 9: two. 27:
three. Other counts are products of other settings: --count 12 lists every way
to explain 12 hits, the most likely first.

A count is a reading and not a proof: 9 may also be one layer of nine attempts,
and a timeout or a breaker on the way cuts a product short.`,
		Topology: topology.Topology{
			Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
			Services: topology.Chain(1, 1, 1),
			Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
		},
		Readings: true,
	}
	const (
		client = "services.client.calls.a.retry.attempts"
		a      = "services.a.calls.b.retry.attempts"
		b      = "services.b.calls.c.retry.attempts"
	)
	for retrying, v := range []struct {
		hits, published string
		paths           []string
	}{
		{"1", "no layer", nil},
		{"3", "one layer", []string{b}},
		{"9", "two layers", []string{a, b}},
		{"27", "three layers", []string{client, a, b}},
	} {
		variant := Variant{Name: v.hits}
		for _, path := range v.paths {
			variant.Set = append(variant.Set, set(path, "3"))
		}
		f := figure(name, v.hits, "reading", v.published, report.Exactly())
		f.Expected = retrying
		s.Variants, s.Figures = append(s.Variants, variant), append(s.Figures, f)
	}
	return s
}
