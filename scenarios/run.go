package scenarios

import (
	"context"
	"errors"
	"slices"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/sim"
)

// Engine runs one topology; the variant says its name. An error means that the
// environment refused something, or an interrupt.
type Engine func(context.Context, Run) (report.Variant, []report.Warning, error)

// Progress is told now and then how much of a run is done, from any goroutine.
// It may be nil: nobody looks.
type Progress func(done, all int64)

// Live runs topologies over HTTP, each with its shadow in virtual time. With
// tree it records the attempts of one request.
func Live(network live.Network, tree bool, p Progress) Engine {
	return LiveWith(live.Options{Net: network, Tree: tree}, p)
}

// LiveWith is Live for who also wants to be told of the hits as they arrive.
func LiveWith(o live.Options, p Progress) Engine {
	return func(ctx context.Context, r Run) (report.Variant, []report.Warning, error) {
		this := o
		this.Tree = o.Tree && r.Group == "" // nobody looks at that of a cell
		return withShadow(ctx, r.For("live"), this, p, live.Run)
	}
}

// A LiveRun is what [live.Run] does.
type LiveRun func(context.Context, topology.Topology, live.Options) (report.Variant, []report.Warning, error)

// Gathered is the engine of a run that was made elsewhere: what several hosts saw of it,
// beside the same shadow that a run on this one has.
func Gathered(run LiveRun) Engine {
	return func(ctx context.Context, r Run) (report.Variant, []report.Warning, error) {
		return withShadow(ctx, r.For("live"), live.Options{Tree: r.Group == ""}, nil, run)
	}
}

// Sim runs topologies in virtual time.
func Sim(p Progress) Engine { return SimWith(sim.Options{}, p) }

// SimWith is Sim for who also wants to be told of the spans.
func SimWith(o sim.Options, p Progress) Engine {
	o.Progress = p
	return func(ctx context.Context, r Run) (report.Variant, []report.Warning, error) {
		return sim.Run(ctx, r.Topology, o)
	}
}

// interrupted reports whether an engine was stopped by the user.
func interrupted(err error) bool {
	return errors.Is(err, live.ErrInterrupted) || errors.Is(err, sim.ErrInterrupted)
}

// Run runs the plan's topologies one after the other, so that none disturbs
// another, and judges the figures. With several engines each variant appears
// once for each. When ctx ends, the result is what was measured so far, marked
// partial.
func (p Plan) Run(ctx context.Context, engines ...Engine) (report.Result, error) {
	r := report.Result{
		Schema:   report.Schema,
		Scenario: p.Scenario.Name,
		Title:    p.Scenario.Title,
		Seed:     p.Runs[0].Topology.Run.Seed,
	}
	for _, run := range p.Runs {
		for _, engine := range engines {
			if err := runOne(ctx, &r, run, engine); err != nil {
				return r, err
			}
			if r.Partial {
				break
			}
		}
		if r.Partial {
			break
		}
	}
	if !r.Partial && r.Variants[0].Engine == "live" { // which is the first of both
		if err := p.rounds(ctx, &r, engines[0]); err != nil {
			return r, err
		}
	}
	p.conclude(&r)
	return r, nil
}

// conclude says what the variants show, by each engine that ran them. Of a
// partial result nothing is judged.
func (p Plan) conclude(r *report.Result) {
	var engines []string
	for _, v := range r.Variants {
		if !slices.Contains(engines, v.Engine) {
			engines = append(engines, v.Engine)
		}
	}
	r.Engine = engines[0]
	if len(engines) > 1 {
		r.Engine = "both"
	} else {
		for i := range r.Warnings {
			r.Warnings[i].Engine = "" // it goes without saying
		}
	}
	if p.Scenario.Scaled != "" && slices.Contains(engines, "live") && slices.ContainsFunc(p.Runs, func(r Run) bool { return r.Live != nil }) {
		r.Warnings = append(r.Warnings, report.Warning{Code: "scaled", Message: "the live run is scaled: " + p.Scenario.Scaled})
	}
	r.Findings = p.findings(r.Variants, engines[0])
	if r.Partial {
		return
	}
	r.Expectations = p.judge(*r)
	for _, engine := range engines {
		for _, g := range p.grids(r.Variants, engine) {
			if len(engines) > 1 {
				g.Title += " (" + engine + ")"
			}
			r.Grids = append(r.Grids, g)
		}
		r.Figures = append(r.Figures, p.figures(*r, engine)...)
	}
}

// judge says which of the scenario's expectations hold.
func (p Plan) judge(r report.Result) []report.Verdict {
	return append(report.JudgeExpectations(r, p.Scenario.Expect), report.JudgeFaults(r, p.Scenario.Faults)...)
}

// runOne adds one variant to the result.
func runOne(ctx context.Context, r *report.Result, run Run, engine Engine) error {
	v, warnings, err := engine(ctx, run)
	if err != nil && !interrupted(err) {
		return err
	}
	r.Partial = err != nil
	v.Name, v.Group = run.Name, run.Group
	r.Variants = append(r.Variants, v)
	t := run.For(v.Engine)
	for _, d := range t.Doubts() {
		warnings = append(warnings, report.Warning{Code: d.Code, Message: d.Message})
	}
	for _, w := range warnings {
		w.Variant, w.Engine = run.Name, v.Engine
		r.Warnings = append(r.Warnings, w)
	}
	return nil
}

// grids fills the tables with the hits of their variants, row by row.
func (p Plan) grids(vs []report.Variant, engine string) []report.Grid {
	var out []report.Grid
	for _, g := range p.Grids {
		filled := report.Grid{Name: g.Name, Title: g.Title, RowName: g.RowName, ColName: g.ColName, Rows: g.Rows, Cols: g.Cols}
		var row []int64
		for _, v := range vs {
			if v.Group != g.Name || v.Engine != engine {
				continue
			}
			if row = append(row, v.Hits); len(row) == len(g.Cols) {
				filled.Cells, row = append(filled.Cells, row), nil
			}
		}
		out = append(out, filled)
	}
	return out
}
