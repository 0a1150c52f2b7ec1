package main

import (
	"encoding/json"
	"fmt"
	"io"

	"labctl/report"
)

func (o *output) renderChecks(w io.Writer, checks []checked) error {
	switch o.format {
	case "github":
		return o.checkAnnotations(w, checks)
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

// checkAnnotations says at the lines of files what is not as it was, or not as it is
// meant to be.
func (o *output) checkAnnotations(w io.Writer, checks []checked) error {
	var all []report.Annotation
	for _, c := range checks {
		name := c.job.plan.Scenario.File
		all = append(all, report.ExpectationAnnotations(name, c.now.Expectations)...)
		all = append(all, report.DifferenceAnnotations(name, c.differences)...)
	}
	return report.WriteGitHub(w, all...)
}

func (o *output) printCheck(w io.Writer, c checked) error {
	unmet := report.Failed(c.now.Expectations)
	if len(c.differences) > 0 || len(unmet) > 0 {
		if _, err := fmt.Fprintf(w, "FAIL %s\n", c.now.Scenario); err != nil {
			return err
		}
		for _, v := range unmet {
			if _, err := fmt.Fprintf(w, "     %s\n", v.Message()); err != nil {
				return err
			}
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
