package scenarios

import (
	"time"

	"labctl/topology"
)

// Short names for what scenarios are made of.

// lab is a chain with these attempts under one client, in bins of 50 ms; its
// tail meets a fault program.
func lab(fault string, attempts ...int) topology.Topology {
	t := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: topology.Chain(attempts...),
		Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
	t.Tail().Fault = fault
	return t
}

// with sets fields of a built-in topology, whose paths are known to exist.
func with(t topology.Topology, settings ...topology.Setting) topology.Topology {
	for _, s := range settings {
		if err := t.Set(s); err != nil {
			panic("scenarios: " + err.Error())
		}
	}
	return t
}

// sets are settings, a path and its value at a time.
func sets(pathsAndValues ...string) []topology.Setting {
	var out []topology.Setting
	for i := 0; i+1 < len(pathsAndValues); i += 2 {
		out = append(out, set(pathsAndValues[i], pathsAndValues[i+1]))
	}
	return out
}

// under puts settings below one path.
func under(path string, fieldsAndValues ...string) []topology.Setting {
	out := sets(fieldsAndValues...)
	for i := range out {
		out[i].Path = path + out[i].Path
	}
	return out
}

// expects is the figure with what a correct lab shows, where the source has words
// or another number.
func (f Figure) expects(expected any) Figure {
	f.Expected = expected
	return f
}

// liveAs is the figure with what a live run shows.
func (f Figure) liveAs(l *LiveValue) Figure {
	f.Live = l
	return f
}

// simOnly is the figure with the reason why a live run cannot show it.
func (f Figure) simOnly(why string) Figure {
	f.SimOnly = why
	return f
}

// of is the figure of other variants than its id names: a list, or a ratio.
func (f Figure) of(variants ...string) Figure {
	f.Variants = variants
	return f
}

// ratio is the figure as the first variant's field to the second's.
func (f Figure) ratio(variants ...string) Figure {
	f.Variants, f.Ratio = variants, true
	return f
}

// at is the figure read from another field than its id names.
func (f Figure) at(field string) Figure {
	f.Field = field
	return f
}
