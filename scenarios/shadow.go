package scenarios

import (
	"context"
	"fmt"
	"slices"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/policy"
	"labctl/topology/sim"
)

// maxShadow bounds the hits that a shadow keeps in memory.
const maxShadow = 5_000_000

// withShadow runs a topology live and again in virtual time, with the same seed
// and so with the same luck, and says how far each live arrival at the tail was
// from its ideal instant.
func withShadow(ctx context.Context, t topology.Topology, o live.Options) (report.Variant, []report.Warning, error) {
	tail := len(t.Services) - 2
	var arrived []topology.Arrival
	o.Arrivals = func(a topology.Arrival) {
		if a.Service == tail && len(arrived) <= maxShadow {
			arrived = append(arrived, a)
		}
	}
	v, warnings, err := live.Run(ctx, t, o)
	if err != nil || len(arrived) > maxShadow {
		return v, warnings, err
	}
	ideal := map[policy.Luck]topology.Arrival{}
	shadow, _, err := sim.Run(ctx, t, sim.Options{Arrivals: func(a topology.Arrival) {
		if a.Service == tail {
			ideal[a.Luck] = a
		}
	}})
	if err != nil {
		return v, warnings, live.ErrInterrupted
	}
	d := drift(arrived, ideal)
	v.DriftMS = &d
	return v, append(warnings, driftDoubts(t, v, shadow)...), nil
}

// drift compares the arrivals that both runs have.
func drift(arrived []topology.Arrival, ideal map[policy.Luck]topology.Arrival) report.Drift {
	var late, first []time.Duration
	unmatched := len(ideal)
	extra := 0
	for _, a := range arrived {
		i, ok := ideal[a.Luck]
		if !ok {
			extra++
			continue
		}
		unmatched--
		late = append(late, a.At.Sub(i.At))
		if a.First {
			first = append(first, a.At.Sub(i.At))
		}
	}
	slices.Sort(late)
	slices.Sort(first)
	d := report.Drift{Unmatched: int64(max(unmatched, 0) + extra)}
	if len(late) > 0 {
		d.P50 = report.Milliseconds(late[(len(late)+1)/2-1])
		d.P99 = report.Milliseconds(late[(99*len(late)+99)/100-1])
		d.Max = report.Milliseconds(late[len(late)-1])
	}
	if len(first) > 0 {
		d.FirstWaveSpread = report.Milliseconds(first[len(first)-1] - first[0])
	}
	return d
}

// driftDoubts says when the live run and its shadow are too far apart.
func driftDoubts(t topology.Topology, v, shadow report.Variant) []report.Warning {
	var out []report.Warning
	if d := v.DriftMS; v.Requests > 1 && d.P99 > v.BinMS/2 {
		out = append(out, report.Warning{Code: "drift-over-half-bin", Message: fmt.Sprintf(
			"hits came up to %.1f ms late (p99), over half a bin of %v: the machine, not the policy, shaped this histogram", d.P99, t.Run.Bin)})
	}
	if v.Hits != shadow.Hits {
		out = append(out, report.Warning{Code: "shadow-differs", Message: fmt.Sprintf(
			"%d hits live, %d in virtual time: what happened depended on the machine's time", v.Hits, shadow.Hits)})
	}
	return out
}
