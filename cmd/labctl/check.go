package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/topology/live"
)

func checkCommand(s streams) *cobra.Command {
	var lab labFlags
	var out output
	var update bool
	c := &cobra.Command{
		Use:   "check [NAME …]",
		Short: "Run again and compare with the baseline; fail when a count changed",
		Long: `Run scenarios again and compare with their baselines: requests, hits, each
layer's requests and attempts, outcomes, effects and the verdicts of figures,
exactly. Times, live bins and the version are never compared. Fewer hits are a
difference too, and any difference ends with exit code 1. Without a name all
scenarios are checked.

--update writes the baselines of this checkout and says what changed.`,
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
	groups = append(groups, out.add(c, "differences only", "table", "json", "junit"))
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
		names = []string{articles}
	}
	chosen, err := findScenarios(names)
	if err != nil {
		return nil, err
	}
	var out []checked
	for _, s := range chosen {
		baseline, err := baselineOf(s.Name)
		if err != nil {
			return nil, err
		}
		engine, net := f.engine, f.net
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

// compare runs the checks. After an interrupt it returns those that were
// finished: half a run differs from any baseline.
func compare(ctx context.Context, p progress, checks []checked) ([]checked, error) {
	for i := range checks {
		k := &checks[i]
		if ctx.Err() != nil {
			return checks[:i], interruptedAfter(i, len(checks))
		}
		now, err := k.job.run(ctx, p)
		if isInterrupt(err) {
			return checks[:i], interruptedAfter(i, len(checks))
		}
		if err != nil {
			return checks[:i], err
		}
		k.now, k.differences = now, report.Compare(k.baseline, now)
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
	done, ended := compare(c.Context(), progress{s.progress}, checks)
	if ended != nil && !isInterrupt(ended) {
		return ended
	}
	if err := out.renderChecks(sink, done); err != nil {
		return written(err)
	}
	if err := sink.commit(); err != nil {
		return err
	}
	if ended != nil {
		return ended
	}
	return verdict(done, givenFlags(c))
}

// verdict fails when a check did. Its cure is an update, unless flags changed
// the lab.
func verdict(checks []checked, changes []string) error {
	bad := 0
	for _, c := range checks {
		if len(c.differences) > 0 {
			bad++
		}
	}
	if bad == 0 {
		return nil
	}
	cure := ": if the change is meant, run labctl check --update"
	if len(changes) > 0 {
		cure = ", with " + strings.Join(changes, " ")
	}
	return failed("%d of %d scenarios differ from the baseline%s", bad, len(checks), cure)
}

func (o *output) renderChecks(w io.Writer, checks []checked) error {
	switch o.format {
	case "junit":
		var suites []report.Suite
		for _, c := range checks {
			suites = append(suites, report.CheckSuite(c.baseline, c.now))
		}
		return report.WriteJUnit(w, suites...)
	case "json":
		all := map[string][]report.Difference{}
		for _, c := range checks {
			all[c.now.Scenario] = append([]report.Difference{}, c.differences...)
		}
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	for _, c := range checks {
		if err := o.printCheck(w, c); err != nil {
			return err
		}
	}
	return nil
}

func (o *output) printCheck(w io.Writer, c checked) error {
	if len(c.differences) > 0 {
		if _, err := fmt.Fprintf(w, "FAIL %s\n", c.now.Scenario); err != nil {
			return err
		}
		return printDifferences(w, c.differences)
	}
	if o.quiet {
		return nil
	}
	_, err := fmt.Fprintf(w, "ok   %s (%s)\n", c.now.Scenario, plural(len(c.now.Variants), "variant"))
	return err
}

func printDifferences(w io.Writer, ds []report.Difference) error {
	for _, d := range ds {
		if _, err := fmt.Fprintf(w, "     %s\n", d.Message); err != nil {
			return err
		}
	}
	return nil
}
