package main

import (
	"github.com/spf13/cobra"
)

// newRoot builds the command tree anew for each call, so that nothing is shared
// between tests.
func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "labctl",
		Short: "A lab bench for retries: how many requests does one click become?",
		Long: `labctl builds chains of services whose layers each retry in their own way, puts a
faulty tail at the end that counts every hit, releases herds of clients at one
instant, and shows what arrives: amplification tables and histograms.

Start with:  labctl run nested-retry`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.AddCommand(runCommand(s), checkCommand(s), diffCommand(s), listCommand(s), describeCommand(s), doctorCommand(s), versionCommand(s))
	return root
}
