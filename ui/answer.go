package ui

import (
	"context"
	"errors"
	"fmt"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/sim"
)

// Answer is what a state comes to.
type Answer struct {
	Seq      string            `json:"seq,omitempty"` // of the question
	Query    string            `json:"query"`         // the state, as an address has it
	Title    string            `json:"title"`
	Settings Settings          `json:"settings"`
	Locked   map[string]string `json:"locked"`         // settings that cannot be moved, and why
	Also     []string          `json:"also,omitempty"` // what no slider shows
	Variant  report.Variant    `json:"variant"`
	Charts   Charts            `json:"charts"`
	Verdict  []Sentence        `json:"verdict"`
	Limit    int64             `json:"limit"` // retries per bin; 0: none
	Warnings []string          `json:"warnings,omitempty"`
	Command  string            `json:"command"`
	Share    string            `json:"share"` // a command that opens the page with this state elsewhere
	YAML     string            `json:"yaml"`
	TookMS   float64           `json:"took_ms"` // of the simulation
}

// prepared is a state that was looked over and is ready to run.
type prepared struct {
	lab     Lab
	state   State
	plan    scenarios.Plan // of one run
	changes []change
	limit   limit
}

func (m prepared) topology() topology.Topology { return m.plan.Runs[0].Topology }

// prepare looks a state over. Its errors name the setting and the cure.
func (ls Labs) prepare(s State) (prepared, error) {
	l, err := ls.find(s)
	if err != nil {
		return prepared{}, err
	}
	m := prepared{lab: l, state: s}
	if m.state.Variant == "" && l.PolicyFile == "" {
		m.state.Variant = l.Scenario.Variants[0].Name
	}
	plain, err := scenarios.NewPlan(l.Scenario, scenarios.Overrides{Policies: l.Policies})
	if err != nil {
		return prepared{}, err
	}
	base := plain.Runs[0].Topology
	if m.changes, err = s.changes(l, base); err != nil {
		return prepared{}, err
	}
	o, err := overrides(m.changes, base.Tail().Name)
	if err != nil {
		return prepared{}, err
	}
	o.Policies = l.Policies
	if m.plan, err = scenarios.NewPlan(l.Scenario, o); err != nil {
		return prepared{}, err
	}
	m.limit, err = s.limit(m.topology())
	return m, err
}

// ErrTooLong says that the time for an answer was over.
var ErrTooLong = errors.New("this takes too long to follow a slider: copy the command and run it in a terminal")

// Answer simulates a state. It ends with ctx.
func (ls Labs) Answer(ctx context.Context, s State) (Answer, error) {
	m, err := ls.prepare(s)
	if err != nil {
		return Answer{}, err
	}
	if err := m.affordable(); err != nil {
		return Answer{}, err
	}
	result, err := m.plan.Run(ctx, scenarios.Sim(nil))
	switch {
	case err != nil:
		return Answer{}, err
	case result.Partial:
		return Answer{}, ErrTooLong
	}
	return m.answer(result), nil
}

// The most that one answer may take: seconds, and no memory to speak of.
const (
	mostMemory = 512 << 20
	mostHits   = 200_000_000
)

func (m prepared) affordable() error {
	t := m.topology()
	if err := sim.Check(t, mostMemory); err != nil {
		return err
	}
	if err := sim.CheckHits(t); err != nil {
		return err
	}
	if hits := t.WorstHits(); hits > mostHits && t.Horizon() == 0 {
		return fmt.Errorf("up to %s hits: %w", report.FormatCount(hits), ErrTooLong)
	}
	return nil
}

func (m prepared) answer(r report.Result) Answer {
	t, v := m.topology(), r.Variants[0]
	a := Answer{
		Query: m.state.Query(), Title: r.Title,
		Settings: settingsOf(t), Locked: m.lab.locks(t), Also: also(t),
		Variant: v, Charts: chartsOf(t, v),
		Verdict: verdict(t, r, m.limit), Limit: m.limit.most,
		Command: m.command(), Share: m.share(), YAML: string(m.yaml()),
	}
	for _, w := range r.Warnings {
		a.Warnings = append(a.Warnings, w.Message)
	}
	if a.Charts.Group > 1 { // the page draws the charts, and these are long
		a.Variant.Bins, a.Variant.RetryBins, a.Variant.Goodput = nil, nil, nil
	}
	return a
}
