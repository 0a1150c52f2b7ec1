package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/results"
)

// baselineDir is where --update writes, in a checkout.
const baselineDir = "results/check"

func baselineFile(scenario string) string {
	return filepath.Join(filepath.FromSlash(baselineDir), scenario+".json")
}

// builtInBaseline is the baseline that the program was built with.
func builtInBaseline(scenario string) (report.Result, error) {
	data, err := results.Check.ReadFile("check/" + scenario + ".json")
	if err != nil {
		return report.Result{}, fmt.Errorf("no baseline for %s: make one with labctl check --update %s in a checkout, and build again", scenario, scenario)
	}
	return parseBaseline("the baseline of "+scenario, data)
}

// checkoutBaseline is the one that an update would replace; there may be none.
func checkoutBaseline(scenario string) (report.Result, error) {
	file := baselineFile(scenario)
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return report.Result{}, nil
	}
	if err != nil {
		return report.Result{}, environment(fmt.Errorf("cannot read %s: %w", file, unwrapPath(err)))
	}
	return parseBaseline(file, data)
}

func parseBaseline(name string, data []byte) (report.Result, error) {
	found, err := report.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return report.Result{}, fmt.Errorf("%s: %w", name, err)
	}
	if len(found) != 1 {
		return report.Result{}, fmt.Errorf("%s: it holds %d results: a baseline holds one", name, len(found))
	}
	return found[0], nil
}

// update writes the baselines of this checkout. None is written before all
// scenarios have run to their end.
func (f *labFlags) update(c *cobra.Command, s streams, out *output, names []string) error {
	if changes := givenFlags(c); len(changes) > 0 {
		return fmt.Errorf("--update with %s would make a baseline that labctl check never meets: leave them out", strings.Join(changes, " "))
	}
	if out.file != "" || out.format != "table" {
		return errors.New("--update prints what changed and writes the baselines: leave out --format and -o")
	}
	if _, err := os.Stat(filepath.FromSlash(baselineDir)); err != nil && !allFiles(names) {
		return environment(fmt.Errorf("no folder %s here: run --update in the root of a labctl checkout", baselineDir))
	}
	if len(names) == 0 {
		names = scenarioNames() // cases have expectations instead
	}
	checks, err := f.checks(c, names, checkoutBaseline)
	if err != nil {
		return err
	}
	done, err := compare(c.Context(), progress{s.progress}, checks, nil)
	if isInterrupt(err) {
		return fmt.Errorf("%w: no baseline was written", err)
	}
	if err != nil {
		return err
	}
	for _, k := range done {
		to := baselineFile(k.now.Scenario)
		if name := k.job.plan.Scenario.File; name != "" {
			to = baselineBeside(name)
		}
		if err := writeBaseline(k.now, to); err != nil {
			return err
		}
		if err := printUpdate(s.out, k); err != nil {
			return written(err)
		}
	}
	return nil
}

// writeBaseline writes the release instead of the very build, so that a file
// does not change with every commit.
func writeBaseline(r report.Result, to string) error {
	r.Labctl = release
	o := output{file: to}
	sink, err := o.open(streams{})
	if err != nil {
		return err
	}
	defer sink.discard()
	if err := report.WriteJSON(sink.w, report.Baseline(r)); err != nil {
		return written(err)
	}
	return sink.commit()
}

func printUpdate(w io.Writer, k checked) error {
	what := "changed"
	switch {
	case k.baseline.Scenario == "":
		_, err := fmt.Fprintf(w, "new     %s\n", k.now.Scenario)
		return err
	case len(k.differences) == 0:
		what = "same   "
	}
	if _, err := fmt.Fprintf(w, "%s %s\n", what, k.now.Scenario); err != nil {
		return err
	}
	return printDifferences(w, k.differences)
}
