package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"labctl/internal/suggest"
	"labctl/report"
	"labctl/scenarios"
)

// tipFlags say what tips, and over which setting.
type tipFlags struct {
	over, variant, resolution, condition string
	lab                                  labFlags
}

func tipCommand(s streams) *cobra.Command {
	var f tipFlags
	c := &cobra.Command{
		Use:   "tip NAME|FILE.yaml --over PATH=LOW..HIGH",
		Short: "Find the value of a setting at which a system tips over",
		Long: `Find the tipping point of one setting, in virtual time: the last value with
which a condition still holds, and the first with which it does not. Both ends
of the range are run, and then the middle of what is left, until the two values
are no further apart than the resolution.

It takes for granted that the condition tips once: of several tipping points in
the range it finds one, and where both ends give the same it finds none (exit
code 2).

The values of PATH are durations (9s), percentages (20%), rates (40/s) or whole
numbers. Where the number stands inside other text, braces hold the range:
30s..{31s..60s}:20% tries 30s..45.5s:20%. Without --variant it is the scenario
without what its variants change.`,
		Example: `  labctl tip metastable --variant safe-149 --over load.rate=100/s..280/s
  labctl tip metastable --variant osdi-80-10s --resolution 10ms \
    --over 'services.a.speed=30s..{31s..60s}:20%'
  labctl tip lab.yaml --over services.a.time=1ms..1s --for 'p99=<= 800ms'`,
		GroupID: groupRun,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == articles {
				return errors.New("tip takes one lab: labctl tip metastable --over load.rate=100/s..280/s")
			}
			return nil
		},
		ValidArgsFunction: completeScenarios,
		RunE: func(c *cobra.Command, names []string) error {
			t, s0, err := f.tipping(c, names)
			if err != nil {
				return err
			}
			tip, err := findTip(c.Context(), progress{s.progress}, s0, t)
			if err != nil {
				return err
			}
			return written(f.print(s.out, s0, t, tip, names[0]))
		},
	}
	groupUsage(c, addGroups(c, f.groups()...))
	return c
}

func (f *tipFlags) groups() []flagGroup {
	search, lab := newFlags(), newFlags()
	search.StringVar(&f.over, "over", "", "the setting and its range, as `path=low..high`")
	search.StringVar(&f.condition, "for", "recovered=true", "what tips, as `field=condition`: a field of a file's expect and what it has to be, as in 'p99=<= 800ms'")
	search.StringVar(&f.resolution, "resolution", "1%", "how close the two values come: a `share` of the range, or an amount such as 10ms")
	lab.StringVar(&f.variant, "variant", "", "`name` of the variant whose setting it is")
	lab.StringArrayVar(&f.lab.set, "set", nil, "change any other field, as `path=value`; may stand several times")
	return []flagGroup{{"Search:", search}, {"Lab:", lab}}
}

// tipping plans the search. Nothing starts before both ends can be run.
func (f *tipFlags) tipping(c *cobra.Command, names []string) (scenarios.Tipping, scenarios.Scenario, error) {
	var t scenarios.Tipping
	chosen, err := findScenarios(names)
	if err != nil {
		return t, scenarios.Scenario{}, err
	}
	s := chosen[0]
	if f.over == "" {
		return t, s, errors.New("over what? say a setting and its range, such as --over load.rate=100/s..280/s")
	}
	v, err := variantNamed(s, f.variant)
	if err != nil {
		return t, s, err
	}
	over, err := scenarios.ParseOver(f.over)
	if err != nil {
		return t, s, err
	}
	field, condition, ok := strings.Cut(f.condition, "=")
	if !ok || field == "" || strings.ContainsAny(field, "<>!") {
		return t, s, fmt.Errorf("--for %q: write it as field=condition, such as recovered=true or 'p99=<= 800ms'", f.condition)
	}
	o, err := f.lab.overrides(c, s)
	if err != nil {
		return t, s, err
	}
	t, err = scenarios.NewTipping(s, v, o, over, report.Expect{Field: strings.TrimSpace(field), Condition: strings.TrimSpace(condition)}, f.resolution)
	if err != nil {
		return t, s, err
	}
	ends := scenarios.Plan{Scenario: s, Runs: t.Ends[:]}
	if err := affordable(ends, nil); err != nil {
		return t, s, err
	}
	return t, s, countable(ends, nil)
}

// variantNamed is the variant to change; without a name the scenario as it is.
func variantNamed(s scenarios.Scenario, name string) (scenarios.Variant, error) {
	var names []string
	for _, v := range s.Variants {
		if v.Name == name {
			return v, nil
		}
		if v.Group == "" {
			names = append(names, v.Name)
		}
	}
	if name == "" {
		return scenarios.Variant{}, nil
	}
	return scenarios.Variant{}, fmt.Errorf("--variant: %s has no %q: choose %s%s", s.Name, name, strings.Join(names, ", "), suggest.DidYouMean(name, names))
}

func findTip(ctx context.Context, p progress, s scenarios.Scenario, t scenarios.Tipping) (scenarios.Tip, error) {
	b := newBar(p, t.Runs)
	defer b.close()
	sim := b.watch(scenarios.Plan{Scenario: s}, t.Runs, "clients", scenarios.Sim)
	return t.Find(ctx, func(ctx context.Context, r scenarios.Run) (report.Variant, []report.Warning, error) {
		v, warnings, err := sim(ctx, r)
		if err != nil {
			err = environment(fmt.Errorf("%s: %w", s.Name, err))
		}
		return v, warnings, err
	})
}

func (f *tipFlags) print(out io.Writer, s scenarios.Scenario, t scenarios.Tipping, tip scenarios.Tip, name string) error {
	var b bytes.Buffer
	title := s.Name
	if f.variant != "" {
		title += ", variant " + f.variant
	}
	_, values, _ := strings.Cut(f.over, "=")
	b.WriteString(report.Wrap("", fmt.Sprintf("%s: %s over %s, in virtual time", title, t.Over.Path, values), page(out), 2) + "\n\n")
	if err := report.Rows(&b, [][]string{
		{scenarios.Asked(t.Expect), "with", "measured"},
		{"holds", tip.Holds.Amount.String(), tip.Holds.Measured()},
		{"does not", tip.Fails.Amount.String(), tip.Fails.Measured()},
	}, terminalWidth(out)); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\n%s. To see either:\n\n", plural(tip.Runs, "run"))
	for _, p := range []scenarios.Probe{tip.Holds, tip.Fails} {
		line := "labctl run " + shellWord(name) + " --engine sim"
		if variant := t.Variant(p); variant != "" {
			line += " --variant " + shellWord(variant)
		}
		for _, set := range f.lab.set {
			line += " --set " + shellWord(set)
		}
		fmt.Fprintf(&b, "  %s --set %s\n", line, shellWord(t.Over.Path+"="+p.Run.Name))
	}
	_, err := out.Write(b.Bytes())
	return err
}
