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

func sweepCommand(s streams) *cobra.Command {
	lab := labFlags{engine: engineSim}
	var out output
	var over []string
	var cell int
	c := &cobra.Command{
		Use:   "sweep NAME --over PARAMETER=VALUES …",
		Short: "Run a scenario over a grid of parameters and print one table",
		Long: `Run a scenario's topology, without what its variants change, for every combination
of the values of some parameters. A parameter is layers, attempts (of each layer), rest, backoff, cap,
jitter (of each layer), clients, requests, smear, barrier, seed, bin, until, or the
path of any field. Values are a range, 1..5, or a list, 50ms,100ms.

Two parameters make a table of hits; with one, or more than two, each combination
has a row. Cells run in virtual time, many at once; --engine live runs them one
after the other.`,
		Example: `  labctl sweep nested-retry --over layers=1..5 --over attempts=1..5
  labctl sweep jitter-herd --over clients=100,1000,10000 --over jitter=none,50%,full
  labctl sweep jitter-herd --over rest=50ms,100ms,200ms --format csv`,
		ValidArgsFunction: completeScenarios,
		GroupID:           groupRun,
		RunE: func(c *cobra.Command, names []string) error {
			j, err := lab.sweep(c, names, over)
			if _, said := given(c, "cell"); said && err == nil {
				j.sweep, err = j.sweep.Only(cell)
				j.job.plan = j.sweep.Plan
			}
			if err != nil {
				return err
			}
			return runJobs(c.Context(), s, &out, []runnable{j})
		},
	}
	groups := lab.addSweep(c, &over)
	groups[0].flags.IntVar(&cell, "cell", 0, "run only the cell of this `number`, from 0 on: the last parameter varies fastest")
	c.Flags().AddFlag(groups[0].flags.Lookup("cell"))
	groups = append(groups, out.add(c, "the table only", "table", "json", "csv", "markdown", "html"))
	groupUsage(c, groups)
	return c
}

// addSweep adds the flags of sweep.
func (f *labFlags) addSweep(c *cobra.Command, over *[]string) []flagGroup {
	axes := newFlags()
	axes.StringArrayVar(over, "over", nil, "`parameter=values` to sweep: layers=1..5, rest=50ms,100ms; may stand several times")
	run := f.engineFlags()
	run.Lookup("engine").DefValue = engineSim
	run.Lookup("engine").Usage = "`engine` to run the cells with: sim in virtual time, or live"
	f.engine = engineSim
	addPlain(run, "run")
	run.StringArrayVar(&f.set, "set", nil, "change any field, as `path=value`; may stand several times")
	bins := newFlags()
	addPlain(bins, "bins")
	return addGroups(c, flagGroup{"Grid:", axes}, f.policyFlags(), loadFlags(), flagGroup{"Histogram:", bins}, flagGroup{"Run:", run})
}

// sweepJob is a sweep with the engine that is to run it.
type sweepJob struct {
	sweep scenarios.Sweep
	job   job
}

// sweep plans every cell.
func (f *labFlags) sweep(c *cobra.Command, names []string, over []string) (sweepJob, error) {
	chosen, err := findScenarios(names)
	switch {
	case err != nil:
		return sweepJob{}, err
	case len(chosen) != 1:
		return sweepJob{}, errors.New("sweep takes one scenario: name one, such as nested-retry")
	case len(over) == 0:
		return sweepJob{}, errors.New("nothing to sweep: say what over, such as --over layers=1..5")
	case f.engine == engineBoth:
		return sweepJob{}, errors.New("--engine both: a sweep runs with one engine: choose sim or live")
	}
	var axes []scenarios.Axis
	for _, text := range over {
		a, err := scenarios.ParseAxis(text)
		if err != nil {
			return sweepJob{}, err
		}
		axes = append(axes, a)
	}
	network, err := networkOf(f.engine, f.net)
	if err != nil {
		return sweepJob{}, err
	}
	o, err := f.overrides(c, chosen[0])
	if err != nil {
		return sweepJob{}, err
	}
	sw, err := scenarios.NewSweep(chosen[0], o, axes)
	if err == nil {
		err = supported(sw.Plan, network)
	}
	if err != nil {
		return sweepJob{}, err
	}
	if err := affordable(sw.Plan, network); err != nil {
		return sweepJob{}, err
	}
	if err := countable(sw.Plan, network); err != nil {
		return sweepJob{}, err
	}
	j := job{plan: sw.Plan, engine: f.engine, net: network, again: command(c, chosen[0].Name, f.net)}
	return sweepJob{sw, j}, nil
}

func (j sweepJob) runs() int { return j.job.runs() }

func (j sweepJob) run(ctx context.Context, b *bar) (report.Result, error) {
	atOnce := 1
	if j.job.engine == engineSim {
		atOnce = scenarios.AtOnce()
	}
	r, err := j.sweep.Run(ctx, j.job.engines(b)[0], atOnce)
	r.Labctl, r.Command = version(), j.job.again
	if j.job.net != nil {
		r.Net = j.job.net.Name()
	}
	switch {
	case r.Partial:
		return r, live.ErrInterrupted
	case err != nil:
		return r, environment(fmt.Errorf("%s: %w", j.job.plan.Scenario.Name, err))
	}
	return r, nil
}
