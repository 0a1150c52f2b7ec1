// Package scenarios holds the built-in experiments, one per file: a topology,
// named variants that change some of its fields, the published figures that it
// reproduces, and a text on how to read it. A scenario has no logic of its own
// and nothing that a file could not hold.
//
// Take a built-in one from [All] or [Find], and a lab of your own from [FromFile].
// [NewPlan] turns it and the user's overrides into topologies to run, and
// [Plan.Run] runs them and judges the figures; [NewSweep] runs one over a grid of
// values, [NewTipping] looks for the value at which it tips over. Prefer the
// engine [Sim] for shapes, sizes and exact instants, [Live] for what HTTP and a
// machine make of them. To run one topology without variants and figures, use
// packages live and sim directly.
package scenarios

import (
	"slices"

	"labctl/report"
	"labctl/topology"
)

// Scenario is one experiment.
type Scenario struct {
	Name     string
	Title    string // one sentence: what it shows
	Scaled   string // what the live settings of its variants change, in words; empty: nothing
	Text     string // what the reader should see, and what it teaches
	Topology topology.Topology
	Variants []Variant
	Grids    []Grid
	Figures  []Figure
	CheckBy  string           // engine of its baseline: sim where a live run would take long, or depend on the machine; empty: live
	File     string           // that it was read from; empty: it is built in
	Expect   []report.Expect  // conditions that end a run with exit code 1 when they do not hold
	Faults   []report.FaultAt // that a run is to reach
	Repeats  int              // runs with a seed each, unless a flag says otherwise; 0: one
	Readings bool             // explains a count at the tail, see --count
	Beyond   bool             // the articles: it is not among those that "articles" runs

	siblings []Variant // all that there were before Only, which tell whether a name still holds
}

// Variant is a topology that differs from the scenario's in some fields.
type Variant struct {
	Name     string
	Set      []topology.Setting
	Live     []topology.Setting // for a live run only: slow times scaled down, what virtual time models by numbers
	Rounds   int                // of a live run, of which the one with the best throughput counts; 0: one
	Services []topology.Service // replaces the scenario's services; nil keeps them
	Group    string             // the grid that it is a cell of
	// Reference keeps the fields of Set also against the user's flags: the
	// variant is what the others are compared with.
	Reference bool
}

// Grid shows one number of many variants as a table.
type Grid struct {
	Name      string // the Group of its variants, which stand row by row
	Title     string
	RowName   string
	ColName   string
	Rows      []string
	Cols      []string
	OnRequest bool // run with --grid only
}

// Figure is a published number that the scenario reproduces.
type Figure struct {
	ID        string   // scenario/variant.field
	Variants  []string // whose field is measured; several give a list
	Field     string   // see report.Measure; "finding" is the variant's finding
	Published any
	Expected  any // what a correct lab shows; nil: the published value
	Tolerance report.Tolerance
	Ratio     bool              // of the first variant to the second
	Live      *LiveValue        // where a live run shows something else
	SimOnly   string            // why a live run cannot be compared; empty: it can
	Repeated  *report.Tolerance // of the median over --repeat runs, where it is narrower
	Timing    bool              // depends on when hits arrive, so a live machine shapes it
	LiveOnly  bool              // shows what a machine does to a measurement
}

// LiveValue is what a correct lab shows in a live run, where a machine's time or
// a scaled setting makes a difference.
type LiveValue struct {
	Expected  any // nil: as in virtual time
	Tolerance report.Tolerance
}

// onLive is what a live run may show.
func onLive(t report.Tolerance) *LiveValue { return &LiveValue{Tolerance: t} }

// All lists the built-in scenarios in the order in which the articles come to
// them.
func All() []Scenario {
	return []Scenario{
		nestedRetry(), jitterHerd(), retryFilter(), layers(), deadline(), breaker(), idempotent(), // 000
		waves(), storm(), spread(), retryAfter(), // 003, and 001 for the spread
		bulkhead(), workers(), // 004
		replicas(), worstCase(), failover(), breakerOrder(), // 001
		pipeline(), faults(), recovery(), cancel(), adaptive(), fallback(), observe(), // 002
		metastable(), capOrder(), fleet(), // beyond the articles
	}
}

// Articles lists those that reproduce what the articles published; the others go
// beyond, and may take long live.
func Articles() []Scenario {
	return slices.DeleteFunc(All(), func(s Scenario) bool { return s.Beyond })
}

// Find returns the scenario of that name.
func Find(name string) (Scenario, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Scenario{}, false
}

// figure is a figure of one variant whose id says which and what.
func figure(scenario, variant, field string, published any, t report.Tolerance) Figure {
	return Figure{
		ID:       scenario + "/" + variant + "." + field,
		Variants: []string{variant}, Field: field,
		Published: published, Tolerance: t,
	}
}

// timed marks figures that depend on when hits arrive.
func timed(figures ...Figure) []Figure {
	for i := range figures {
		figures[i].Timing = true
	}
	return figures
}

// set is a change of one field.
func set(path, value string) topology.Setting { return topology.Setting{Path: path, Value: value} }
