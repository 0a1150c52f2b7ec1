package report

import (
	"fmt"
	"slices"
)

// repeated are the fields that are compared over several runs.
var repeated = []string{
	"hits", "amplification", "first_wave", "peak", "retry_peak", "bins",
	"ok", "failed", "timeout", "effects", "orphan_hits", "elapsed_ms", "p50_ms", "p99_ms",
}

// Repeat looks at several runs of one plan that differ in their seed: numbers
// that are the same in all are named, the others get a median and an interval.
func Repeat(runs []Result) *Repeats {
	r := &Repeats{Runs: len(runs), Seed: runs[0].Seed, Ranges: []Range{}, Same: []string{}}
	for i, v := range runs[0].Variants {
		for _, field := range repeated {
			values := make([][]float64, 0, len(runs))
			for _, run := range runs {
				if i < len(run.Variants) {
					values = append(values, numbers(run.Variants[i], field))
				}
			}
			r.add(v, field, values)
		}
	}
	return r
}

// numbers reads a field as a list of numbers.
func numbers(v Variant, field string) []float64 {
	if field == "bins" { // not a figure's form: these keep their empty ends
		return newValue(v.Bins).numbers
	}
	m, _ := Measure(v, field)
	return newValue(m).numbers
}

// Middle is what several runs measured together: the median of numbers, or the
// mean of each place of lists. same says that they all measured the same.
func Middle(measured []any) (middle any, same bool) {
	values := make([][]float64, 0, len(measured))
	for _, m := range measured {
		values = append(values, newValue(m).numbers)
	}
	if allSame(values) {
		return measured[0], true
	}
	if newValue(measured[0]).kind == numberValue {
		column := make([]float64, 0, len(values))
		for _, v := range values {
			column = append(column, at(v, 0))
		}
		slices.Sort(column)
		return rank(column, 50), false
	}
	return means(values), false
}

// means is the mean of each place; a list that is too short has zeros there.
func means(values [][]float64) []float64 {
	var sums []float64
	for _, v := range values {
		for k, x := range v {
			if k == len(sums) {
				sums = append(sums, 0)
			}
			sums[k] += x
		}
	}
	for k := range sums {
		sums[k] /= float64(len(values))
	}
	return sums
}

func (r *Repeats) add(v Variant, field string, values [][]float64) {
	id := v.Name + "." + field
	if allSame(values) {
		r.Same = append(r.Same, id)
		return
	}
	width := 0
	for _, v := range values {
		width = max(width, len(v))
	}
	out := Range{ID: id, Engine: v.Engine}
	for k := range width {
		column := make([]float64, 0, len(values))
		for _, v := range values {
			column = append(column, at(v, k))
		}
		slices.Sort(column)
		out.Low = append(out.Low, rank(column, 2.5))
		out.Median = append(out.Median, rank(column, 50))
		out.High = append(out.High, rank(column, 97.5))
	}
	r.Ranges = append(r.Ranges, out)
}

func allSame(values [][]float64) bool {
	for _, v := range values[1:] {
		if !slices.Equal(v, values[0]) {
			return false
		}
	}
	return true
}

// rank is the nearest-rank percentile of sorted numbers. Of fewer than 40 the
// outer ones are the smallest and the largest.
func rank(sorted []float64, percent float64) float64 {
	n := len(sorted)
	if n < 40 && percent != 50 {
		if percent < 50 {
			return sorted[0]
		}
		return sorted[n-1]
	}
	i := int(float64(n)*percent/100+0.999999) - 1
	return sorted[min(max(i, 0), n-1)]
}

// repeats prints what several seeds gave.
func (t *textWriter) repeats() {
	r := t.r.Repeats
	if r == nil {
		return
	}
	t.section(fmt.Sprintf("over %d runs, seeds %d to %d; the tables above are of the first", r.Runs, r.Seed, r.Seed+uint64(r.Runs)-1))
	if len(r.Ranges) > 0 {
		t.sheet(rangeSheet(r.Ranges, r.Runs))
	}
	t.line(fmt.Sprintf("identical in all runs: %s", plural(int64(len(r.Same)), "number")))
}

func rangeSheet(ranges []Range, runs int) sheet {
	s := sheet{{head: "number"}, {head: "median", right: true}, {head: intervalHead(runs)}}
	for _, g := range ranges {
		s.add(clean(g.ID), valueText(g.Median), valueText(g.Low)+" … "+valueText(g.High))
	}
	return s
}

// intervalHead says which part of the runs lies in the interval.
func intervalHead(runs int) string {
	if runs < 40 {
		return "smallest … largest"
	}
	return "95 % of the runs"
}
