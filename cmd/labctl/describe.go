package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/file"
	"labctl/topology/sim"
)

func describeCommand(s streams) *cobra.Command {
	var yaml bool
	var format string
	c := &cobra.Command{
		Use:   "describe NAME|FILE.yaml",
		Short: "Explain a scenario: topology, variants, figures, how to read it",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("say which one scenario: labctl list names them")
			}
			return nil
		},
		ValidArgsFunction: cobra.CompletionFunc(func(c *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(given) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completeScenarios(c, given, word)
		}),
		GroupID: groupLook,
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "table" && format != "markdown" {
				return fmt.Errorf("--format %q: choose table, markdown", format)
			}
			found, err := findScenarios(args)
			if err != nil {
				return err
			}
			if len(found) != 1 {
				return errors.New("say which one scenario: labctl list names them")
			}
			text := ""
			switch {
			case yaml:
				text = string(file.Write(found[0].Lab()))
			case format == "markdown":
				text = describeMarkdown(found[0])
			default:
				text = describe(found[0], page(s.out))
			}
			_, err = io.WriteString(s.out, text)
			return written(err)
		},
	}
	c.Flags().StringVar(&format, "format", "table", "how it looks, a `format`: table, markdown")
	c.Flags().BoolVar(&yaml, "yaml", false, "print it as a file, to be changed and run")
	return c
}

func describe(s scenarios.Scenario, width int) string {
	return fmt.Sprintf("%s\n%s\n%s\n\nTopology: %s\n%s\nVariants:\n%s\nFigures, as published and as a correct lab shows them:\n%s\nIn virtual time (--engine sim) the lab models:\n%s\nand leaves out, which a live run has:\n%s\nRun it:  labctl run %s\n",
		s.Name, hang("", s.Title, width), s.Text,
		chain(s.Topology), columns(2, topologyRows(s.Topology), width),
		columns(2, variantRows(s, asItIs), width),
		describeFigures(s.Figures, width),
		bullets(sim.Modelled, width), bullets(sim.NotModelled, width), s.Name)
}

func bullets(lines []string, width int) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(hang("  - ", line, width))
	}
	return b.String()
}

func chain(t topology.Topology) string {
	var names []string
	for _, s := range t.Services {
		names = append(names, s.Name)
	}
	return strings.Join(names, " → ")
}

func retries(n int) string {
	if n == 1 {
		return "1 retry"
	}
	return fmt.Sprintf("%d retries", n)
}

// asItIs prints a setting without anything around it.
func asItIs(setting string) string { return setting }

// variantRows says what each variant changes; code is how a setting is printed.
func variantRows(s scenarios.Scenario, code func(string) string) [][]string {
	var rows [][]string
	for _, v := range s.Variants {
		if v.Group == "" {
			what := changes(v, code)
			if v.Reference {
				what += " (the reference: it keeps this whatever flags say)"
			}
			rows = append(rows, []string{v.Name, what})
		}
	}
	if s.Scaled != "" {
		rows = append(rows, []string{"(live)", s.Scaled})
	}
	for _, g := range s.Grids {
		how := ""
		if g.OnRequest {
			how = " (with --grid)"
		}
		rows = append(rows, []string{g.Name, g.Title + how})
	}
	return rows
}

func changes(v scenarios.Variant, code func(string) string) string {
	if len(v.Set) == 0 {
		return "as above"
	}
	var parts []string
	for _, s := range v.Set {
		parts = append(parts, code(s.Path+"="+s.Value))
	}
	return strings.Join(parts, " ")
}

// describeFigures gives each figure lines of its own: published values are now
// a number and now a sentence, which no column holds.
func describeFigures(figures []scenarios.Figure, width int) string {
	var b strings.Builder
	timed := false
	for _, f := range figures {
		mark := ""
		if f.Timing {
			mark, timed = " *", true
		}
		tolerance := " (" + f.Tolerance.String() + ")"
		if f.Expected == nil {
			b.WriteString(hang("  "+f.ID+mark+"  ", valueText(f.Published)+tolerance, width))
			continue
		}
		fmt.Fprintf(&b, "  %s%s\n", f.ID, mark)
		b.WriteString(columns(6, [][]string{
			{"published", valueText(f.Published)},
			{"correct", valueText(f.Expected) + tolerance},
		}, width))
	}
	if timed {
		b.WriteString(hang("  * ", "depends on when hits arrive, so in a live run the machine has a say in it", width))
	}
	return b.String()
}

// valueText prints a list without Go's brackets.
func valueText(v any) string {
	if v == nil {
		return "– (the source prints no number)"
	}
	return strings.Trim(fmt.Sprint(v), "[]")
}
