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
	state  string
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
home as a file or as a command. A live run can be started from it and watched beside
its shadow in virtual time.

It starts from a scenario, from a lab in a file, or from a policy file such as labctl
audit writes, which then are the policies of a herd's clients.

The page is served on loopback alone, everything in it comes from this program, and
its address holds a secret: others on this machine cannot use it without. Ctrl-C
ends it, and with it the address. What is set stands behind the # of the address;
that part is no secret, and --state opens it anywhere: "copy to share" on the page
copies the whole command.`,
		Example: `  labctl ui
  labctl ui metastable --no-open
  labctl ui checkout.yaml --listen 127.0.0.1:8480
  labctl ui --state 'lab=jitter-herd&variant=jitter&clients=10000&limit=500'`,
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
			begin, err := f.fragment(labs)
			if err != nil {
				return err
			}
			return f.serve(c.Context(), s, labs, begin)
		},
	}
	flags := newFlags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "`address` on loopback; port 0 takes a free one")
	flags.StringVar(&f.state, "state", "", "begin with `settings`: what stands behind the # of a page's address, or the whole address")
	flags.BoolVar(&f.noOpen, "no-open", false, "print the address only; otherwise a browser is opened where the output is a terminal")
	groupUsage(c, addGroups(c, flagGroup{"Page:", flags}))
	return c
}

// fragment is what the address has behind the token: the state to begin with, if any.
func (f *uiFlags) fragment(labs ui.Labs) (string, error) {
	if f.state == "" {
		return "", nil
	}
	s, err := labs.Begin(f.state)
	if err != nil {
		return "", fmt.Errorf("--state: %w", err)
	}
	return "#" + s.Query(), nil
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

// serve shows the page until ctx ends; begin is the fragment of its address.
func (f *uiFlags) serve(ctx context.Context, s streams, labs ui.Labs, begin string) error {
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return cannotListen(f.listen, err)
	}
	server, err := ui.New(l, labs, ui.NewToken())
	if err != nil {
		l.Close()
		return err
	}
	address := server.URL() + begin
	if _, err := fmt.Fprintln(s.out, address); err != nil {
		l.Close()
		return written(err)
	}
	fmt.Fprintln(s.err, "labctl: this address is for you alone, and ends with Ctrl-C; \"copy to share\" on the page is for others")
	if !f.noOpen && isTerminal(s.out) {
		defer openBrowser(address)()
	}
	if err := server.Serve(ctx, l); err != nil {
		return environment(fmt.Errorf("the page ended: %w: start it again", err))
	}
	return nil
}
