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
	if len(names) == 0 {
		return nil, fmt.Errorf("say what to run: a scenario (labctl list names them), %s, or a FILE.yaml", articles)
	}
	var out []scenarios.Scenario
	for _, name := range names {
		found := scenarios.Articles()
		if isFile(name) {
			s, err := scenarioOf(name)
			if err != nil {
				return nil, err
			}
			found = []scenarios.Scenario{s}
		} else if name != articles {
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

// unknownScenario names the one that was probably meant, and not all the others.
func unknownScenario(name string) error {
	switch {
	case name == "false" || name == "true":
		return fmt.Errorf("no scenario %q: a flag that is on or off takes its value with an equals sign, as in --barrier=%s", name, name)
	case strings.HasSuffix(name, ".json"):
		return fmt.Errorf("%s is no lab, which is a FILE.yaml: labctl report %s shows a result that was saved", name, shellWord(name))
	}
	if meant := suggest.Nearest(name, append(scenarioNames(), articles)); meant != "" {
		return fmt.Errorf("no scenario %q: did you mean %s?", name, meant)
	}
	return fmt.Errorf("no scenario %q: labctl list names them", name)
}

func scenarioNames() []string {
	var names []string
	for _, s := range scenarios.All() {
		names = append(names, s.Name)
	}
	return names
}

// completeScenarios offers the names with what they show.
func completeScenarios(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	for _, s := range scenarios.All() {
		if !slices.Contains(given, s.Name) {
			offers = append(offers, cobra.CompletionWithDesc(s.Name, s.Title))
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}
