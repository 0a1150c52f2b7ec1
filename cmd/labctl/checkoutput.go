package main

import (
	"encoding/json"
	"fmt"
	"io"

	"labctl/report"
)

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
