package scenarios

import "labctl/report"

// figures judges every figure whose variants were run.
func (p Plan) figures(r report.Result) []report.Figure {
	var out []report.Figure
	for _, f := range p.Scenario.Figures {
		variants, published := p.find(f.Variants, r.Variants)
		if variants == nil {
			continue
		}
		j := report.Figure{
			ID: f.ID, Published: f.Published, Expected: f.Expected,
			Measured: f.measure(variants, r.Findings), Tolerance: f.Tolerance.String(), Timing: f.Timing,
		}
		if published {
			j.Verdict, j.Why = report.Judge(f.Published, f.Expected, j.Measured, f.Tolerance)
			j.Verdict, j.Why = excuse(j, variants, r.Warnings)
		} else {
			j.Verdict, j.Why = report.NotComparable, "your flags changed the setting that it was published for"
		}
		out = append(out, j)
	}
	return out
}

// find returns the named variants, or nil when one was not run, and whether all
// ran as published.
func (p Plan) find(names []string, all []report.Variant) (found []report.Variant, published bool) {
	published = true
	for _, name := range names {
		i := indexOf(all, name)
		if i < 0 {
			return nil, false
		}
		found = append(found, all[i])
		published = published && p.Runs[i].Published
	}
	return found, published
}

func indexOf(vs []report.Variant, name string) int {
	for i, v := range vs {
		if v.Name == name {
			return i
		}
	}
	return -1
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
	list := make([]int64, 0, len(vs))
	for _, v := range vs {
		value, _ := report.Measure(v, f.Field)
		n, _ := value.(int64)
		list = append(list, n)
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
		if w.Variant == vs[0].Name && shapesBins[w.Code] {
			return report.NotComparable, "the machine shaped this histogram: see the warning " + w.Code
		}
	}
	return f.Verdict, f.Why
}

// shapesBins are the warnings which say that bins do not show the policy alone.
var shapesBins = map[string]bool{"spread-over-half-bin": true, "no-barrier": true}
