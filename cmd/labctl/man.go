package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages into a folder",
		Long: `Write a man page for labctl and for each of its commands into a folder, which
has to be there. make install does that and puts them in place.`,
		Example: "  labctl man . && man ./labctl-run.1",
		GroupID: groupTools,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("say into which folder: labctl man DIR")
			}
			for _, page := range append(subcommands(c.Root()), c.Root()) {
				name := filepath.Join(args[0], manName(page)+".1")
				if err := os.WriteFile(name, []byte(manPage(page)), 0o644); err != nil {
					return environment(fmt.Errorf("cannot write %s: %w", name, unwrapPath(err)))
				}
			}
			return nil
		},
	}
}

// subcommands are those that help shows.
func subcommands(root *cobra.Command) []*cobra.Command {
	var found []*cobra.Command
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			found = append(found, c)
		}
	}
	return found
}

func manName(c *cobra.Command) string {
	return strings.ReplaceAll(c.CommandPath(), " ", "-")
}

// manPage is the help of a command in the form that man reads. Flags are laid
// out as help lays them out: in groups, which say more than an alphabet.
func manPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag() // cobra's, which it adds to the running command only
	c.InitDefaultVersionFlag()
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" %q\n", roff(strings.ToUpper(manName(c))), "labctl "+version())
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	b.WriteString(".SH DESCRIPTION\n")
	for i, paragraph := range strings.Split(long, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		if strings.HasPrefix(paragraph, "  ") {
			paragraph = ".nf\n" + roff(paragraph) + "\n.fi"
		} else {
			paragraph = roff(paragraph)
		}
		b.WriteString(paragraph + "\n")
	}
	fmt.Fprintf(&b, ".SH USAGE\n.nf\n%s\n.fi\n.SH SEE ALSO\n%s\n", roff(strings.TrimSpace(c.UsageString())), seeAlso(c))
	return b.String()
}

func seeAlso(c *cobra.Command) string {
	if c.HasParent() {
		return ".BR " + roff(manName(c.Parent())) + " (1)"
	}
	var pages []string
	for _, sub := range subcommands(c) {
		pages = append(pages, ".BR "+roff(manName(sub))+" (1)")
	}
	return strings.Join(pages, "\n")
}

// roff keeps a text from meaning anything to man, and its dashes dashes.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
