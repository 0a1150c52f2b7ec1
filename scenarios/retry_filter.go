package scenarios

import (
	"time"

	"labctl/report"
	"labctl/topology"
)

func retryFilter() Scenario {
	const name = "retry-filter"
	s := Scenario{
		Name:  name,
		Title: "Retry what may go away by itself; what is wrong with the request stays wrong.",
		Text: `One client with three attempts meets one kind of failure per variant. 502, 503,
504, 408, 425, 429, a timeout, a refused and a reset connection are tried again:
3 hits. 400, 401, 403, 404, 422, 500 and 501 are not: 1 hit. A client that
retries a 422 only pays three times for the same answer.

Hits on a refused port are those that the client's own dials saw, since nothing
behind a closed port can count.`,
		Topology: topology.Topology{
			Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
			Services: topology.Chain(3),
			Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
		},
	}
	fault := func(variant, program string, more ...topology.Setting) {
		s.Variants = append(s.Variants, Variant{Name: variant, Set: append(more, set("services.a.fault", program))})
	}
	for _, status := range []string{"502", "503", "504", "408", "425", "429"} {
		fault(status, status)
	}
	fault("timeout", "hang", set("services.client.calls.a.timeout", "250ms"))
	fault("refused", "refuse")
	fault("reset", "reset")
	for _, status := range []string{"400", "401", "403", "404", "422", "500", "501"} {
		fault(status, status)
	}
	for _, retried := range []string{"502", "503", "timeout", "refused"} {
		s.Figures = append(s.Figures, retryFigure(name, retried, "retried", 3))
	}
	for _, not := range []string{"400", "401", "422", "403", "404"} {
		s.Figures = append(s.Figures, retryFigure(name, not, "not retried", 1))
	}
	return s
}

func retryFigure(scenario, variant, published string, hits int) Figure {
	f := figure(scenario, variant, "hits", published, report.Exactly())
	f.Expected = hits
	return f
}
