package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"labctl/report"
)

// Only is the scenario with one of its variants, and what is known of that one.
func (s Scenario) Only(variant string) (Scenario, error) {
	all := s.Variants
	s.Variants = only(all, func(v Variant) bool { return v.Name == variant && v.Group == "" })
	if len(s.Variants) != 1 {
		var names []string
		for _, v := range all {
			if v.Group == "" {
				names = append(names, v.Name)
			}
		}
		return s, fmt.Errorf("%s has no variant %q: choose %s", s.Name, variant, strings.Join(names, ", "))
	}
	s.siblings = only(all, func(v Variant) bool { return v.Group == "" })
	s.Grids = nil // whose cells are variants
	s.Figures = only(s.Figures, func(f Figure) bool { return slices.Equal(f.Variants, []string{variant}) })
	s.Expect = only(s.Expect, func(e report.Expect) bool { return e.Variant == "" || e.Variant == variant })
	s.Faults = only(s.Faults, func(f report.FaultAt) bool { return f.Variant == variant })
	return s, nil
}

// only are the elements that are wanted, in a list of their own.
func only[T any](all []T, wanted func(T) bool) []T {
	var out []T
	for _, x := range all {
		if wanted(x) {
			out = append(out, x)
		}
	}
	return out
}
