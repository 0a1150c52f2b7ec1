package ui

import (
	"fmt"
	"strings"

	"labctl/topology"
	"labctl/topology/policy"
)

// Settings are those in force, as numbers that sliders can show. Where layers differ
// they are those of the client.
type Settings struct {
	Layers     []string `json:"layers"`   // that call, outermost first
	Attempts   []int    `json:"attempts"` // of these; -1: without a limit
	RestMS     float64  `json:"rest_ms"`
	Growth     string   `json:"growth"` // fixed, linear, exponential
	Factor     float64  `json:"factor"` // of exponential growth
	CapMS      float64  `json:"cap_ms"` // 0: none
	Jitter     string   `json:"jitter"` // none, full, equal, decorrelated, share
	SharePct   float64  `json:"share_percent"`
	Clients    int      `json:"clients"`
	SmearMS    float64  `json:"smear_ms"`
	Open       bool     `json:"open"` // requests come at a rate; there are no clients
	Rate       float64  `json:"rate"` // per second, of its first step
	Outage     outage   `json:"outage"`
	Workers    int      `json:"workers"`    // of the tail; 0: no limit
	ServiceMS  float64  `json:"service_ms"` // of the tail: its median where it varies
	BudgetPct  float64  `json:"budget_percent"`
	DeadlineMS float64  `json:"deadline_ms"` // 0: none
	BinMS      float64  `json:"bin_ms"`
	Tail       string   `json:"tail"`
}

// settingsOf reads them from a topology.
func settingsOf(t topology.Topology) Settings {
	tail := t.Tail()
	s := Settings{
		Clients: t.Load.Herd.Clients, SmearMS: milliseconds(t.Load.Herd.Smear),
		Outage: outageOf(tail.Fault), Workers: tail.Workers, ServiceMS: milliseconds(tail.Time.A),
		BinMS: milliseconds(t.Run.Bin), Tail: tail.Name,
	}
	if s.Open = t.Load.Open(); len(t.Load.Rate.Steps) > 0 {
		s.Rate = float64(t.Load.Rate.Steps[0].Milli) / 1000
	}
	for _, caller := range t.Services[:len(t.Services)-1] {
		s.Layers = append(s.Layers, caller.Name)
		s.Attempts = append(s.Attempts, caller.Calls[0].Retry().Attempts)
	}
	s.rest(t.Services[0].Calls[0].Retry().Rest)
	for _, p := range t.Services[0].Calls[0].Policies {
		switch {
		case p.Budget != nil:
			s.BudgetPct = budgetShare(*p.Budget)
		case p.Deadline != nil && p.Deadline.Enforce:
			s.DeadlineMS = milliseconds(p.Deadline.Limit)
		}
	}
	return s
}

func (s *Settings) rest(r policy.Rest) {
	s.RestMS, s.CapMS = milliseconds(r.Base), milliseconds(r.Cap)
	s.Growth, _, _ = strings.Cut(r.Backoff.String(), ":")
	s.Factor = 2
	if r.Backoff.Factor > 0 {
		s.Factor = float64(r.Backoff.Factor) / 1000
	}
	s.Jitter = r.Jitter.String()
	if r.Jitter.Law == policy.Proportional {
		s.Jitter, s.SharePct = "share", float64(r.Jitter.Share)/10_000
	}
}

// budgetShare is in percent; the usual one where none is said.
func budgetShare(b policy.Budget) float64 {
	switch {
	case b.Ratio > 0:
		return float64(b.Ratio) / 10
	case b.Ratio == 0 && b.Law <= policy.Active:
		return 20
	}
	return 0
}

// also says what else is set that no slider shows: the policies of the client's call, and
// how fast the tail is over time.
func also(t topology.Topology) []string {
	var out []string
	for _, p := range t.Services[0].Calls[0].Policies {
		if p.Retry == nil && p.Budget == nil && p.Deadline == nil {
			out = append(out, p.String())
		}
	}
	for _, w := range t.Tail().Speed {
		if w.Percent == 0 {
			out = append(out, fmt.Sprintf("the tail stands still from %v to %v", w.From, w.Until))
			continue
		}
		out = append(out, fmt.Sprintf("the tail works at %d%% of its speed from %v to %v", w.Percent, w.From, w.Until))
	}
	return out
}

// locks says why a setting cannot be moved, by the names of a state.
func (l Lab) locks(t topology.Topology) map[string]string {
	locked := map[string]string{}
	if !t.IsChain() {
		locked["attempts"] = "these services are no chain: their attempts are set in a file"
	}
	if t.Load.Open() && len(t.Load.Rate.Steps) != 1 {
		locked["rate"] = "the rate changes over time here: it is set in a file"
	}
	v := l.Scenario.Variants[0]
	if !v.Reference {
		return locked
	}
	for _, s := range v.Set {
		name := s.Path[strings.LastIndexByte(s.Path, '.')+1:]
		locked[name] = "this variant is the one that others are compared with, and keeps " + name + " at " + s.Value
	}
	return locked
}
