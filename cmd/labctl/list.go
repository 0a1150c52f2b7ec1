package main

import (
	"io"

	"github.com/spf13/cobra"

	"labctl/scenarios"
)

func listCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Long: `List the scenarios, one a line. labctl describe NAME explains one, labctl run NAME
runs it.`,
		Args:    nothing,
		GroupID: groupLook,
		RunE: func(*cobra.Command, []string) error {
			var rows [][]string
			for _, sc := range scenarios.All() {
				rows = append(rows, []string{sc.Name, sc.Title})
			}
			// Wrapped on a terminal only: elsewhere a line is a scenario.
			_, err := io.WriteString(s.out, columns(0, rows, terminalWidth(s.out)))
			return written(err)
		},
	}
}
