package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/node"
)

// hostLab is the lab that several processes run together: a file and one variant.
type hostLab struct {
	file, variant string
}

func (h *hostLab) add(flags *pflag.FlagSet) {
	flags.StringVar(&h.file, "file", "", "the `file` of the lab, the same for all nodes and herds")
	flags.StringVar(&h.variant, "variant", scenarios.Base, "`variant` of the file that is run, the same for all")
}

// chosen is what a run of that lab is.
type chosen struct {
	plan     scenarios.Plan
	topology topology.Topology
	identity string
}

// read reads the file, and refuses what several processes cannot run.
func (h *hostLab) read() (chosen, error) {
	if h.file == "" {
		return chosen{}, errors.New("--file: say which lab: a file that labctl init would write")
	}
	s, err := scenarioOf(h.file)
	if err != nil {
		return chosen{}, err
	}
	if s, err = s.Only(h.variant); err != nil {
		return chosen{}, fmt.Errorf("--variant: %w", err)
	}
	p, err := scenarios.NewPlan(s, scenarios.Overrides{})
	if err != nil {
		return chosen{}, err
	}
	data, err := os.ReadFile(h.file)
	if err != nil {
		return chosen{}, fmt.Errorf("--file: %w", err)
	}
	t := p.Runs[0].For("live")
	if err := live.SupportsNodes(t); err != nil {
		return chosen{}, fmt.Errorf("%s: %w", h.file, err)
	}
	return chosen{p, t, node.Identity(data, h.variant)}, nil
}
