package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/results"
)

// baselineDir is where --update writes, in a checkout.
const baselineDir = "results/check"

func checkCommand(s streams) *cobra.Command {
	var lab labFlags
	var out output
	var update bool
	c := &cobra.Command{
		Use:   "check [NAME …]",
		Short: "Run again and compare with the baseline; fail when a count changed",
		Long: `Run scenarios again and compare with their baselines: requests, hits, each layer's
requests and attempts, outcomes, effects and the verdicts of figures, exactly.
Times, live bins and the version are never compared. Fewer hits are a difference
too. Without a name all scenarios are checked.

--update writes the baselines of this checkout and says what changed.`,
		Example: `  labctl check
  labctl check nested-retry --format junit -o check.xml
  labctl check --update`,
		ValidArgsFunction: completeScenarios,
		RunE: func(c *cobra.Command, names []string) error {
			checks, err := lab.runChecks(c, names, update)
			if err != nil {
				return err
			}
			if update {
				return updateBaselines(s.out, checks)
			}
			return out.to(s, func(w io.Writer) error { return out.verdict(w, checks) })
		},
	}
	lab.add(c)
	out.add(c, checkFormats)
	c.Flags().BoolVar(&update, "update", false, "write the baselines and say what changed")
	return c
}

// checked is a scenario run again beside its baseline.
type checked struct {
	baseline    report.Result
	now         report.Result
	differences []report.Difference
}

// runChecks runs each scenario again. Only an update may do without a baseline.
func (f *labFlags) runChecks(c *cobra.Command, names []string, update bool) ([]checked, error) {
	if len(names) == 0 {
		names = []string{articles}
	}
	plans, err := f.plans(c, names)
	if err != nil {
		return nil, err
	}
	baselines := map[string]report.Result{}
	for _, p := range plans {
		b, err := readBaseline(p.Scenario.Name, update)
		if err != nil {
			return nil, err
		}
		baselines[p.Scenario.Name] = b
	}
	var out []checked
	for _, p := range plans {
		now, err := f.runPlan(c.Context(), p)
		if err != nil {
			return nil, err
		}
		baseline := baselines[p.Scenario.Name]
		out = append(out, checked{baseline, now, report.Compare(baseline, now)})
	}
	return out, nil
}

// readBaseline reads the baseline of a scenario: the checkout's for an update,
// which may be missing, and otherwise the one built into the program.
func readBaseline(scenario string, update bool) (report.Result, error) {
	data, err := results.Check.ReadFile("check/" + scenario + ".json")
	if update {
		data, err = os.ReadFile(baselineFile(scenario))
	}
	if err != nil && update {
		return report.Result{}, nil
	}
	if err != nil {
		return report.Result{}, fmt.Errorf("no baseline for %s: make one with labctl check --update %s in a checkout", scenario, scenario)
	}
	found, err := report.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return report.Result{}, fmt.Errorf("baseline of %s: %w", scenario, err)
	}
	return found[0], nil
}

func baselineFile(scenario string) string {
	return filepath.Join(filepath.FromSlash(baselineDir), scenario+".json")
}

// updateBaselines writes the baselines of this checkout.
func updateBaselines(w io.Writer, checks []checked) error {
	if _, err := os.Stat(filepath.FromSlash(baselineDir)); err != nil {
		return environment(fmt.Errorf("no folder %s here: run --update in the root of a labctl checkout", baselineDir))
	}
	for _, c := range checks {
		if err := writeBaseline(c.now); err != nil {
			return environment(err)
		}
		name := c.now.Scenario
		switch {
		case c.baseline.Scenario == "":
			fmt.Fprintf(w, "new  %s\n", name)
		case len(c.differences) == 0:
			fmt.Fprintf(w, "same %s\n", name)
		default:
			fmt.Fprintf(w, "changed %s\n", name)
		}
		if c.baseline.Scenario != "" {
			printDifferences(w, c.differences)
		}
	}
	return nil
}

func writeBaseline(r report.Result) error {
	o := output{file: baselineFile(r.Scenario)}
	return o.to(streams{}, func(w io.Writer) error { return report.WriteJSON(w, report.Baseline(r)) })
}

func printDifferences(w io.Writer, ds []report.Difference) {
	for _, d := range ds {
		fmt.Fprintf(w, "     %s\n", d.Message)
	}
}

// verdict prints the checks and fails when one did.
func (o *output) verdict(w io.Writer, checks []checked) error {
	bad := 0
	for _, c := range checks {
		if len(c.differences) > 0 {
			bad++
		}
	}
	if err := o.renderChecks(w, checks); err != nil {
		return environment(err)
	}
	if bad > 0 {
		return failed("%d of %d scenarios differ from their baseline: if that is meant, run labctl check --update", bad, len(checks))
	}
	return nil
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
		if len(c.differences) == 0 {
			fmt.Fprintf(w, "ok   %s (%d variants)\n", c.now.Scenario, len(c.now.Variants))
			continue
		}
		fmt.Fprintf(w, "FAIL %s\n", c.now.Scenario)
		printDifferences(w, c.differences)
	}
	return nil
}
