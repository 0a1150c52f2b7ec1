package main

import (
	"errors"
	"fmt"
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
since they say more about the machine than about the policies.`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			old, err := readResults(args[0])
			if err != nil {
				return err
			}
			now, err := readResults(args[1])
			if err != nil {
				return err
			}
			return printDiff(s, old, now)
		},
	}
}

func readResults(file string) ([]report.Result, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", file, unwrapPath(err))
	}
	defer f.Close()
	found, err := report.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return found, nil
}

// printDiff pairs results by scenario.
func printDiff(s streams, old, now []report.Result) error {
	paired := 0
	for _, o := range old {
		for _, n := range now {
			if o.Scenario != n.Scenario {
				continue
			}
			paired++
			differences := report.Diff(o, n)
			if len(differences) == 0 {
				fmt.Fprintf(s.out, "%s: no difference\n", n.Scenario)
			}
			for _, d := range differences {
				fmt.Fprintln(s.out, d.Message)
			}
		}
	}
	if paired == 0 {
		return errors.New("the two files have no scenario in common: compare results of the same one")
	}
	return nil
}
