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

// withShadow runs a topology in virtual time and live, with the same seed and so
// with the same luck, and says how far each live arrival at the tail was from
// its ideal instant. The shadow goes first: it also knows how long the live run
// will take.
func withShadow(ctx context.Context, t topology.Topology, o live.Options, p Progress, run LiveRun) (report.Variant, []report.Warning, error) {
	tail := len(t.Services) - 2
	var arrived []topology.Arrival
	o.Arrivals = func(a topology.Arrival) {
		if a.Service == tail {
			arrived = append(arrived, a)
		}
	}
	ideal, shadow, err := castShadow(ctx, t, tail)
	if err != nil { // interrupted: the live run says what there is to say
		ideal = nil
	}
	done := watchTime(shadow.ElapsedMS, p)
	v, warnings, err := run(ctx, t, o)
	done()
	if err != nil || ideal == nil {
		return v, warnings, err
	}
	d := drift(arrived, ideal)
	v.DriftMS, v.IdealBins = &d, shadow.Bins
	return v, append(warnings, driftDoubts(t, v, shadow)...), nil
}

// castShadow is the run in virtual time. Of one with too many hits to keep only
// the sums are returned.
func castShadow(ctx context.Context, t topology.Topology, tail int) (map[policy.Luck]topology.Arrival, report.Variant, error) {
	if _, is := t.Timeless(); is {
		return nil, report.Variant{}, nil // only the machine's time ends it
	}
	ideal := map[policy.Luck]topology.Arrival{}
	o := sim.Options{Arrivals: func(a topology.Arrival) {
		if a.Service == tail {
			ideal[a.Luck] = a
		}
	}}
	if hits := t.WorstHits(); hits > maxShadow && t.Run.Until == 0 {
		ideal, o.Arrivals = nil, nil
	}
	v, _, err := sim.Run(ctx, t, o)
	return ideal, v, err
}

// watchTime tells of the time of a live run against the time that virtual time
// says it takes, until the returned function is called.
func watchTime(expectedMS float64, p Progress) (done func()) {
	if p == nil {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	begun := time.Now()
	go func() {
		defer close(stopped)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p(time.Since(begun).Milliseconds(), max(int64(expectedMS), 1))
			case <-stop:
				return
			}
		}
	}()
	return func() { close(stop); <-stopped }
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
	// A client that asks again and again is late by all that it did before.
	once := t.Load.Open() || t.Load.PerClient(t.Load.Herd) == 1
	if d := v.DriftMS; once && v.Requests > 1 && d.P99 > v.BinMS/2 {
		out = append(out, report.Warning{Code: "drift-over-half-bin", Message: fmt.Sprintf(
			"hits came up to %.1f ms late (p99), over half a bin of %v: the machine, not the policy, shaped this histogram", d.P99, t.Run.Bin)})
	}
	if v.Hits == shadow.Hits && v.Outcomes != shadow.Outcomes {
		out = append(out, report.Warning{Code: "outcomes-differ", Message: fmt.Sprintf(
			"%s live, %s in virtual time: a timeout met the machine's time", outcomesText(v.Outcomes), outcomesText(shadow.Outcomes))})
	}
	if v.Hits != shadow.Hits {
		out = append(out, report.Warning{Code: "shadow-differs", Message: fmt.Sprintf(
			"%d hits live, %d in virtual time: what happened depended on the machine's time", v.Hits, shadow.Hits)})
	}
	return out
}

// outcomesText says how many requests succeeded and timed out.
func outcomesText(o report.Outcomes) string {
	return fmt.Sprintf("%d ok, %d timeouts, %d failed", o.OK, o.Timeout, o.Failed)
}
