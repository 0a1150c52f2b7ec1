package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/sim"
)

// job is a plan with the engine that is to run it.
type job struct {
	plan   scenarios.Plan
	engine string
	net    live.Network // nil: nothing is sent
	tree   bool
	watch  bool
	repeat int
	again  string              // the command that gives the result again
	spans  func(topology.Span) // nil: nobody asks
}

// plan makes the job of a scenario. Nothing starts: bad input and a lab that
// this machine cannot carry are refused here.
func (f *labFlags) plan(c *cobra.Command, s scenarios.Scenario, engine, net string) (job, error) {
	network, err := networkOf(engine, net)
	if err != nil {
		return job{}, err
	}
	o, err := f.overrides(c, s)
	if err != nil {
		return job{}, err
	}
	p, err := f.newPlan(s, o)
	if err == nil {
		err = supported(p, network)
	}
	if err != nil {
		return job{}, f.byFlag(c, err)
	}
	if err := affordable(p, network); err != nil {
		return job{}, err
	}
	if err := countable(p, network); err != nil {
		return job{}, f.byFlag(c, err)
	}
	return job{plan: p, engine: engine, net: network, tree: f.tree, watch: f.watch, repeat: f.repeats(c, s), again: command(c, s.Name, net)}, nil
}

// newPlan makes the plan. For a check each variant is planned by itself: beside
// others it would be merged with those that the flags make alike, and its name
// is what finds it in the baseline.
func (f *labFlags) newPlan(s scenarios.Scenario, o scenarios.Overrides) (scenarios.Plan, error) {
	if !f.everyVariant {
		return scenarios.NewPlan(s, o)
	}
	all := scenarios.Plan{Scenario: s}
	for _, v := range s.Variants {
		one := s
		one.Variants = []scenarios.Variant{v}
		p, err := scenarios.NewPlan(one, o)
		if err != nil {
			return scenarios.Plan{}, err
		}
		all.Runs, all.Grids = append(all.Runs, p.Runs...), p.Grids
	}
	return all, nil
}

// The engines that --engine names.
const (
	engineLive = "live"
	engineSim  = "sim"
	engineBoth = "both"
)

// networkOf returns the network that a live run uses, nil where there is none.
func networkOf(engine, net string) (live.Network, error) {
	switch engine {
	case engineSim:
		return nil, nil
	case engineLive, engineBoth:
	default:
		return nil, fmt.Errorf("--engine %q: choose live, sim or both", engine)
	}
	switch net {
	case "tcp":
		return live.TCP(), nil
	case "pipe":
		return live.Pipe(), nil
	}
	return nil, fmt.Errorf("--net %q: choose tcp or pipe", net)
}

// supported refuses what the engine has no model of.
func supported(p scenarios.Plan, n live.Network) error {
	for _, r := range p.Runs {
		if n == nil {
			continue // virtual time has all of it
		}
		if err := live.Supports(r.For("live")); err != nil {
			return err
		}
	}
	return nil
}

// affordable refuses runs that this machine cannot carry before any starts.
func affordable(p scenarios.Plan, n live.Network) error {
	machine := live.ThisMachine()
	for _, r := range p.Runs {
		if n == nil {
			if err := sim.Check(r.For("sim"), machine.Memory); err != nil {
				return environment(fmt.Errorf("%s: %w", r.Name, err))
			}
			continue
		}
		if err := live.Estimate(r.For("live"), n).Check(machine); err != nil {
			return environment(fmt.Errorf("%s: %w", r.Name, err))
		}
	}
	return nil
}

// repeats is how many seeds to run: as the flag says, else as the file does.
func (f *labFlags) repeats(c *cobra.Command, s scenarios.Scenario) int {
	if _, said := given(c, "repeat"); said {
		return f.repeat
	}
	return max(s.Repeats, f.repeat, 1)
}

