package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labctl/scenarios"
)

func listCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
			for _, sc := range scenarios.All() {
				fmt.Fprintf(w, "%s\t%s\n", sc.Name, sc.Title)
			}
			return w.Flush()
		},
	}
}
