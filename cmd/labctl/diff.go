package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"labctl/report"
)

func diffCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "diff OLD.json NEW.json",
		Short: "Show what changed between two results, by layer",
		Long: `Show what changed between two results written with --format json. Counts come
first, with the layer that caused the change; differences in time are marked,
since they say more about the machine than about the policies. Variants are
paired by name. The exit code is 0 whatever changed.`,
		Example: `  labctl run nested-retry -o old.json
  labctl run nested-retry --attempts 3,3,3 -o new.json
  labctl diff old.json new.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("say two files written by labctl run -o FILE.json: labctl diff OLD.json NEW.json")
			}
			return nil
		},
		GroupID: groupRun,
		RunE: func(_ *cobra.Command, args []string) error {
			old, err := readResults(args[0])
			if err != nil {
				return err
			}
			now, err := readResults(args[1])
			if err != nil {
				return err
			}
			return printDiff(s.out, old, now)
		},
	}
}

func readResults(file string) ([]report.Result, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w: say a file written by labctl run -o FILE.json", file, unwrapPath(err))
	}
	defer f.Close()
	found, err := report.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, unwrapPath(err))
	}
	return found, nil
}

// printDiff pairs results by scenario and says which have no partner.
func printDiff(w io.Writer, old, now []report.Result) error {
	before := map[string]report.Result{}
	for _, o := range old {
		before[o.Scenario] = o
	}
	var lines []string
	paired := map[string]bool{}
	for _, n := range now {
		if o, ok := before[n.Scenario]; ok {
			paired[n.Scenario] = true
			lines = append(lines, differences(o, n)...)
		} else {
			lines = append(lines, n.Scenario+": only in the new file")
		}
	}
	if len(paired) == 0 {
		return errors.New("the two files have no scenario in common: compare results of the same one")
	}
	for _, o := range old {
		if !paired[o.Scenario] {
			lines = append(lines, o.Scenario+": only in the old file")
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, oneLine(line)); err != nil {
			return written(err)
		}
	}
	return nil
}

func differences(old, now report.Result) []string {
	var lines []string
	for _, d := range report.Diff(old, now) {
		lines = append(lines, d.Message)
	}
	if len(lines) == 0 {
		return []string{now.Scenario + ": no difference"}
	}
	return lines
}
