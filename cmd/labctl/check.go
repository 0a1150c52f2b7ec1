package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology/live"
)

func checkCommand(s streams) *cobra.Command {
	var lab labFlags
	var out output
	var update bool
	c := &cobra.Command{
		Use:   "check [NAME|FILE.yaml …]",
		Short: "Run again and compare with the baseline; fail when a count changed",
		Long: `Run scenarios again and compare with their baselines: requests, hits, each
layer's requests and attempts, outcomes, effects and the verdicts of figures,
exactly. Times, live bins and the version are never compared. Fewer hits are a
difference too, and any difference ends with exit code 1. Without a name all
scenarios are checked, and the cases: real outages and bugs as labs with their
right values (labctl run cases/a05-metastable.yaml).

A FILE.yaml is judged by its expectations, and compared with FILE.baseline.json
where there is one; it runs in virtual time unless a flag or that baseline says
otherwise.

With flags that change the lab only what they leave comparable is compared: the
variants that still run, and the figures that are still judged.

--update writes the baselines of this checkout, or those beside the files that
are named, and says what changed.`,
		Example: `  labctl check
  labctl check nested-retry --format junit -o check.xml
  labctl check nested-retry --attempts 1,3,4
  labctl check --update`,
		ValidArgsFunction: completeScenarios,
		GroupID:           groupRun,
		RunE: func(c *cobra.Command, names []string) error {
			if update {
				return lab.update(c, s, &out, names)
			}
			checks, err := lab.checks(c, names, builtInBaseline)
			if err != nil {
				return err
			}
			return runChecks(c, s, &out, checks)
		},
	}
	groups := lab.addCheck(c)
	groups = append(groups, out.add(c, "differences only", "table", "json", "junit", "github"))
	c.Flags().BoolVar(&update, "update", false, "write the baselines and say what changed")
	groupUsage(c, groups)
	return c
}

// checked is a scenario run again beside its baseline.
type checked struct {
	job         job
	baseline    report.Result
	now         report.Result
	differences []report.Difference
}

// checks plans a run for each scenario, as its baseline was run unless a flag
// says otherwise.
func (f *labFlags) checks(c *cobra.Command, names []string, baselineOf func(string) (report.Result, error)) ([]checked, error) {
	if len(names) == 0 {
		names = append(scenarioNames(), caseNames()...)
	}
	chosen, err := findScenarios(names)
	if err != nil {
		return nil, err
	}
	var out []checked
	for _, s := range chosen {
		baseline, err := baselineFor(s, baselineOf)
		if err != nil {
			return nil, err
		}
		engine, net := cmp.Or(s.CheckBy, f.engine), f.net
		if c.Flags().Changed("engine") {
			engine = f.engine
		}
		if !c.Flags().Changed("engine") && baseline.Engine != "" {
			engine = baseline.Engine
		}
		if !c.Flags().Changed("net") && baseline.Net != "" {
			net = baseline.Net
		}
		j, err := f.plan(c, s, engine, net)
		if err != nil {
			return nil, err
		}
		out = append(out, checked{job: j, baseline: baseline})
	}
	return out, nil
}

// baselineFor finds the baseline of a built-in scenario, or that beside a file, which
// may do without one when it has expectations.
func baselineFor(s scenarios.Scenario, builtIn func(string) (report.Result, error)) (report.Result, error) {
	if s.File == "" {
		return builtIn(s.Name)
	}
	name := baselineBeside(s.File)
	data, err := os.ReadFile(name)
	switch {
	case err == nil:
		return parseBaseline(name, data)
	case errors.Is(err, fs.ErrNotExist) && len(s.Expect) > 0:
		return report.Result{}, nil
	case errors.Is(err, fs.ErrNotExist):
		return report.Result{}, fmt.Errorf("%s has neither expectations nor a baseline: add expect, or make %s with labctl check --update %s", s.File, name, s.File)
	}
	return report.Result{}, fmt.Errorf("cannot read %s: %w", name, unwrapPath(err))
}

// compare runs the checks, in a lab that flags may have changed. After an
// interrupt it returns those that were finished: half a run differs from any
// baseline.
func compare(ctx context.Context, p progress, checks []checked, changes []string) ([]checked, error) {
	runs := 0
	for _, k := range checks {
		runs += k.job.runs()
	}
	b := newBar(p, runs)
	defer b.close()
	for i := range checks {
		k := &checks[i]
		if ctx.Err() != nil {
			return checks[:i], interruptedAfter(i, len(checks))
		}
		now, err := k.job.run(ctx, b)
		if isInterrupt(err) {
			return checks[:i], interruptedAfter(i, len(checks))
		}
		if err != nil {
			return checks[:i], err
		}
		k.now = now
		if len(changes) > 0 {
			k.baseline, k.now = inCommon(k.baseline, now)
		}
		if k.baseline.Scenario != "" || k.job.plan.Scenario.File == "" {
			k.differences = report.Compare(k.baseline, k.now)
		}
	}
	return checks, nil
}

func interruptedAfter(done, all int) error {
	return fmt.Errorf("%w: %d of %d scenarios were checked", live.ErrInterrupted, done, all)
}

// runChecks prints the checks and fails when one did.
func runChecks(c *cobra.Command, s streams, out *output, checks []checked) error {
	sink, err := out.open(s)
	if err != nil {
		return err
	}
	defer sink.discard()
	changes := givenFlags(c)
	done, ended := compare(c.Context(), progress{s.progress}, checks, changes)
	if ended != nil && !isInterrupt(ended) {
		return ended
	}
	if err := out.renderChecks(sink.w, done); err != nil {
		return written(err)
	}
	if err := sink.commit(); err != nil {
		return err
	}
	if ended != nil {
		return ended
	}
	return verdict(done, changes)
}

// verdict fails when a check did. Its cure is an update, unless flags changed
// the lab.
func verdict(checks []checked, changes []string) error {
	bad := 0
	var results []report.Result
	for _, c := range checks {
		if len(c.differences) > 0 {
			bad++
		}
		results = append(results, c.now)
	}
	if bad == 0 {
		return expectationsFail(results)
	}
	cure := ": if the change is meant, run labctl check --update"
	if len(changes) > 0 {
		cure = ", with " + strings.Join(changes, " ")
	}
	return failed("%d of %d scenarios differ from the baseline%s", bad, len(checks), cure)
}
