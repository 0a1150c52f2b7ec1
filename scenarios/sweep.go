package scenarios

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"labctl/report"
	"labctl/topology"
)

// MaxCells bounds a sweep.
const MaxCells = 10_000

// Axis is one parameter of a sweep with the values it takes.
type Axis struct {
	Name   string // layers, attempts, a field of every layer's retry, or a path
	Values []string
}

// Paths of parameters that have a short name, for ParseAxis; all else that has
// no dot is a field of every layer's retry policy.
var shortPaths = map[string]string{
	"clients": "load.herd.clients", "requests": "load.herd.requests", "smear": "load.herd.smear",
	"barrier": "load.herd.barrier", "seed": "run.seed", "bin": "run.bin", "until": "run.until",
}

// ParseAxis reads "layers=1..5", "rest=50ms,100ms" or
// "services.b.calls.c.retry.attempts=1..3".
func ParseAxis(s string) (Axis, error) {
	name, values, ok := strings.Cut(s, "=")
	if !ok || name == "" || values == "" {
		return Axis{}, fmt.Errorf("--over %q: write it as parameter=values, such as layers=1..5 or rest=50ms,100ms", s)
	}
	from, to, isRange := strings.Cut(values, "..")
	if !isRange {
		return Axis{name, strings.Split(values, ",")}, nil
	}
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || last < first || last-first >= MaxCells {
		return Axis{}, fmt.Errorf("--over %q: a range goes from a whole number to a larger one, such as 1..5; list other values with commas", s)
	}
	a := Axis{Name: name}
	for n := first; n <= last; n++ {
		a.Values = append(a.Values, strconv.Itoa(n))
	}
	return a, nil
}

// Sweep is a grid of topologies: one for each combination of the axes' values.
type Sweep struct {
	Plan Plan // with one run per cell, the last axis varying fastest
	Axes []Axis
}

// NewSweep works out every cell, so that nothing starts before all of it can.
// The cells are the scenario's own topology with the overrides and their values:
// what its variants set would win over an axis, or hide it.
func NewSweep(s Scenario, o Overrides, axes []Axis) (Sweep, error) {
	cells := 1
	for i, a := range axes {
		if slices.ContainsFunc(axes[:i], func(b Axis) bool { return b.Name == a.Name }) {
			return Sweep{}, fmt.Errorf("--over %s: it stands twice: put all values into one", a.Name)
		}
		if cells *= len(a.Values); cells > MaxCells {
			return Sweep{}, fmt.Errorf("--over: more than %d cells: sweep fewer values", MaxCells)
		}
	}
	sw := Sweep{Plan: Plan{Scenario: Scenario{Name: s.Name, Title: s.Title}}, Axes: axes}
	for cell := range cells {
		r, err := s.cell(o, axes, valuesOf(axes, cell))
		if err != nil {
			return Sweep{}, err
		}
		sw.Plan.Runs = append(sw.Plan.Runs, r)
	}
	sw.Plan.Grids = gridOf(axes)
	return sw, nil
}

// valuesOf are the values of one cell.
func valuesOf(axes []Axis, cell int) []string {
	values := make([]string, len(axes))
	for i := len(axes) - 1; i >= 0; i-- {
		n := len(axes[i].Values)
		values[i] = axes[i].Values[cell%n]
		cell /= n
	}
	return values
}

// cell is the topology for one combination of values.
func (s Scenario) cell(o Overrides, axes []Axis, values []string) (Run, error) {
	o.Set, o.PerLayer = slices.Clone(o.Set), slices.Clone(o.PerLayer)
	var label []string
	layers, attempts := 0, 0
	for i, a := range axes {
		label = append(label, a.Name+"="+values[i])
		switch {
		case a.Name == "layers":
			layers, _ = strconv.Atoi(values[i])
		case a.Name == "attempts":
			attempts, _ = strconv.Atoi(values[i])
		case strings.Contains(a.Name, "."):
			o.Set = append(o.Set, topology.Setting{Path: a.Name, Value: values[i]})
		case shortPaths[a.Name] != "":
			o.Set = append(o.Set, topology.Setting{Path: shortPaths[a.Name], Value: values[i]})
		default:
			o.PerLayer = append(o.PerLayer, LayerSetting{Flag: "--over " + a.Name, Field: a.Name, Values: []string{values[i]}})
		}
	}
	if err := s.chainOf(&o, layers, attempts, axes); err != nil {
		return Run{}, err
	}
	r, err := s.run(Variant{}, o)
	r.Name = strings.Join(label, " ")
	if len(axes) == 2 {
		r.Group = "sweep"
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", r.Name, err)
	}
	return r, nil
}

// chainOf turns the layers and the attempts of each into a chain. Where only one
// of the two is swept, the other is that of the scenario.
func (s Scenario) chainOf(o *Overrides, layers, attempts int, axes []Axis) error {
	named := func(name string) bool {
		return slices.ContainsFunc(axes, func(a Axis) bool { return a.Name == name })
	}
	if !named("layers") && !named("attempts") {
		return nil
	}
	if named("layers") && (layers < 1 || layers >= topology.MaxLayers) {
		return fmt.Errorf("--over layers: say whole numbers from 1 to %d", topology.MaxLayers-1)
	}
	if named("attempts") && (attempts < 1 || attempts > topology.MaxAttempts) {
		return fmt.Errorf("--over attempts: say whole numbers from 1 to %d", topology.MaxAttempts)
	}
	if !named("layers") {
		layers = len(s.Topology.Services) - 1
	}
	if !named("attempts") {
		attempts = s.Topology.Services[len(s.Topology.Services)-2].Calls[0].Attempts()
	}
	o.Attempts = slices.Repeat([]int{attempts}, layers)
	return nil
}

// gridOf shows two axes as a table; other numbers of axes are a row per cell.
func gridOf(axes []Axis) []Grid {
	if len(axes) != 2 {
		return nil
	}
	rows, cols := axes[0], axes[1]
	return []Grid{{
		Name: "sweep", Title: fmt.Sprintf("hits by %s and %s", rows.Name, cols.Name),
		RowName: rows.Name, Rows: rows.Values, ColName: cols.Name, Cols: cols.Values,
	}}
}

// Run runs the cells, so many at a time: live ones would disturb each other,
// those in virtual time would not.
func (sw Sweep) Run(ctx context.Context, engine Engine, atOnce int) (report.Result, error) {
	cells := make([]report.Result, len(sw.Plan.Runs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(atOnce, 1))
	for i, run := range sw.Plan.Runs {
		group.Go(func() error { return runOne(ctx, &cells[i], run, engine) })
	}
	if err := group.Wait(); err != nil {
		return report.Result{}, err
	}
	out := report.Result{
		Schema: report.Schema, Scenario: sw.Plan.Scenario.Name, Title: sw.Plan.Scenario.Title,
		Seed: sw.Plan.Runs[0].Topology.Run.Seed,
	}
	for _, c := range cells {
		if len(c.Variants) == 0 {
			out.Partial = true
			continue
		}
		out.Partial = out.Partial || c.Partial
		out.Variants = append(out.Variants, c.Variants...)
		out.Warnings = append(out.Warnings, c.Warnings...)
	}
	if len(out.Variants) == 0 {
		return out, nil
	}
	if out.Partial { // a table with holes says less than a row for each cell
		for i := range out.Variants {
			out.Variants[i].Group = ""
		}
	}
	sw.Plan.conclude(&out)
	out.Findings = nil // the table says it
	return out, nil
}

// AtOnce is how many cells run at a time in virtual time.
func AtOnce() int { return runtime.GOMAXPROCS(0) }
