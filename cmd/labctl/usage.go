package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupUsage makes the help of a command show its flags by what they are for:
// two dozen flags in one alphabet say nothing to a newcomer.
func groupUsage(c *cobra.Command, groups []flagGroup) {
	c.SetUsageFunc(func(c *cobra.Command) error {
		w := c.OutOrStdout()
		_, err := io.WriteString(w, usageText(c, groups, page(w)))
		return err
	})
}

func usageText(c *cobra.Command, groups []flagGroup, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n\nExamples:\n%s\n", c.UseLine(), c.Example)
	rest := newFlags()
	shown := map[string]bool{}
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s\n%s", g.title, g.flags.FlagUsagesWrapped(width))
		g.flags.VisitAll(func(f *pflag.Flag) { shown[f.Name] = true })
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !shown[f.Name] {
			rest.AddFlag(f)
		}
	})
	fmt.Fprintf(&b, "\nOther:\n%s", rest.FlagUsagesWrapped(width))
	return b.String()
}
