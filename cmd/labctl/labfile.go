package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labctl/report"
	"labctl/scenarios"
	"labctl/scenarios/cases"
	"labctl/topology"
	"labctl/topology/file"
)

// isFile reports whether a name is that of a file and not of a built-in scenario.
func isFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// readLab reads a lab from a file.
func readLab(name string) (file.Lab, error) {
	if data, err := cases.Files.ReadFile(strings.TrimPrefix(name, casePrefix)); err == nil && strings.HasPrefix(name, casePrefix) {
		return file.Read(name, data)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return file.Lab{}, fmt.Errorf("cannot read %s: %w: labctl init writes one to start from", name, unwrapPath(err))
	case info.Size() > file.MaxBytes:
		return file.Lab{}, fmt.Errorf("%s: %d bytes are over the limit of %d", name, info.Size(), file.MaxBytes)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return file.Lab{}, fmt.Errorf("cannot read %s: %w", name, unwrapPath(err))
	}
	return file.Read(name, data)
}

// casePrefix begins the names of the cases that the program brings along.
const casePrefix = "cases/"

// caseNames lists them.
func caseNames() []string {
	entries, _ := cases.Files.ReadDir(".") // embedded: it is there
	var names []string
	for _, e := range entries {
		names = append(names, casePrefix+e.Name())
	}
	return names
}

// scenarioOf makes a lab a scenario, which is what everything else runs.
func scenarioOf(name string) (scenarios.Scenario, error) {
	lab, err := readLab(name)
	if err != nil {
		return scenarios.Scenario{}, err
	}
	s := scenarios.Scenario{
		Name: lab.Name, Title: lab.Title, Text: lab.Text, Topology: lab.Topology, File: name,
		Variants: []scenarios.Variant{{Name: baseVariant}},
		Repeats:  lab.Repeats,
		CheckBy:  "sim",
	}
	s.Expect = expects("", lab.Expect)
	for _, v := range lab.Variants {
		s.Variants = append(s.Variants, scenarios.Variant{Name: v.Name, Set: v.Set, Services: v.Services})
		s.Expect = append(s.Expect, expects(v.Name, v.Expect)...)
	}
	s.Faults = faultsOf(lab)
	return s, checkExpectations(name, lab, s.Expect)
}

// baseVariant is the lab of a file without the changes of a variant.
const baseVariant = "base"

func expects(variant string, es []file.Expectation) []report.Expect {
	var out []report.Expect
	for _, e := range es {
		out = append(out, report.Expect{Variant: variant, Field: e.Field, Condition: e.Condition, Line: e.Line, Column: e.Column})
	}
	return out
}

// faultsOf lists the faults that a run is to reach.
func faultsOf(lab file.Lab) []report.FaultAt {
	var out []report.FaultAt
	for _, s := range lab.Topology.Services {
		if s.Fault != "" {
			line, column := lab.Position("services." + s.Name + ".fault")
			out = append(out, report.FaultAt{Variant: baseVariant, Service: s.Name, Line: line, Column: column})
		}
	}
	return out
}

// checkExpectations refuses conditions on what no result has, before anything runs.
func checkExpectations(name string, lab file.Lab, es []report.Expect) error {
	var layers []string
	for _, s := range lab.Topology.Services {
		layers = append(layers, s.Name)
	}
	routes := routesOf(lab.Topology)
	for _, e := range es {
		if err := e.Check(layers, routes...); err != nil {
			return fmt.Errorf("%s:%d:%d: expect.%s: %w", name, e.Line, e.Column, e.Field, err)
		}
	}
	return nil
}

func routesOf(t topology.Topology) []string {
	routes := t.Routes()
	if len(routes) < 2 && t.Load.For == 0 {
		return nil
	}
	for i := range routes {
		routes[i] = cmp.Or(routes[i], "all")
	}
	return routes
}

// labOf writes a built-in scenario as a file: it is nothing more than that, and its
// figures.
func labOf(s scenarios.Scenario) file.Lab {
	lab := file.Lab{Name: s.Name, Title: s.Title, Text: s.Text, Topology: s.Topology, Repeats: s.Repeats}
	for _, v := range s.Variants {
		if v.Group == "" && !(len(v.Set) == 0 && v.Services == nil) {
			lab.Variants = append(lab.Variants, file.Variant{Name: v.Name, Set: v.Set, Services: v.Services})
		}
	}
	return lab
}

// baselineBeside is where the baseline of a file lies.
func baselineBeside(name string) string {
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".baseline.json"
}

// expectationsFail says that some expectation of a file does not hold.
func expectationsFail(results []report.Result) error {
	bad, all := 0, 0
	for _, r := range results {
		all += len(r.Expectations)
		for _, v := range r.Expectations {
			if !v.Pass {
				bad++
			}
		}
	}
	if bad == 0 {
		return nil
	}
	return failed("%d of %s %s not hold", bad, plural(all, "expectation"), map[bool]string{true: "does", false: "do"}[bad == 1])
}

// allFiles reports whether only files are named.
func allFiles(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return !isFile(n) })
}
