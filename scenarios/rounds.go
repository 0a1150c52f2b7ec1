package scenarios

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"labctl/report"
)

// varied is the share of its best round below which a variant's worst one says
// that the machine had other things to do.
const varied = 0.9

// rounds runs throughput variants of a live plan again, one after the other, and
// keeps the best round of each. Whatever else a machine does only ever takes away
// from a throughput, so the best of a few comes closest to what the lab can do; and
// taking turns spreads a bad minute over all variants that are compared.
func (p Plan) rounds(ctx context.Context, r *report.Result, live Engine) error {
	rates := map[string][]float64{}
	for round := 1; round < p.mostRounds(); round++ {
		for _, run := range p.Runs {
			if round >= run.Rounds || ctx.Err() != nil {
				continue
			}
			var again report.Result
			if err := runOne(ctx, &again, run, live); err != nil {
				return err
			}
			if again.Partial {
				return nil // the rounds before it are whole
			}
			rates[run.Name] = append(rates[run.Name], keepBest(r, again))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rates)) {
		all := rates[name]
		rate := rateOf(liveVariant(r, name))
		all = append(all, rate)
		if low := slices.Min(all); low < varied*rate {
			r.Warnings = append(r.Warnings, report.Warning{Code: "machine-varied", Variant: name, Engine: "live", Message: fmt.Sprintf(
				"%.0f to %.0f requests per second in %d rounds, of which the best is shown: the machine had other things to do, so ratios of less than that mean nothing",
				low, rate, len(all))})
		}
	}
	return nil
}

func (p Plan) mostRounds() int {
	most := 1
	for _, run := range p.Runs {
		most = max(most, run.Rounds)
	}
	return most
}

// LiveRuns is how many topologies a live run of the plan runs.
func (p Plan) LiveRuns() int {
	n := 0
	for _, run := range p.Runs {
		n += max(run.Rounds, 1)
	}
	return n
}

// keepBest puts a later round in the place of the former ones when it was better,
// and returns its rate or, where it was, theirs.
func keepBest(r *report.Result, again report.Result) float64 {
	now := again.Variants[0]
	before := liveVariant(r, now.Name)
	was, is := rateOf(before), rateOf(&now)
	if is <= was {
		return is
	}
	*before = now
	r.Warnings = slices.DeleteFunc(r.Warnings, func(w report.Warning) bool { return w.Variant == now.Name && w.Engine == "live" })
	r.Warnings = append(r.Warnings, again.Warnings...)
	return was
}

func liveVariant(r *report.Result, name string) *report.Variant {
	i := slices.IndexFunc(r.Variants, func(v report.Variant) bool { return v.Name == name && v.Engine == "live" })
	return &r.Variants[i]
}

// rateOf is the throughput of the main herd.
func rateOf(v *report.Variant) float64 {
	if len(v.Routes) == 0 {
		return 0
	}
	return v.Routes[0].RPS
}
