package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"labctl/topology"
)

// defaultNet is the network of real sockets.
const defaultNet = "tcp"

// labFlags change what is run. run and check share most of them.
type labFlags struct {
	engine, net string
	variant     string
	set, policy []string
	grid, tree  bool
	watch       bool
	count       int64
	repeat      int
	// everyVariant runs each variant under its own name, also those that the
	// flags make alike.
	everyVariant bool
}

// perLayerFlags are fields of the retry policy: one value for all calling
// layers, or one for each, outermost first.
var perLayerFlags = []struct{ name, usage string }{
	{"rest", "`time` between an outcome and the next attempt, e.g. 100ms"},
	{"backoff", "`growth` of the rest: fixed, linear, exponential or exponential:FACTOR"},
	{"cap", "longest rest before jitter, a `time`, e.g. 2s"},
	{"jitter", "`randomness` of the rest: none, full, equal, decorrelated or a share such as 50%"},
}

// plainFlags set one field of the topology. A group is where the help shows
// them; check looks over a value before the topology does, to say more.
var plainFlags = []struct {
	name, path, group, usage string
	check                    func(flag, value string) error
}{
	{"clients", "load.herd.clients", "load", "`number` of independent callers, released together", countUpTo(topology.MaxClients)},
	{"requests", "load.herd.requests", "load", "`number` of logical requests of each client, one after the other", countUpTo(topology.MaxRequests)},
	{"smear", "load.herd.smear", "load", "spread the clients' starts uniformly over this `time`, e.g. 45ms", nil},
	{"seed", "run.seed", "run", "`number` that everything random is made from", seedNumber},
	{"until", "run.until", "run", "end the run at this `time` after the release", nil},
	{"bin", "run.bin", "bins", "width of a histogram bin, a `time`, e.g. 50ms", nil},
	{"bin-offset", "run.bin_offset", "bins", "how far into bin 0 the release falls, a `time`", nil},
	{"at", "run.at", "bins", "`layer` whose hits are binned (default the tail)", nil},
	{"barrier", "load.herd.barrier", "load", "", nil}, // on or off, see addLoad
}

// flagGroup is a part of the flags with its own heading in the help.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// addRun adds the flags of run.
func (f *labFlags) addRun(c *cobra.Command) []flagGroup {
	run := f.engineFlags()
	addPlain(run, "run")
	run.StringArrayVar(&f.set, "set", nil, "change any field, as `path=value`: services.b.calls.c.retry.attempts=1; may stand several times")
	run.StringVar(&f.variant, "variant", "", "run only the variant of this `name`")
	run.BoolVar(&f.grid, "grid", false, "also run the grids of the scenario (nested-retry: kⁿ for n, k = 1…5)")
	run.BoolVar(&f.tree, "tree", false, "show every attempt of one request as a tree")
	run.String("trace", "", "write the spans of the run to this `file`, as OTLP JSON: every request, attempt and arrival; for one variant, see --variant")
	run.BoolVar(&f.watch, "watch", false, "redraw the histogram on the terminal as the hits of a live run arrive")
	run.IntVar(&f.repeat, "repeat", 1, "run this `number` of seeds, and give medians and intervals")
	run.Int64Var(&f.count, "count", 0, "for layers: explain this `number` of hits at the tail instead of running")
	bins := newFlags()
	addPlain(bins, "bins")
	return addGroups(c, f.policyFlags(), loadFlags(), flagGroup{"Histogram:", bins}, flagGroup{"Run:", run})
}

// addCheck adds those that make sense for a check, which looks at counts only.
func (f *labFlags) addCheck(c *cobra.Command) []flagGroup {
	f.everyVariant = true
	run := f.engineFlags()
	run.Lookup("engine").DefValue, run.Lookup("net").DefValue = "", ""
	run.Lookup("engine").Usage += " (default the baseline's)"
	run.Lookup("net").Usage += " (default the baseline's)"
	addPlain(run, "run")
	run.StringArrayVar(&f.set, "set", nil, "change any field, as `path=value`; may stand several times")
	return addGroups(c, f.policyFlags(), loadFlags(), flagGroup{"Run:", run})
}

func (f *labFlags) engineFlags() *pflag.FlagSet {
	run := newFlags()
	run.StringVar(&f.engine, "engine", engineLive, "`engine` to run with: live over HTTP, sim in virtual time, or both side by side")
	run.StringVar(&f.net, "net", defaultNet, "`network` of a live run: tcp on loopback, or pipe inside the process")
	return run
}

func (f *labFlags) policyFlags() flagGroup {
	flags := newFlags()
	flags.StringArrayVar(&f.policy, "policy", nil, "the client's policies from a `file`, or those of another layer as LAYER=FILE; may stand several times, and the flags below win over it")
	flags.String("attempts", "", "`numbers` of attempts, a layer each, outermost first: 3,3,3 is client 3 × a 3 × b 3")
	for _, p := range perLayerFlags {
		flags.String(p.name, "", p.usage)
	}
	return flagGroup{"Retries (one value for all layers, or one for each: 100ms,0,50ms):", flags}
}

func loadFlags() flagGroup {
	flags := newFlags()
	addPlain(flags, "load")
	flags.Lookup("barrier").Usage = "release all clients at one instant; --barrier=false shows what goes wrong without"
	flags.String("fault", "", "fault `program` of the tail, e.g. 503x2,ok or 503:30%")
	return flagGroup{"Load and fault:", flags}
}

// addPlain adds the plain flags of a group.
func addPlain(flags *pflag.FlagSet, group string) {
	for _, p := range plainFlags {
		switch {
		case p.group != group:
		case p.name == "barrier":
			flags.Bool(p.name, true, p.usage)
		default:
			flags.String(p.name, "", p.usage)
		}
	}
}

// newFlags keep the order in which they are added.
func newFlags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	return flags
}

func addGroups(c *cobra.Command, groups ...flagGroup) []flagGroup {
	for _, g := range groups {
		c.Flags().AddFlagSet(g.flags)
	}
	return groups
}
