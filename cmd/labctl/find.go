package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"labctl/internal/suggest"
	"labctl/scenarios"
)

// articles names all scenarios together.
const articles = "articles"

// findScenarios returns the scenarios of these names, each once.
func findScenarios(names []string) ([]scenarios.Scenario, error) {
	var out []scenarios.Scenario
	for _, name := range names {
		found := scenarios.All()
		if name != articles {
			s, ok := scenarios.Find(name)
			if !ok {
				return nil, unknownScenario(name)
			}
			found = []scenarios.Scenario{s}
		}
		for _, s := range found {
			if !slices.ContainsFunc(out, func(o scenarios.Scenario) bool { return o.Name == s.Name }) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

func unknownScenario(name string) error {
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		return fmt.Errorf("%s: this version runs built-in scenarios only: choose %s", name, strings.Join(scenarioNames(), ", "))
	}
	return fmt.Errorf("no scenario %q: choose %s%s", name, strings.Join(scenarioNames(), ", "), suggest.DidYouMean(name, scenarioNames()))
}

func scenarioNames() []string {
	var names []string
	for _, s := range scenarios.All() {
		names = append(names, s.Name)
	}
	return names
}

func completeScenarios(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return scenarioNames(), cobra.ShellCompDirectiveNoFileComp
}

// byFlag names the flag instead of the field, for an error in a field that a
// flag sets.
func byFlag(err error) error {
	for _, p := range plainFlags {
		if rest, ok := strings.CutPrefix(err.Error(), p.path+":"); ok {
			return fmt.Errorf("--%s:%s", p.name, rest)
		}
	}
	return err
}
