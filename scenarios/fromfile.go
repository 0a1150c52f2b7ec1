package scenarios

import (
	"cmp"
	"fmt"
	"slices"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/file"
)

// Base is the name of a file's lab without the changes of a variant. A variant of that
// name says what is expected of it.
const Base = "base"

// FromFile makes the lab of a file a scenario, which is what everything else runs.
// It refuses conditions on what no result of the lab will have.
func FromFile(name string, lab file.Lab) (Scenario, error) {
	s := Scenario{
		Name: lab.Name, Title: lab.Title, Text: lab.Text, Topology: lab.Topology, File: name,
		Repeats: lab.Repeats,
		CheckBy: "sim",
		Expect:  expects("", lab.Expect),
		Faults:  faultsOf(lab),
	}
	if !slices.ContainsFunc(lab.Variants, func(v file.Variant) bool { return v.Name == Base }) {
		s.Variants = []Variant{{Name: Base}}
	}
	for _, v := range lab.Variants {
		s.Variants = append(s.Variants, Variant{Name: v.Name, Set: v.Set, Services: v.Services})
		s.Expect = append(s.Expect, expects(v.Name, v.Expect)...)
	}
	for _, e := range s.Expect {
		if err := CheckExpectation(&lab.Topology, e); err != nil {
			return Scenario{}, fmt.Errorf("%s:%d:%d: expect.%s: %w", name, e.Line, e.Column, e.Field, err)
		}
	}
	return s, nil
}

// Lab is the scenario as a file: a built-in one is nothing more, but for its figures.
func (s Scenario) Lab() file.Lab {
	lab := file.Lab{Name: s.Name, Title: s.Title, Text: s.Text, Topology: s.Topology, Repeats: s.Repeats}
	for _, v := range s.Variants {
		if v.Group == "" && !(len(v.Set) == 0 && v.Services == nil) {
			lab.Variants = append(lab.Variants, file.Variant{Name: v.Name, Set: v.Set, Services: v.Services})
		}
	}
	return lab
}

func expects(variant string, es []file.Expectation) []report.Expect {
	var out []report.Expect
	for _, e := range es {
		out = append(out, report.Expect{Variant: variant, Field: e.Field, Condition: e.Condition, Line: e.Line, Column: e.Column})
	}
	return out
}

// faultsOf lists the faults that a run of the base is to reach.
func faultsOf(lab file.Lab) []report.FaultAt {
	var out []report.FaultAt
	for _, s := range lab.Topology.Services {
		if s.Fault != "" {
			line, column := lab.Position("services." + s.Name + ".fault")
			out = append(out, report.FaultAt{Variant: Base, Service: s.Name, Line: line, Column: column})
		}
	}
	return out
}

// CheckExpectation refuses a condition on what no result of a topology will have,
// before anything runs.
func CheckExpectation(t *topology.Topology, e report.Expect) error {
	var layers []string
	for _, s := range t.Services {
		layers = append(layers, s.Name)
	}
	return e.Check(layers, resultRoutes(t)...)
}

// resultRoutes are the routes that a result tells apart; one without a name is all.
func resultRoutes(t *topology.Topology) []string {
	routes := t.Routes()
	if len(routes) < 2 && t.Load.For == 0 {
		return nil
	}
	for i := range routes {
		routes[i] = cmp.Or(routes[i], "all")
	}
	return routes
}
