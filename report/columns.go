package report

import (
	"slices"
	"strconv"
	"strings"
)

// variantSheet is the main table. A column is there when it tells something
// about these variants: a single request has no waves, a herd no published
// count that a line could hold.
func variantSheet(r Result) sheet {
	rows := rowVariants(r)
	herd := anyOf(rows, func(v Variant) bool { return v.Requests > 1 })
	s := sheet{nameColumn(r, rows)}
	if r.Engine == "both" || anyOf(rows, func(v Variant) bool { return v.Engine != rows[0].Engine }) {
		s = append(s, column{head: "engine"}.text(rows, func(v Variant) string { return clean(v.Engine) }))
	}
	if anyOf(rows, func(v Variant) bool { return attemptsPerLayer(v) != "" }) {
		s = append(s, column{head: "attempts per layer", drop: attemptsDrop(herd)}.text(rows, attemptsPerLayer))
	}
	if herd {
		s = append(s, column{head: "requests", drop: 5}.count(rows, func(v Variant) int64 { return v.Requests }))
	}
	s = append(s, column{head: "hits"}.count(rows, func(v Variant) int64 { return v.Hits }))
	if !herd {
		s = append(s, publishedColumns(r, rows)...)
	}
	s = append(s, column{head: "amplification", right: true, drop: amplificationDrop(herd)}.text(rows, amplification))
	s = append(s, countColumns(rows)...)
	if herd && anyOf(rows, func(v Variant) bool { return v.LoadMS == 0 }) {
		s = append(s, herdColumns(rows)...) // a load that goes on has no waves
	}
	return append(s, endColumns(rows)...)
}

// A single request is told by its layers, and its amplification is its hits
// again; in a herd it is the number that it is all about.
func attemptsDrop(herd bool) int {
	if herd {
		return 6
	}
	return 3
}

func amplificationDrop(herd bool) int {
	if herd {
		return 1
	}
	return 5
}

// nameColumn marks variants that a warning is about, so that a doubt is seen
// beside the number.
func nameColumn(r Result, rows []Variant) column {
	return column{head: "variant"}.text(rows, func(v Variant) string {
		name := label(v.Name)
		for _, w := range r.Warnings {
			if w.Variant == v.Name && w.Variant != "" && (w.Engine == "" || w.Engine == v.Engine) {
				return name + " (!)"
			}
		}
		return name
	})
}

// publishedColumns compare the hits of single requests on the spot.
func publishedColumns(r Result, rows []Variant) sheet {
	if allChanged(r.Figures) || !anyOf(rows, func(v Variant) bool { _, ok := hitsFigure(r, v); return ok }) {
		return nil
	}
	published := column{head: "published", right: true, drop: 1}.text(rows, func(v Variant) string {
		f, _ := hitsFigure(r, v)
		return valueText(f.Published)
	})
	verdict := column{head: "verdict", paint: true, drop: 2}.text(rows, func(v Variant) string {
		f, _ := hitsFigure(r, v)
		return f.verdict()
	})
	return sheet{published, verdict}
}

// countColumns are counts that are zero in most labs, and left out there.
func countColumns(rows []Variant) sheet {
	var s sheet
	for _, c := range []struct {
		head string
		of   func(Variant) int64
	}{
		{"effects", func(v Variant) int64 { return v.Effects }},
		{"orphan hits", func(v Variant) int64 { return v.HitKinds.Orphan }},
		{"abandoned", func(v Variant) int64 { return v.Abandoned }},
	} {
		if anyOf(rows, func(v Variant) bool { return c.of(v) != 0 }) {
			s = append(s, column{head: c.head, drop: 2}.count(rows, c.of))
		}
	}
	return s
}

func herdColumns(rows []Variant) sheet {
	return sheet{
		column{head: "first wave", drop: 3}.count(rows, func(v Variant) int64 { return v.FirstWave }),
		column{head: "waves", right: true, drop: 4}.text(rows, func(v Variant) string { return list(v.Waves, 4) }),
		column{head: "peak", drop: 2}.count(rows, func(v Variant) int64 { return v.Peak }),
		column{head: "retry peak"}.count(rows, func(v Variant) int64 { return v.RetryPeak }),
	}
}

func endColumns(rows []Variant) sheet {
	s := sheet{column{head: "outcome", drop: 7}.text(rows, outcomes)}
	if anyOf(rows, func(v Variant) bool { return v.ElapsedMS > 0 }) {
		s = append(s, column{head: "elapsed", right: true, drop: 8}.text(rows, func(v Variant) string { return millis(v.ElapsedMS) }))
	}
	if anyOf(rows, spreadTells) {
		s = append(s, column{head: "spread", right: true, drop: 9}.text(rows, func(v Variant) string {
			if !spreadTells(v) {
				return ""
			}
			return millis(v.SpreadMS.FirstWave)
		}))
	}
	return s
}

// spreadTells is false for a single request, whose first wave is one instant.
func spreadTells(v Variant) bool { return v.SpreadMS != nil && v.Requests > 1 }

func (c column) text(rows []Variant, of func(Variant) string) column {
	for _, v := range rows {
		c.cells = append(c.cells, of(v))
	}
	return c
}

func (c column) count(rows []Variant, of func(Variant) int64) column {
	c.right = true
	return c.text(rows, func(v Variant) string { return count(of(v)) })
}

// rowVariants leaves out those that a grid shows.
func rowVariants(r Result) []Variant {
	var rows []Variant
	for _, v := range r.Variants {
		if v.Group == "" {
			rows = append(rows, v)
		}
	}
	return rows
}

func hitsFigure(r Result, v Variant) (Figure, bool) {
	for _, f := range r.Figures {
		if f.ID == r.Scenario+"/"+v.Name+".hits" && (f.Engine == "" || f.Engine == v.Engine) {
			return f, true
		}
	}
	return Figure{}, false
}

// attemptsPerLayer names what each layer may do, as set; layers without a
// policy are shown by what they did.
func attemptsPerLayer(v Variant) string {
	var words []string
	for _, l := range v.Layers {
		switch {
		case l.Policy != nil:
			words = append(words, label(l.Name)+" "+attempts(l.Policy.Attempts))
		case l.Attempts > 0 && l.Requests > 0:
			words = append(words, label(l.Name)+" "+number(float64(l.Attempts)/float64(l.Requests)))
		}
	}
	return strings.Join(words, " × ")
}

func attempts(n int) string {
	if n < 0 {
		return "∞"
	}
	return strconv.Itoa(n)
}

func amplification(v Variant) string {
	if v.Requests == 0 {
		return "–"
	}
	return number(v.Amplification) + "×"
}

// outcomes leaves out the count where there is one request.
func outcomes(v Variant) string {
	var words []string
	for _, e := range v.Outcomes.list() {
		switch {
		case e.n == 0:
		case v.Requests == 1:
			words = append(words, e.name)
		default:
			words = append(words, count(e.n)+" "+e.name)
		}
	}
	return strings.Join(words, ", ")
}

// anyOf says whether a column has anything to tell.
func anyOf(rows []Variant, is func(Variant) bool) bool { return slices.ContainsFunc(rows, is) }
