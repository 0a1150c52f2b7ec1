package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"labctl/scenarios"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/policy"
)

// labFlags change what is run. run and check share them.
type labFlags struct {
	engine, net string
	attempts    string
	perLayer    map[string]*string // by flag name
	plain       map[string]*string // by flag name, see plainFlags
	set         []string
	grid        bool
	tree        bool
	count       int64
}

// perLayerFlags are fields of the retry policy: one value for all calling
// layers, or one for each, outermost first.
var perLayerFlags = []struct{ name, field, usage string }{
	{"rest", "rest", "time between an outcome and the next attempt, e.g. 100ms"},
	{"backoff", "backoff", "growth of the rest: fixed, linear, exponential or exponential:FACTOR"},
	{"cap", "cap", "longest rest before jitter, e.g. 2s"},
	{"jitter", "jitter", "randomness of the rest: none, full, equal, decorrelated or a share such as 50%"},
}

// plainFlags set one field of the topology.
var plainFlags = []struct{ name, path, usage string }{
	{"clients", "load.herd.clients", "independent callers, released together"},
	{"requests", "load.herd.requests", "logical requests that each client makes, one after the other"},
	{"barrier", "load.herd.barrier", "release all clients at one instant; false shows what goes wrong without"},
	{"smear", "load.herd.smear", "spread the clients' starts uniformly over this time, e.g. 45ms"},
	{"bin", "run.bin", "width of a histogram bin, e.g. 50ms"},
	{"bin-offset", "run.bin_offset", "how far into bin 0 the release falls"},
	{"until", "run.until", "end the run at this time after the release"},
	{"seed", "run.seed", "seed of everything random"},
	{"at", "run.at", "layer whose hits are binned; default: the tail"},
}

func (f *labFlags) add(c *cobra.Command) {
	f.perLayer, f.plain = map[string]*string{}, map[string]*string{}
	c.Flags().StringVar(&f.engine, "engine", "live", "how to run: live")
	c.Flags().StringVar(&f.net, "net", "tcp", "network of a live run: tcp on loopback, or pipe inside the process")
	c.Flags().StringVar(&f.attempts, "attempts", "", "attempts of each layer, outermost first: 3,3,3 is client 3 × a 3 × b 3")
	for _, p := range perLayerFlags {
		f.perLayer[p.name] = c.Flags().String(p.name, "", p.usage+"; one value, or one per layer")
	}
	for _, p := range plainFlags {
		f.plain[p.name] = c.Flags().String(p.name, "", p.usage)
	}
	c.Flags().Lookup("barrier").NoOptDefVal = "true"
	f.addFault(c)
	c.Flags().StringArrayVar(&f.set, "set", nil, "change any field, e.g. services.b.calls.c.retry.attempts=1; may stand several times")
	c.Flags().BoolVar(&f.grid, "grid", false, "also run the grids of the scenario (nested-retry: kⁿ for n, k = 1…5)")
	c.Flags().BoolVar(&f.tree, "tree", false, "show every attempt of one request as a tree")
	c.Flags().Int64Var(&f.count, "count", 0, "for layers: explain this many hits at the tail")
}

// addFault adds the flag that needs to know the tail's name.
func (f *labFlags) addFault(c *cobra.Command) {
	f.plain["fault"] = c.Flags().String("fault", "", "fault program of the tail, e.g. 503x2,ok or 503:30%")
}

// overrides turns the flags that were given into changes of a scenario.
func (f *labFlags) overrides(c *cobra.Command, s scenarios.Scenario) (scenarios.Overrides, error) {
	o := scenarios.Overrides{Grid: f.grid}
	if c.Flags().Changed("attempts") {
		attempts, err := parseAttempts(f.attempts)
		if err != nil {
			return o, err
		}
		o.Attempts = attempts
	}
	for _, p := range perLayerFlags {
		if c.Flags().Changed(p.name) {
			o.PerLayer = append(o.PerLayer, scenarios.LayerSetting{
				Flag: "--" + p.name, Field: p.field, Values: strings.Split(*f.perLayer[p.name], ","),
			})
		}
	}
	for _, p := range plainFlags {
		if c.Flags().Changed(p.name) {
			o.Set = append(o.Set, topology.Setting{Path: p.path, Value: *f.plain[p.name]})
		}
	}
	if c.Flags().Changed("fault") {
		o.Set = append(o.Set, topology.Setting{Path: "services." + tailName(s, o) + ".fault", Value: *f.plain["fault"]})
	}
	for _, s := range f.set {
		path, value, ok := strings.Cut(s, "=")
		if !ok {
			return o, fmt.Errorf("--set %q: write it as path=value, e.g. run.bin=10ms", s)
		}
		o.Set = append(o.Set, topology.Setting{Path: path, Value: value})
	}
	return o, nil
}

// tailName is the tail of the chain that will be run.
func tailName(s scenarios.Scenario, o scenarios.Overrides) string {
	if o.Attempts != nil {
		return topology.LayerName(len(o.Attempts))
	}
	return s.Topology.Tail().Name
}

// parseAttempts reads --attempts 3,3,3.
func parseAttempts(text string) ([]int, error) {
	var out []int
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "unlimited" {
			out = append(out, policy.Unlimited)
			continue
		}
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("--attempts %q: %q is not a whole number: write attempts per layer, outermost first, such as 3,3,3", text, word)
		}
		if n < 1 || n > topology.MaxAttempts {
			return nil, fmt.Errorf("--attempts %q: %d is not from 1 to %d: 1 is a single try (0 retries)", text, n, topology.MaxAttempts)
		}
		out = append(out, n)
	}
	return out, nil
}

// network returns the network that --net names.
func (f *labFlags) network() (live.Network, error) {
	switch f.net {
	case "tcp":
		return live.TCP(), nil
	case "pipe":
		return live.Pipe(), nil
	}
	return nil, fmt.Errorf("--net %q: choose tcp or pipe", f.net)
}

func (f *labFlags) check(c *cobra.Command) error {
	if f.engine != "live" {
		return fmt.Errorf("--engine %q: choose live", f.engine)
	}
	if c.Flags().Changed("count") && f.count < 1 {
		return fmt.Errorf("--count %d: say how many hits the tail counted, 1 or more", f.count)
	}
	return nil
}
