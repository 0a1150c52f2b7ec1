package scenarios

import (
	"context"
	"slices"

	"labctl/report"
)

// MaxRepeats bounds --repeat.
const MaxRepeats = 10_000

// Repeat runs the plan with n seeds, each one more than the last. The result is
// that of the first, with the ranges of what differed and with the figures
// judged over all runs.
func (p Plan) Repeat(ctx context.Context, n int, engines ...Engine) (report.Result, error) {
	if n == 1 {
		return p.Run(ctx, engines...)
	}
	var runs []report.Result
	for k := range n {
		r, err := p.seeded(uint64(k)).Run(ctx, engines...)
		if err != nil {
			return r, err
		}
		if r.Partial {
			break // the runs that were finished say more than half a run
		}
		runs = append(runs, r)
	}
	if len(runs) == 0 {
		return p.Run(ctx, engines...)
	}
	out := runs[0]
	out.Partial = len(runs) < n
	out.Repeats = report.Repeat(runs, p.watched()...)
	if !out.Partial {
		out.Figures = p.judgeAll(runs)
		out.Expectations = p.judge(out)
	}
	return out, nil
}

// watched is everything that is judged over all runs.
func (p Plan) watched() []report.Expect {
	es := slices.Clone(p.Scenario.Expect)
	for _, f := range p.Scenario.Faults {
		es = append(es, f.Expect())
	}
	return es
}

// seeded is the plan with later seeds.
func (p Plan) seeded(by uint64) Plan {
	p.Runs = slices.Clone(p.Runs)
	for i := range p.Runs {
		p.Runs[i].Topology.Run.Seed += by
		if l := p.Runs[i].Live; l != nil {
			scaled := *l
			scaled.Run.Seed += by
			p.Runs[i].Live = &scaled
		}
	}
	return p
}

// judgeAll judges each figure by all runs: a number by its median, a list by
// the mean of each place.
func (p Plan) judgeAll(runs []report.Result) []report.Figure {
	out := slices.Clone(runs[0].Figures)
	for i := range out {
		f := &out[i]
		def := p.figure(f.ID)
		values := make([]any, 0, len(runs))
		for _, r := range runs {
			values = append(values, r.Figures[i].Measured)
		}
		middle, same := report.Middle(values)
		if same || f.Verdict == report.NotComparable {
			continue
		}
		if !def.Timing {
			f.Verdict, f.Why = report.Off, "it does not depend on the seed, yet it differed between the runs"
			continue
		}
		tolerance := def.Tolerance
		if def.Repeated != nil {
			tolerance = *def.Repeated
		}
		tolerance = tolerance.Over(len(runs))
		f.Measured, f.Tolerance = middle, tolerance.String()
		f.Verdict, f.Why = report.Judge(f.Published, f.Expected, middle, tolerance)
	}
	return out
}

func (p Plan) figure(id string) Figure {
	i := slices.IndexFunc(p.Scenario.Figures, func(f Figure) bool { return f.ID == id })
	return p.Scenario.Figures[i]
}
