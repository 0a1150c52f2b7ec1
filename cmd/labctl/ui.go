package main

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/file"
	"labctl/ui"
)

// uiFlags say where the page is.
type uiFlags struct {
	listen string
	noOpen bool
}

func uiCommand(s streams) *cobra.Command {
	var f uiFlags
	c := &cobra.Command{
		Use:   "ui [NAME|FILE.yaml|POLICY.yaml]",
		Short: "Open a local page with sliders that shows at once what arrives",
		Long: `Open a local page: move sliders for layers, attempts, rests, jitter, clients, the
outage and the tail's capacity, and see at once the hits per bin, the retries apart
from the first wave, and the verdict in words. What is on the screen can be taken
home as a file or as a command, and is in the page's address. A live run can be
started from it and watched beside its shadow in virtual time.

It starts from a scenario, from a lab in a file, or from a policy file such as labctl
audit writes, which then are the policies of a herd's clients.

The page is served on loopback alone, everything in it comes from this program, and
its address holds a secret: others on this machine cannot use it without. Ctrl-C
ends it.`,
		Example: `  labctl ui
  labctl ui metastable --no-open
  labctl ui checkout.yaml --listen 127.0.0.1:8480`,
		Args:              atMostOne("say one scenario, lab or policy file, or none"),
		ValidArgsFunction: completeScenarios,
		GroupID:           groupRun,
		RunE: func(c *cobra.Command, args []string) error {
			labs, err := uiLabs(args)
			if err != nil {
				return err
			}
			if err := ui.CheckListen(f.listen); err != nil {
				return err
			}
			return f.serve(c.Context(), s, labs)
		},
	}
	flags := newFlags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "`address` on loopback; port 0 takes a free one")
	flags.BoolVar(&f.noOpen, "no-open", false, "print the address only; otherwise a browser is opened where the output is a terminal")
	groupUsage(c, addGroups(c, flagGroup{"Page:", flags}))
	return c
}

// uiLabs are what the page can start from, with what the user names in front.
func uiLabs(args []string) (ui.Labs, error) {
	labs := ui.BuiltIn()
	if len(args) == 0 {
		return labs.First("jitter-herd"), nil
	}
	name := args[0]
	if !isFile(name) {
		if _, ok := scenarios.Find(name); !ok {
			return nil, unknownScenario(name)
		}
		return labs.First(name), nil
	}
	own, err := uiFile(name)
	return append(ui.Labs{own}, labs...), err
}

// uiFile reads a lab or a policy file, whichever it is.
func uiFile(name string) (ui.Lab, error) {
	data, err := readBounded(name, "labctl init writes a lab to start from, labctl audit a policy file")
	if err != nil {
		if !strings.HasPrefix(name, casePrefix) {
			return ui.Lab{}, err
		}
		data = nil // a case that the program brings along
	}
	if data != nil && file.IsPolicies(data) {
		policies, err := file.ReadPolicies(name, data)
		if err != nil {
			return ui.Lab{}, err
		}
		return ui.Of(name, scenarios.LayerPolicies{Layer: topology.ClientName, Policies: policies, Text: filepath.Base(name)})
	}
	s, err := scenarioOf(name)
	return ui.Lab{Scenario: s}, err
}

// serve shows the page until ctx ends.
func (f *uiFlags) serve(ctx context.Context, s streams, labs ui.Labs) error {
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return cannotListen(f.listen, err)
	}
	server, err := ui.New(l, labs, ui.NewToken())
	if err != nil {
		l.Close()
		return err
	}
	if _, err := fmt.Fprintln(s.out, server.URL()); err != nil {
		l.Close()
		return written(err)
	}
	fmt.Fprintln(s.err, "labctl: the page is there until Ctrl-C; keep its address to yourself")
	if !f.noOpen && isTerminal(s.out) {
		defer openBrowser(server.URL())()
	}
	if err := server.Serve(ctx, l); err != nil {
		return environment(fmt.Errorf("the page ended: %w: start it again", err))
	}
	return nil
}