// run runs the job. The result of an interrupted one comes with
// live.ErrInterrupted and is marked partial.
func (j job) run(ctx context.Context, b *bar) (report.Result, error) {
	r, err := j.plan.Repeat(ctx, max(j.repeat, 1), j.engines(b)...)
	r.Engine, r.Labctl, r.Command = j.engine, version(), j.again
	if j.net != nil {
		r.Net = j.net.Name()
	}
	switch {
	case r.Partial:
		return r, live.ErrInterrupted
	case err != nil:
		return r, environment(fmt.Errorf("%s: %w", j.plan.Scenario.Name, err))
	}
	return r, nil
}

// countable refuses more hits than an engine can work off.
func countable(p scenarios.Plan, n live.Network) error {
	for _, r := range p.Runs {
		check, t := live.CheckHits, r.For("live")
		if n == nil {
			check, t = sim.CheckHits, r.For("sim")
		}
		if err := check(t); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	return nil
}

// engines are those that the job runs with, live first.
func (j job) engines(b *bar) []scenarios.Engine {
	liveRuns, simRuns := j.counts()
	var out []scenarios.Engine
	if j.engine != engineSim {
		out = append(out, b.watch(j.plan, liveRuns, "ms", j.live(b)))
	}
	if j.engine != engineLive {
		out = append(out, b.watch(j.plan, simRuns, "clients", func(p scenarios.Progress) scenarios.Engine {
			return scenarios.SimWith(sim.Options{Spans: j.spans}, p)
		}))
	}
	return out
}

// live makes the engine of live runs. One that is watched has its progress in the
// frames.
func (j job) live(b *bar) func(scenarios.Progress) scenarios.Engine {
	o := live.Options{Net: j.net, Tree: j.tree, Spans: j.spans}
	if !j.watch || b.p.w == nil {
		return func(p scenarios.Progress) scenarios.Engine { return scenarios.LiveWith(o, p) }
	}
	w := &watcher{screen: &b.screen, color: textOptions(b.p.w, false).Color, brief: j.engine == engineBoth}
	return func(scenarios.Progress) scenarios.Engine { return w.engine(o, b.title) }
}

// counts is how many topologies each engine is to run.
func (j job) counts() (liveRuns, simRuns int) {
	if j.engine != engineSim {
		liveRuns = j.plan.LiveRuns() * max(j.repeat, 1)
	}
	if j.engine != engineLive {
		simRuns = len(j.plan.Runs) * max(j.repeat, 1)
	}
	return liveRuns, simRuns
}

// runs is how many there are to wait for.
func (j job) runs() int {
	liveRuns, simRuns := j.counts()
	return liveRuns + simRuns
}

// contradictions are flags that cannot mean anything together.
func (f *labFlags) contradictions(c *cobra.Command, chosen []scenarios.Scenario) error {
	_, counted := given(c, "count")
	grids := 0
	for _, s := range chosen {
		grids += len(s.Grids)
		if counted && !s.Readings {
			return fmt.Errorf("--count: %s has no count to explain: run layers with it", s.Name)
		}
	}
	if changes := givenFlags(c); counted && len(changes) > 0 {
		return fmt.Errorf("--count explains a number and runs nothing: leave out %s", strings.Join(changes, " "))
	}
	_, attempts := given(c, "attempts")
	switch {
	case f.grid && attempts:
		return fmt.Errorf("--grid varies the attempts itself: leave out --attempts")
	case f.repeat < 1 || f.repeat > scenarios.MaxRepeats:
		return fmt.Errorf("--repeat %d: say how many seeds to run, from 1 to %d", f.repeat, scenarios.MaxRepeats)
	case counted && f.watch:
		return fmt.Errorf("--count explains a number and runs nothing: leave out --watch")
	case f.tree && f.engine == engineSim:
		return fmt.Errorf("--tree shows requests that were sent: run it with --engine live")
	case f.grid && grids == 0:
		return fmt.Errorf("--grid: %s has no grid: nested-retry has", chosen[0].Name)
	}
	return nil
}
