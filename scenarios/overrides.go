package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labctl/topology"
	"labctl/topology/policy"
)

// Overrides are what the user changes in a scenario. The zero value changes
// nothing.
type Overrides struct {
	Attempts []int              // of the retrying layers, outermost first; rebuilds the chain
	Policies []LayerPolicies    // stacks in place of the scenario's, under what the other changes set
	PerLayer []LayerSetting     // one value for all calling layers, or one for each
	Set      []topology.Setting // anything else, applied last
	Grid     bool               // run the grids that are only run on request
}

// LayerPolicies are the policies of all calls of a layer, in place of those that the
// scenario and its variants gave them.
type LayerPolicies struct {
	Layer    string
	Policies []topology.Policy
	Text     string // names a variant: p.yaml, a=p.yaml
}

// LayerSetting is a field of the retry policy of every calling layer.
type LayerSetting struct {
	Flag   string // the flag that the user wrote, for errors
	Field  string // rest, backoff, cap, jitter
	Values []string
}

// String is what the user changed, to name a variant by.
func (o Overrides) String() string {
	var parts []string
	if o.Attempts != nil {
		parts = append(parts, "attempts="+joinAttempts(o.Attempts))
	}
	for _, p := range o.Policies {
		parts = append(parts, "policy="+p.Text)
	}
	for _, s := range o.PerLayer {
		parts = append(parts, s.Field+"="+strings.Join(s.Values, ","))
	}
	for _, s := range o.Set {
		parts = append(parts, s.Path[strings.LastIndexByte(s.Path, '.')+1:]+"="+s.Value)
	}
	return strings.Join(parts, " ")
}

// namesLayer reports whether a change is one of a certain layer, or gives each
// layer its own value.
func (o Overrides) namesLayer() bool {
	return len(o.Policies) > 0 || slices.ContainsFunc(o.Set, func(s topology.Setting) bool {
		return strings.HasPrefix(s.Path, "services.") || s.Path == "run.at"
	}) || slices.ContainsFunc(o.PerLayer, func(s LayerSetting) bool { return len(s.Values) > 1 })
}

func joinAttempts(ns []int) string {
	var parts []string
	for _, n := range ns {
		parts = append(parts, attemptsWord(n))
	}
	return strings.Join(parts, ",")
}

// attemptsWord is a number of attempts as a file names it.
func attemptsWord(n int) string {
	if n == policy.Unlimited {
		return "unlimited"
	}
	return strconv.Itoa(n)
}

// apply changes t.
func (o Overrides) apply(t *topology.Topology) error {
	if o.Attempts != nil {
		if err := rebuild(t, o.Attempts); err != nil {
			return err
		}
	}
	for _, p := range o.Policies {
		if err := p.apply(t); err != nil {
			return err
		}
	}
	if err := setAttempts(t, o.Attempts); err != nil {
		return err
	}
	for _, s := range o.PerLayer {
		if err := s.apply(t); err != nil {
			return err
		}
	}
	for _, s := range o.Set {
		if err := t.Set(s); err != nil {
			return err
		}
	}
	return nil
}

// rebuild makes a chain for these attempts. Its layers keep how they retry, and
// layers that are new do as the innermost one does; the tail keeps its fault.
func rebuild(t *topology.Topology, attempts []int) error {
	if !t.IsChain() {
		return fmt.Errorf("--attempts: these services are no chain: use --set services.NAME.calls.TARGET.retry.attempts=N")
	}
	if len(attempts) == 0 || len(attempts) >= topology.MaxLayers {
		return fmt.Errorf("--attempts: %d layers: say from 1 to %d", len(attempts), topology.MaxLayers-1)
	}
	old := t.Clone()
	t.Services = topology.Chain(attempts...)
	for i := range attempts {
		like := old.Services[min(i, len(old.Services)-2)].Calls[0]
		call := &t.Services[i].Calls[0]
		call.Policies = like.Clone().Policies
		call.KeepWorking = like.KeepWorking
	}
	t.Tail().Fault = old.Tail().Fault
	return nil
}

// setAttempts comes after the policies of layers, which say attempts as well.
func setAttempts(t *topology.Topology, attempts []int) error {
	for i, n := range attempts {
		path := fmt.Sprintf("services.%s.calls.%s.retry.attempts", t.Services[i].Name, t.Services[i].Calls[0].To)
		if err := t.Set(topology.Setting{Path: path, Value: attemptsWord(n)}); err != nil {
			return err
		}
	}
	return nil
}

func (p LayerPolicies) apply(t *topology.Topology) error {
	s := t.Service(p.Layer)
	switch {
	case s == nil:
		var callers []string
		for _, s := range t.Services {
			if len(s.Calls) > 0 {
				callers = append(callers, s.Name)
			}
		}
		return fmt.Errorf("--policy %s: there is no layer %q: choose %s", p.Text, p.Layer, strings.Join(callers, ", "))
	case len(s.Calls) == 0:
		return fmt.Errorf("--policy %s: %s calls nobody, so it has no use for a policy: name a layer above it", p.Text, p.Layer)
	}
	for i := range s.Calls {
		s.Calls[i].Policies = topology.Call{Policies: p.Policies}.Clone().Policies
	}
	return nil
}

func (s LayerSetting) apply(t *topology.Topology) error {
	callers := t.Services[:len(t.Services)-1]
	if n := len(s.Values); n != 1 && n != len(callers) {
		return fmt.Errorf("%s: %d values for %d calling layers: give one for all, or one for each", s.Flag, n, len(callers))
	}
	for i, caller := range callers {
		value := s.Values[0]
		if len(s.Values) > 1 {
			value = s.Values[i]
		}
		path := fmt.Sprintf("services.%s.calls.%s.retry.%s", caller.Name, caller.Calls[0].To, s.Field)
		if err := t.Set(topology.Setting{Path: path, Value: value}); err != nil {
			return fmt.Errorf("%s: %w", s.Flag, err)
		}
	}
	return nil
}
