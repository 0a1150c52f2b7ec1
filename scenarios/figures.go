package scenarios

import (
	"slices"

	"labctl/report"
)

// figures judges every figure by what an engine measured. Each has an entry,
// also one whose variants were not run.
func (p Plan) figures(r report.Result, engine string) []report.Figure {
	var out []report.Figure
	for _, f := range p.Scenario.Figures {
		j := report.Figure{
			ID: f.ID, Published: f.Published, Expected: f.Expected,
			Tolerance: f.Tolerance.String(), Timing: f.Timing,
		}
		if r.Engine == "both" {
			j.Engine = engine
		}
		variants := f.find(r.Variants, engine)
		if variants != nil {
			j.Measured = f.measure(variants, r.Findings)
		}
		if j.Why = p.incomparable(f, variants, engine); j.Why != "" {
			j.Verdict = report.NotComparable
		} else {
			expected, tolerance := f.judgedBy(engine)
			j.Expected, j.Tolerance = expected, tolerance.String()
			j.Verdict, j.Why = report.Judge(f.Published, expected, j.Measured, tolerance)
			j.Verdict, j.Why = excuse(j, variants, r.Warnings)
		}
		out = append(out, j)
	}
	return out
}

// incomparable says why a figure cannot be judged, if so.
func (p Plan) incomparable(f Figure, found []report.Variant, engine string) string {
	switch {
	case found == nil && p.onRequest(f):
		return "it is run with --grid only"
	case found == nil || !p.published(f.Variants):
		return report.ChangedByFlags
	case f.SimOnly != "" && engine == "live":
		return f.SimOnly
	case f.LiveOnly && engine != "live":
		return "virtual time has no start-up that could spread the herd"
	}
	return ""
}

// judgedBy is what an engine is to show.
func (f Figure) judgedBy(engine string) (expected any, t report.Tolerance) {
	if engine != "live" || f.Live == nil {
		return f.Expected, f.Tolerance
	}
	if f.Live.Expected == nil {
		return f.Expected, f.Live.Tolerance
	}
	return f.Live.Expected, f.Live.Tolerance
}

// onRequest reports whether the figure's variants are cells of a grid that runs
// on request only.
func (p Plan) onRequest(f Figure) bool {
	for _, v := range p.Scenario.Variants {
		if v.Name == f.Variants[0] {
			return slices.ContainsFunc(p.Scenario.Grids, func(g Grid) bool { return g.Name == v.Group && g.OnRequest })
		}
	}
	return false
}

// find returns the figure's variants, or nil when one was not run.
func (f Figure) find(all []report.Variant, engine string) []report.Variant {
	var found []report.Variant
	for _, name := range f.Variants {
		i := slices.IndexFunc(all, func(v report.Variant) bool { return v.Name == name && v.Engine == engine })
		if i < 0 {
			return nil
		}
		found = append(found, all[i])
	}
	return found
}

// published reports whether all of these variants run as they were published.
func (p Plan) published(names []string) bool {
	for _, r := range p.Runs {
		if !r.Published && slices.Contains(names, r.Name) {
			return false
		}
	}
	return true
}

// measure reads the figure's field of one variant, or of several as a list.
func (f Figure) measure(vs []report.Variant, findings []report.Finding) any {
	if f.Field == "finding" {
		for _, finding := range findings {
			if finding.Variant == vs[0].Name {
				return finding.Message
			}
		}
		return nil
	}
	if len(vs) == 1 {
		value, _ := report.Measure(vs[0], f.Field)
		return value
	}
	list := make([]float64, 0, len(vs))
	for _, v := range vs {
		value, ok := report.Number(v, f.Field)
		if !ok {
			return nil
		}
		list = append(list, value)
	}
	if f.Ratio {
		if list[1] == 0 {
			return nil // nothing is a ratio to nothing, and no JSON could hold it
		}
		return list[0] / list[1]
	}
	return list
}

// excuse turns "off" into "not comparable" for a figure that depends on when
// hits arrive, where the run itself says that the machine shaped the histogram.
func excuse(f report.Figure, vs []report.Variant, warnings []report.Warning) (verdict, why string) {
	if f.Verdict != report.Off || !f.Timing {
		return f.Verdict, f.Why
	}
	for _, w := range warnings {
		about := slices.ContainsFunc(vs, func(v report.Variant) bool { return v.Engine == "live" && w.Variant == v.Name })
		if about && byMachine[w.Code] {
			return report.NotComparable, "the machine shaped this number: see the warning " + w.Code
		}
	}
	return f.Verdict, f.Why
}

// byMachine are the warnings which say that bins, or rates, do not show the
// policy alone.
var byMachine = map[string]bool{
	"spread-over-half-bin": true, "drift-over-half-bin": true, "no-barrier": true, "machine-varied": true,
}
