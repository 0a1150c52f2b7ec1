package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology/live"
)

func runCommand(s streams) *cobra.Command {
	var lab labFlags
	var out output
	c := &cobra.Command{
		Use:   "run NAME …",
		Short: "Run scenarios and print what arrived at the tail",
		Long: `Run scenarios by name, one after the other; "articles" runs all of them.

The flags change the scenario before it runs. A variant keeps what sets it apart
where no flag names the same field; figures whose setting you changed are not
compared with the published ones.`,
		Example: `  labctl run nested-retry
  labctl run nested-retry --attempts 2,4,3 --tree
  labctl run jitter-herd --clients 1000 --jitter full --rest 200ms
  labctl run layers --count 12`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeScenarios,
		RunE: func(c *cobra.Command, args []string) error {
			return out.write(s, func() ([]report.Result, error) { return lab.run(c, args) })
		},
	}
	lab.add(c)
	out.add(c, formats)
	return c
}

// run plans everything, so that nothing starts before all of it can, and then
// runs it. An interrupt ends the run with the results so far.
func (f *labFlags) run(c *cobra.Command, names []string) ([]report.Result, error) {
	plans, err := f.plans(c, names)
	if err != nil {
		return nil, err
	}
	var results []report.Result
	for _, p := range plans {
		if p.Scenario.Readings && f.count > 0 {
			r, err := readings(p, f.count)
			if err != nil {
				return nil, err
			}
			results = append(results, r)
			continue
		}
		r, err := f.runPlan(c.Context(), p)
		if err != nil {
			return results, err
		}
		results = append(results, r)
		if r.Partial {
			return results, live.ErrInterrupted
		}
	}
	return results, nil
}

func (f *labFlags) plans(c *cobra.Command, names []string) ([]scenarios.Plan, error) {
	if err := f.check(c); err != nil {
		return nil, err
	}
	network, err := f.network()
	if err != nil {
		return nil, err
	}
	chosen, err := findScenarios(names)
	if err != nil {
		return nil, err
	}
	var plans []scenarios.Plan
	for _, s := range chosen {
		if f.count > 0 && !s.Readings {
			return nil, fmt.Errorf("--count is for layers: %s has no count to explain", s.Name)
		}
		o, err := f.overrides(c, s)
		if err != nil {
			return nil, err
		}
		p, err := scenarios.NewPlan(s, o)
		if err != nil {
			return nil, byFlag(err)
		}
		if err := affordable(p, network); err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// affordable refuses runs that this machine cannot carry before any starts.
func affordable(p scenarios.Plan, n live.Network) error {
	machine := live.ThisMachine()
	for _, r := range p.Runs {
		if err := live.Estimate(r.Topology, n).Check(machine); err != nil {
			return environment(fmt.Errorf("%s: %w", r.Name, err))
		}
	}
	return nil
}

func (f *labFlags) runPlan(ctx context.Context, p scenarios.Plan) (report.Result, error) {
	network, err := f.network()
	if err != nil {
		return report.Result{}, err
	}
	r, err := p.Run(ctx, scenarios.Live(network, f.tree))
	if err != nil && !errors.Is(err, live.ErrInterrupted) {
		return r, environment(err)
	}
	r.Engine, r.Net, r.Labctl = f.engine, f.net, version()
	return r, nil
}

// readings explains a count instead of running anything.
func readings(p scenarios.Plan, count int64) (report.Result, error) {
	found, err := scenarios.Readings(count)
	return report.Result{
		Schema: report.Schema, Scenario: p.Scenario.Name, Title: p.Scenario.Title,
		Engine: "none", Net: "none", Seed: p.Runs[0].Topology.Run.Seed, Labctl: version(),
		Readings: found,
	}, err
}
