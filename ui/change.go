package ui

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/policy"
)

// change is one change of a lab as the command line says it. What runs and the
// command that can be taken home are both made of these, so they say the same.
type change struct {
	flag  string // rest; set for a path
	value string // 100ms; of set: path=value
}

// paths are where the plain flags go.
var paths = map[string]string{"clients": "load.herd.clients", "smear": "load.herd.smear"}

// changes turns a state into changes of the topology that the lab has without them.
func (s State) changes(l Lab, t topology.Topology) ([]change, error) {
	calls, tail, err := s.attempts(t)
	if err != nil {
		return nil, err
	}
	out := calls
	add := func(flag, value string) {
		if value != "" {
			out = append(out, change{flag, value})
		}
	}
	set := func(path, value string) {
		if value != "" {
			add("set", path+"="+value)
		}
	}
	add("rest", s.Rest)
	add("backoff", s.Backoff)
	add("cap", s.Cap)
	add("jitter", s.Jitter)
	add("clients", s.Clients)
	add("smear", s.Smear)
	if s.Outage != "" {
		fault := outageOf(t.Tail().Fault).program(s.Outage)
		if tail != l.Scenario.Topology.Tail().Name && !rebuilt(calls) {
			set("services."+tail+".fault", fault) // the variant has services of its own
		} else {
			add("fault", fault)
		}
	}
	set("services."+tail+".workers", s.Workers)
	set("services."+tail+".time", s.Service)
	set("load.rate", s.Rate)
	if client := firstCall(t, rebuilt(calls)); s.Budget == "none" {
		set(client+".budget", s.Budget)
	} else {
		set(client+".budget.ratio", s.Budget)
	}
	return append(out, s.deadline(firstCall(t, rebuilt(calls)))...), nil
}

// deadline bounds the whole call of the client: no attempt begins after it, and
// nobody waits longer.
func (s State) deadline(client string) []change {
	switch s.Deadline {
	case "":
		return nil
	case "none":
		return []change{{"set", client + ".deadline=none"}}
	}
	return []change{
		{"set", client + ".deadline.limit=" + s.Deadline},
		{"set", client + ".deadline.check=true"},
		{"set", client + ".deadline.enforce=true"},
	}
}

// firstCall is the path of the client's call.
func firstCall(t topology.Topology, rebuilt bool) string {
	to := t.Services[0].Calls[0].To
	if rebuilt {
		to = topology.LayerName(1)
	}
	return "services." + t.Services[0].Name + ".calls." + to
}

func rebuilt(changes []change) bool { return len(changes) > 0 && changes[0].flag == "attempts" }

// attempts says how often each layer tries, and what the tail is called then. The flag
// builds a new chain, which leaves out what else the lab says of its services; where
// that is something, the attempts of the same layers are set one by one, and a new
// chain gets the tail as it was.
func (s State) attempts(t topology.Topology) (out []change, tail string, err error) {
	tail = t.Tail().Name
	if s.Attempts == "" {
		return nil, tail, nil
	}
	counts, err := parseAttempts(s.Attempts)
	if err != nil {
		return nil, tail, err
	}
	if !t.IsChain() {
		return nil, tail, fmt.Errorf("attempts: these services are no chain: their attempts are in its file")
	}
	flag := []change{{"attempts", s.Attempts}}
	if len(counts) != len(t.Services)-1 {
		tail = topology.LayerName(len(counts))
		return append(flag, tailAs(t.Tail(), tail)...), tail, nil
	}
	var single []change
	for i, caller := range t.Services[:len(counts)] {
		path := fmt.Sprintf("services.%s.calls.%s.retry.attempts", caller.Name, caller.Calls[0].To)
		single = append(single, change{"set", path + "=" + attemptsText(counts[i])})
	}
	if alike(t, flag, single) {
		return flag, tail, nil
	}
	return single, tail, nil
}

// alike reports whether two ways to change a topology come to the same.
func alike(t topology.Topology, one, other []change) bool {
	var got [2]topology.Topology
	for i, changes := range [][]change{one, other} {
		o, err := overrides(changes, t.Tail().Name)
		if err != nil {
			return false
		}
		p, err := scenarios.NewPlan(scenarios.Scenario{Topology: t, Variants: []scenarios.Variant{{}}}, o)
		if err != nil {
			return false
		}
		got[i] = p.Runs[0].Topology
	}
	return reflect.DeepEqual(got[0], got[1])
}

// tailAs gives a new tail what the old one had beside its fault, which it keeps.
func tailAs(old *topology.Service, name string) []change {
	var out []change
	part, fresh := old.Part(), new(topology.Service).Part()
	for _, f := range part.Fields() {
		if text := part.Get(f.Name); f.Name != "fault" && f.Same == "" && text != fresh.Get(f.Name) {
			out = append(out, change{"set", "services." + name + "." + f.Name + "=" + text})
		}
	}
	return out
}

func parseAttempts(text string) ([]int, error) {
	var out []int
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		switch {
		case strings.TrimSpace(word) == "unlimited":
			n = policy.Unlimited
		case err != nil || n < 1 || n > topology.MaxAttempts:
			return nil, fmt.Errorf("attempts: %q: say from 1 to %d for each layer, outermost first: 3,3,3", short(text), topology.MaxAttempts)
		}
		out = append(out, n)
	}
	if len(out) >= topology.MaxLayers {
		return nil, fmt.Errorf("attempts: %d layers: say from 1 to %d", len(out), topology.MaxLayers-1)
	}
	return out, nil
}

func attemptsText(n int) string {
	if n == policy.Unlimited {
		return "unlimited"
	}
	return strconv.Itoa(n)
}

// overrides are the changes as what runs wants them. The tail is the one that there
// is without them; attempts name it anew.
func overrides(changes []change, tail string) (scenarios.Overrides, error) {
	var o scenarios.Overrides
	for _, c := range changes {
		switch c.flag {
		case "attempts":
			counts, err := parseAttempts(c.value)
			if err != nil {
				return o, err
			}
			o.Attempts, tail = counts, topology.LayerName(len(counts))
		case "rest", "backoff", "cap", "jitter":
			o.PerLayer = append(o.PerLayer, scenarios.LayerSetting{Flag: "--" + c.flag, Field: c.flag, Values: strings.Split(c.value, ",")})
		case "fault":
			o.Set = append(o.Set, topology.Setting{Path: "services." + tail + ".fault", Value: c.value})
		case "set":
			path, value, _ := strings.Cut(c.value, "=")
			o.Set = append(o.Set, topology.Setting{Path: path, Value: value})
		default:
			o.Set = append(o.Set, topology.Setting{Path: paths[c.flag], Value: c.value})
		}
	}
	return o, nil
}
