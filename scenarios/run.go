package scenarios

import (
	"context"
	"errors"

	"labctl/report"
	"labctl/topology/live"
)

// Engine runs one topology. An error means that the environment refused
// something, or live.ErrInterrupted.
type Engine func(context.Context, Run) (report.Variant, []report.Warning, error)

// Live is the engine that runs a topology over HTTP. With tree it records the
// attempts of one request.
func Live(network live.Network, tree bool) Engine {
	return func(ctx context.Context, r Run) (report.Variant, []report.Warning, error) {
		return live.Run(ctx, r.Topology, live.Options{Net: network, Tree: tree && r.Group == ""})
	}
}

// Run runs the plan's topologies one after the other, so that none disturbs
// another, and judges the figures. When ctx ends, the result is what was
// measured so far, marked partial.
func (p Plan) Run(ctx context.Context, engine Engine) (report.Result, error) {
	r := report.Result{
		Schema:   report.Schema,
		Scenario: p.Scenario.Name,
		Title:    p.Scenario.Title,
		Seed:     p.Runs[0].Topology.Run.Seed,
	}
	for _, run := range p.Runs {
		v, warnings, err := engine(ctx, run)
		if err != nil && !errors.Is(err, live.ErrInterrupted) {
			return r, err
		}
		r.Partial = err != nil
		v.Name, v.Group = run.Name, run.Group
		r.Variants = append(r.Variants, v)
		for _, w := range warnings {
			w.Variant = run.Name
			r.Warnings = append(r.Warnings, w)
		}
		if r.Partial {
			break
		}
	}
	r.Findings = findings(r.Variants)
	if !r.Partial {
		r.Grids = p.grids(r.Variants)
		r.Figures = p.figures(r)
	}
	return r, nil
}

// grids fills the tables with the hits of their variants, row by row.
func (p Plan) grids(vs []report.Variant) []report.Grid {
	var out []report.Grid
	for _, g := range p.Grids {
		filled := report.Grid{Name: g.Name, Title: g.Title, RowName: g.RowName, ColName: g.ColName, Rows: g.Rows, Cols: g.Cols}
		var row []int64
		for _, v := range vs {
			if v.Group != g.Name {
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
