package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"labctl/internal/suggest"
)

// completionCommand replaces cobra's own, which answers an unknown shell with
// its help and exit code 0.
func completionCommand(s streams) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion " + strings.Join(shells, "|"),
		Short:     "Print a completion script for a shell",
		Long:      "Print a script that teaches a shell to complete labctl's commands, flags and\nscenarios.",
		Example:   "  source <(labctl completion bash)\n  labctl completion zsh > \"${fpath[1]}/_labctl\"\n  labctl completion fish | source",
		ValidArgs: shells,
		GroupID:   groupTools,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("say for which shell: %s", strings.Join(shells, ", "))
			}
			switch root := c.Root(); args[0] {
			case "bash":
				return written(root.GenBashCompletionV2(s.out, true))
			case "zsh":
				return written(root.GenZshCompletion(s.out))
			case "fish":
				return written(root.GenFishCompletion(s.out, true))
			case "powershell":
				return written(root.GenPowerShellCompletionWithDesc(s.out))
			}
			return fmt.Errorf("no completion for %q: choose %s%s", args[0], strings.Join(shells, ", "), suggest.DidYouMean(args[0], shells))
		},
	}
}
