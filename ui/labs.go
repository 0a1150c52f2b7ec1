package ui

import (
	"fmt"
	"slices"
	"strconv"

	"labctl/report"
	"labctl/scenarios"
)

// Lab is something to start from.
type Lab struct {
	Scenario   scenarios.Scenario
	Policies   []scenarios.LayerPolicies // of a policy file, in place of those of the client
	PolicyFile string                    // its name, as a command says it
}

// Labs are all there are to start from; the first is the one that the page begins with.
type Labs []Lab

// BuiltIn lists the built-in scenarios.
func BuiltIn() Labs {
	var labs Labs
	for _, s := range scenarios.All() {
		labs = append(labs, Lab{Scenario: s})
	}
	return labs
}

// Of is a policy at work in a lab: that of a herd, which fails at one instant.
func Of(file string, policies scenarios.LayerPolicies) (Lab, error) {
	s, ok := scenarios.Find(firstLab)
	if !ok {
		return Lab{}, fmt.Errorf("there is no scenario %s", firstLab)
	}
	s, err := s.Only(firstVariant)
	return Lab{Scenario: s, Policies: []scenarios.LayerPolicies{policies}, PolicyFile: file}, err
}

// Where the page begins, and what it asks for: keep the retries of a herd low. The limit
// goes with the herd, which a fixed one would soon be far above or below.
const (
	firstLab     = "jitter-herd"
	firstVariant = "jitter"
	firstLimit   = "25%"
	taskClients  = 10_000
	taskLimit    = 500
)

// Name is what a state calls the lab.
func (l Lab) Name() string {
	switch {
	case l.PolicyFile != "":
		return l.PolicyFile
	case l.Scenario.File != "":
		return l.Scenario.File
	}
	return l.Scenario.Name
}

// Start is the state to begin with.
func (l Lab) Start() State {
	switch {
	case l.PolicyFile != "": // which takes the place of what its only variant says
		return State{Lab: l.Name(), Limit: firstLimit}
	case l.isHerd():
		return State{Lab: l.Name(), Variant: firstVariant, Limit: firstLimit}
	}
	return State{Lab: l.Name(), Variant: l.variants()[0].Name}
}

// isHerd reports whether this is the lab that the page begins with.
func (l Lab) isHerd() bool { return l.Scenario.Name == firstLab && l.Scenario.File == "" }

// own reports whether the lab came from a file of the user.
func (l Lab) own() bool { return l.PolicyFile != "" || l.Scenario.File != "" }

// Task is something to try in a lab.
type Task struct {
	Text  string `json:"text"`
	State string `json:"state"` // to begin with
}

// task is nil for labs that have none.
func (l Lab) task() *Task {
	if !l.isHerd() {
		return nil
	}
	s := l.Start()
	s.Clients, s.Limit = strconv.Itoa(taskClients), strconv.Itoa(taskLimit)
	return &Task{
		Text: fmt.Sprintf("%s clients: keep their retries under %s per %s, by rest and jitter",
			report.FormatCount(taskClients), report.FormatCount(taskLimit), report.FormatBin(milliseconds(l.Scenario.Topology.Run.Bin))),
		State: s.Query(),
	}
}

// variants are those that can be chosen; the cells of a table are not.
func (l Lab) variants() []scenarios.Variant {
	return slices.DeleteFunc(slices.Clone(l.Scenario.Variants), func(v scenarios.Variant) bool { return v.Group != "" })
}

// Choice is a lab as the page lists it.
type Choice struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Text     string   `json:"text"` // how to read it
	Variants []string `json:"variants"`
	Label    string   `json:"label,omitempty"` // of the only variant, in place of its name
	Own      bool     `json:"own"`             // came from a file
	Start    string   `json:"start"`           // its state to begin with
	Task     *Task    `json:"task,omitempty"`
}

// Choices lists the labs for the page.
func (ls Labs) Choices() []Choice {
	var out []Choice
	for _, l := range ls {
		c := Choice{
			Name: l.Name(), Title: l.Scenario.Title, Text: l.Scenario.Text,
			Own: l.own(), Start: l.Start().Query(), Task: l.task(),
		}
		if l.PolicyFile != "" {
			c.Label = "your policy"
		}
		for _, v := range l.variants() {
			c.Variants = append(c.Variants, v.Name)
		}
		out = append(out, c)
	}
	return out
}

// find returns the lab of a state, with its variant alone.
func (ls Labs) find(s State) (Lab, error) {
	i := slices.IndexFunc(ls, func(l Lab) bool { return l.Name() == s.Lab })
	if i < 0 {
		return Lab{}, fmt.Errorf("there is no lab %q here: choose one of the list, or start labctl ui with its file", short(s.Lab))
	}
	l := ls[i]
	name := s.Variant
	if name == "" {
		name = l.variants()[0].Name
	}
	if !slices.ContainsFunc(l.variants(), func(v scenarios.Variant) bool { return v.Name == name }) {
		return Lab{}, fmt.Errorf("%s has no variant %q: choose one of the list", s.Lab, short(name))
	}
	var err error
	l.Scenario, err = l.Scenario.Only(name)
	return l, err
}

// Begin reads a state that was handed on, as with labctl ui --state, and looks it over.
// The first lab is meant where it names none.
func (ls Labs) Begin(text string) (State, error) {
	s, err := stateOf(text)
	if err != nil {
		return s, err
	}
	if s.Lab == "" {
		s.Lab = ls[0].Name()
	}
	_, err = ls.prepare(s)
	return s, err
}

// First is the list with the lab of a name in front.
func (ls Labs) First(name string) Labs {
	i := slices.IndexFunc(ls, func(l Lab) bool { return l.Name() == name })
	if i < 0 {
		return ls
	}
	rest := slices.Delete(slices.Clone(ls), i, i+1)
	return slices.Insert(rest, 0, ls[i])
}
