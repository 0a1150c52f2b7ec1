package scenarios

import (
	"fmt"
	"reflect"
	"slices"

	"labctl/topology"
)

// Plan is a scenario with the user's overrides, ready to run.
type Plan struct {
	Scenario Scenario
	Runs     []Run
	Grids    []Grid
}

// Run is one topology of a plan.
type Run struct {
	Name     string
	Group    string
	Topology topology.Topology
	// Live is what a live run runs instead, where the variant scales something.
	Live   *topology.Topology
	Rounds int // of a live run
	// Published says that the topology is the one the figures were published
	// for; otherwise its figures are not comparable.
	Published bool
	// Alike names the variants that the overrides made this one, where there are several.
	Alike []string
}

// NewPlan works out what to run. Overrides win over what variants set, except in
// a reference variant; variants that become alike are run once, unless they come
// from a file, and none keeps its name, which would say what they no longer do: they
// are called by what made them alike. Everything is validated, so that nothing starts
// before all of it can.
func NewPlan(s Scenario, o Overrides) (Plan, error) {
	p := Plan{Scenario: s}
	for _, g := range s.Grids {
		if p.wants(g, o) {
			p.Grids = append(p.Grids, g)
		}
	}
	for _, v := range s.Variants {
		if v.Group != "" && !p.hasGrid(v.Group) {
			continue
		}
		r, err := s.run(v, o)
		if err != nil {
			return Plan{}, err
		}
		if i := p.like(r); i >= 0 && s.File == "" { // in a file each has its expectations
			p.Runs[i].merge(r)
			continue
		}
		p.Runs = append(p.Runs, r)
	}
	for i := range p.Runs {
		if r := &p.Runs[i]; r.Alike != nil && !r.Published && !p.hasRun(o.String()) {
			r.Name = o.String()
		}
	}
	p.nameAmongSiblings(o)
	return p, nil
}

// merge makes the run stand for another of the same topology too. The one that is as
// published keeps its name.
func (r *Run) merge(other Run) {
	alike := append(r.Alike, other.Name)
	if r.Alike == nil {
		alike = []string{r.Name, other.Name}
	}
	if other.Published && !r.Published {
		*r = other
	}
	r.Alike = alike
}

// nameAmongSiblings gives the run of a single variant the name that it has where all
// variants are run.
func (p *Plan) nameAmongSiblings(o Overrides) {
	if p.Scenario.siblings == nil || p.Scenario.File != "" {
		return
	}
	all := p.Scenario
	all.Variants, all.siblings = all.siblings, nil
	whole, err := NewPlan(all, o)
	if err != nil {
		return // of a variant that is not run
	}
	if i := whole.like(p.Runs[0]); i >= 0 {
		p.Runs[0].Name, p.Runs[0].Alike = whole.Runs[i].Name, whole.Runs[i].Alike
	}
}

func (p *Plan) hasRun(name string) bool {
	return slices.ContainsFunc(p.Runs, func(r Run) bool { return r.Name == name })
}

// wants reports whether a grid is to be shown: one on request only then, and
// none when the user names the attempts, which are what a grid varies, or a
// layer, since the cells have chains of their own.
func (p *Plan) wants(g Grid, o Overrides) bool {
	return o.Attempts == nil && !o.namesLayer() && (!g.OnRequest || o.Grid)
}

func (p *Plan) hasGrid(name string) bool {
	for _, g := range p.Grids {
		if g.Name == name {
			return true
		}
	}
	return false
}

// like finds a run of the same topology. Cells of a grid are runs of their own.
func (p *Plan) like(r Run) int {
	for i, other := range p.Runs {
		if r.Group == "" && other.Group == "" && reflect.DeepEqual(r.Topology, other.Topology) {
			return i
		}
	}
	return -1
}

// run applies a variant and the overrides to the scenario's topology.
func (s Scenario) run(v Variant, o Overrides) (Run, error) {
	t, published, err := s.build(v, nil, o)
	if err != nil {
		return Run{}, err
	}
	r := Run{Name: v.Name, Group: v.Group, Topology: t, Published: published, Rounds: v.Rounds}
	if v.Live == nil {
		return r, nil
	}
	scaled, _, err := s.build(v, v.Live, o)
	r.Live = &scaled
	return r, err
}

// build is the topology of a variant, with the settings of one engine and what
// the user changes, and whether it is as it was published.
func (s Scenario) build(v Variant, engine []topology.Setting, o Overrides) (topology.Topology, bool, error) {
	published, err := v.apply(s.Topology.Clone())
	if err != nil {
		return topology.Topology{}, false, fmt.Errorf("variant %s: %w", v.Name, err)
	}
	if err := setAll(&published, engine, v.Name); err != nil {
		return topology.Topology{}, false, err
	}
	t := published.Clone()
	if err := o.apply(&t); err != nil {
		return topology.Topology{}, false, err
	}
	if v.Reference {
		if err := setAll(&t, v.Set, v.Name); err != nil {
			return topology.Topology{}, false, err
		}
	}
	return t, sameLab(t, published), t.Validate()
}

func setAll(t *topology.Topology, settings []topology.Setting, variant string) error {
	for _, s := range settings {
		if err := t.Set(s); err != nil {
			return fmt.Errorf("variant %s: %w", variant, err)
		}
	}
	return nil
}

// For is the topology that an engine runs.
func (r Run) For(engine string) topology.Topology {
	if engine == "live" && r.Live != nil {
		return *r.Live
	}
	return r.Topology
}

func (v Variant) apply(t topology.Topology) (topology.Topology, error) {
	if v.Services != nil {
		t.Services = topology.Topology{Services: v.Services}.Clone().Services
	}
	for _, s := range v.Set {
		if err := t.Set(s); err != nil {
			return t, err
		}
	}
	return t, nil
}

// sameLab compares two topologies but for the seed, which figures do not depend
// on, and the layer that is looked at.
func sameLab(a, b topology.Topology) bool {
	a.Run.Seed, a.Run.At = b.Run.Seed, b.Run.At
	return reflect.DeepEqual(a, b)
}
