package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"labctl/internal/suggest"
)

// Groups of commands in the help.
const (
	groupRun   = "run"
	groupFile  = "file"
	groupAudit = "audit"
	groupHosts = "hosts"
	groupLook  = "look"
	groupTools = "tools"
)

// newRoot builds the command tree anew for each call, so that nothing is shared
// between tests.
func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "labctl",
		Short: "A lab bench for retries: how many requests does one click become?",
		Long: `labctl builds chains of services whose layers each retry in their own way, puts
a faulty tail at the end that counts every hit, releases herds of clients at one
instant, and shows what arrives: amplification tables and histograms.

Start with:  labctl run nested-retry`,
		Args:          noCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(), // for --version
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate(versionLine())
	root.CompletionOptions.DisableDefaultCmd = true // see completionCommand
	root.AddGroup(
		&cobra.Group{ID: groupRun, Title: "Run and compare:"},
		&cobra.Group{ID: groupFile, Title: "Your own system in a file:"},
		&cobra.Group{ID: groupAudit, Title: "Measure what you run:"},
		&cobra.Group{ID: groupHosts, Title: "On real hosts:"},
		&cobra.Group{ID: groupLook, Title: "Look things up:"},
		&cobra.Group{ID: groupTools, Title: "The program itself:"},
	)
	root.AddCommand(runCommand(s), uiCommand(s), checkCommand(s), auditCommand(s), sweepCommand(s), tipCommand(s), diffCommand(s),
		initCommand(s), fmtCommand(s), schemaCommand(s), boundCommand(s), importCommand(s),
		serveCommand(s), probeCommand(s), traceCommand(s), nodeCommand(s), collectCommand(s), readyCommand(), exportCommand(s), reportCommand(s), listCommand(s), describeCommand(s), doctorCommand(s),
		versionCommand(s), completionCommand(s), manCommand())
	root.SetHelpCommand(helpCommand())
	return root
}

// helpCommand is cobra's, but for an error where there is no such command.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Explain a command and its flags",
		GroupID: groupTools,
		RunE: func(c *cobra.Command, args []string) error {
			topic, _, err := c.Root().Find(args)
			if err != nil || topic == c.Root() && len(args) > 0 {
				return noCommand(c.Root(), args)
			}
			topic.InitDefaultHelpFlag() // cobra's, which it adds to the running command only
			topic.InitDefaultVersionFlag()
			return topic.Help()
		},
	}
}

// noCommand refuses words that are no command. A scenario is a likely one.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := args[0]
	if word == articles || slices.Contains(scenarioNames(), word) {
		return fmt.Errorf("no command %q: it is a scenario: labctl run %s", word, word)
	}
	var known []string
	for _, c := range root.Commands() {
		known = append(known, c.Name())
	}
	return fmt.Errorf("no command %q: labctl help lists them%s", word, suggest.DidYouMean(word, known))
}

// nothing refuses arguments of a command that takes none.
func nothing(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments: leave out %s", c.Name(), strings.Join(args, " "))
}
