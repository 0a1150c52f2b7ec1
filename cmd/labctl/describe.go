package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
)

func describeCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:               "describe NAME",
		Short:             "Explain a scenario: topology, variants, figures, how to read it",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeScenarios,
		RunE: func(_ *cobra.Command, args []string) error {
			sc, ok := scenarios.Find(args[0])
			if !ok {
				return unknownScenario(args[0])
			}
			return describe(s.out, sc)
		},
	}
}

func describe(w io.Writer, s scenarios.Scenario) error {
	fmt.Fprintf(w, "%s\n%s\n\n%s\n", s.Name, s.Title, s.Text)
	fmt.Fprintf(w, "\nTopology: %s\n", chain(s.Topology))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, svc := range s.Topology.Services {
		fmt.Fprintf(t, "  %s\t%s\n", svc.Name, role(svc))
	}
	fmt.Fprintf(t, "  load\t%d clients, %d requests each\n", s.Topology.Load.Herd.Clients, s.Topology.Load.Herd.PerClient())
	fmt.Fprintf(t, "  run\tbins of %v, seed %d\n", s.Topology.Run.Bin, s.Topology.Run.Seed)
	describeVariants(t, s)
	describeFigures(t, s.Figures)
	return t.Flush()
}

func chain(t topology.Topology) string {
	var names []string
	for _, s := range t.Services {
		names = append(names, s.Name)
	}
	return strings.Join(names, " → ")
}

// role says what a service does with a request.
func role(s topology.Service) string {
	if len(s.Calls) == 0 {
		if s.Fault == "" {
			return "answers ok"
		}
		return "answers by the fault program " + s.Fault
	}
	p := report.DescribeCall(s.Calls[0])
	text := fmt.Sprintf("calls %s: %d attempts (%d retries)", s.Calls[0].To, p.Attempts, p.Retries)
	for _, part := range []struct{ name, value string }{
		{"rest", p.Rest}, {"backoff", p.Backoff}, {"cap", p.Cap}, {"jitter", p.Jitter}, {"timeout", p.Timeout},
	} {
		if part.value != "" {
			text += ", " + part.name + " " + part.value
		}
	}
	return text
}

func describeVariants(w io.Writer, s scenarios.Scenario) {
	fmt.Fprintf(w, "\nVariants:\n")
	for _, v := range s.Variants {
		if v.Group == "" {
			fmt.Fprintf(w, "  %s\t%s\n", v.Name, changes(v))
		}
	}
	for _, g := range s.Grids {
		how := ""
		if g.OnRequest {
			how = " (with --grid)"
		}
		fmt.Fprintf(w, "  %s\t%s%s\n", g.Name, g.Title, how)
	}
}

func changes(v scenarios.Variant) string {
	if len(v.Set) == 0 {
		return "as above"
	}
	var parts []string
	for _, s := range v.Set {
		parts = append(parts, s.Path+"="+s.Value)
	}
	return strings.Join(parts, " ")
}

func describeFigures(w io.Writer, figures []scenarios.Figure) {
	fmt.Fprintf(w, "\nFigures:\n  id\tpublished\ta correct lab\ttolerance\n")
	for _, f := range figures {
		expected := f.Expected
		if expected == nil {
			expected = f.Published
		}
		note := f.Tolerance.String()
		if f.Timing {
			note += ", shaped by the machine in a live run"
		}
		fmt.Fprintf(w, "  %s\t%v\t%v\t%s\n", f.ID, f.Published, expected, note)
	}
}
