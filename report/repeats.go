package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// repeated are the fields that are compared over several runs.
var repeated = []string{
	"hits", "amplification", "first_wave", "peak", "retry_peak", "bins",
	"ok", "failed", "timeout", "effects", "orphan_hits", "elapsed_ms", "p50_ms", "p99_ms",
}

// Repeat looks at several runs of one plan that differ in their seed: numbers
// that are the same in all are named, the others get a median and an interval.
// What expectations ask for is looked at besides the usual numbers.
func Repeat(runs []Result, es ...Expect) *Repeats {
	r := &Repeats{Runs: len(runs), Seed: runs[0].Seed, Ranges: []Range{}, Same: []string{}}
	for i, v := range runs[0].Variants {
		for _, w := range watches(v, es) {
			samples := make([]sample, 0, len(runs))
			for _, run := range runs {
				if i < len(run.Variants) {
					samples = append(samples, w.read(run.Variants[i]))
				}
			}
			r.add(v, w.key, samples)
		}
	}
	return r
}

// watch is one number that is compared over several runs.
type watch struct {
	key  string
	read func(Variant) sample
}

// watches are the usual numbers of a variant and those of its expectations, each
// once. What cannot be read is told by the verdict.
func watches(v Variant, es []Expect) []watch {
	var all []watch
	for _, name := range repeated {
		all = append(all, watch{name, func(v Variant) sample { return sample{numbers: numbers(v, name)} }})
	}
	for _, e := range es {
		f, err := findField(layerNames(v), routeNames(v), e.Field)
		if err != nil || e.Variant != "" && e.Variant != v.Name {
			continue
		}
		c, err := parseCondition(f, e.Condition)
		key := f.key(c.percent)
		if err != nil || slices.ContainsFunc(all, func(w watch) bool { return w.key == key }) {
			continue
		}
		all = append(all, watch{key, func(v Variant) sample { s, _ := f.sample(v, c.percent); return s }})
	}
	return all
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

func (r *Repeats) add(v Variant, field string, samples []sample) {
	id := v.Name + "." + field
	values := make([][]float64, len(samples))
	texts := map[string]int{}
	for i, s := range samples {
		values[i] = s.numbers
		texts[s.text]++
	}
	if allSame(values) && len(texts) == 1 {
		r.Same = append(r.Same, id)
		return
	}
	if len(texts) > 1 {
		r.Ranges = append(r.Ranges, Range{ID: id, Engine: v.Engine, Median: []float64{}, Low: []float64{}, High: []float64{}, Words: byNumber(texts)})
		return
	}
	r.Ranges = append(r.Ranges, rangeOf(Range{ID: id, Engine: v.Engine}, values))
}

// byNumber lists words, the most frequent first.
func byNumber(texts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(texts), func(a, b string) int {
		return cmp.Or(cmp.Compare(texts[b], texts[a]), cmp.Compare(a, b))
	})
}

func rangeOf(out Range, values [][]float64) Range {
	width := 0
	for _, v := range values {
		width = max(width, len(v))
	}
	for k := range width {
		column := make([]float64, 0, len(values))
		for _, v := range values {
			column = append(column, at(v, k))
		}
		slices.Sort(column)
		out.Low = append(out.Low, finite(rank(column, 2.5)))
		out.Median = append(out.Median, finite(rank(column, 50)))
		out.High = append(out.High, finite(rank(column, 97.5)))
		if len(column) >= allOfThem {
			out.Min = append(out.Min, finite(column[0]))
			out.Max = append(out.Max, finite(column[len(column)-1]))
		}
	}
	return out
}

// finite is how JSON says never, which sorts behind every instant.
func finite(n float64) float64 {
	if math.IsInf(n, 1) {
		return -1
	}
	return n
}

// allOfThem is the number of runs from which on an interval leaves the outer ones
// out.
const allOfThem = 40

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
	if n < allOfThem && percent != 50 {
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
		if g.Words != nil {
			s.add(clean(g.ID), "", clean(strings.Join(g.Words, ", ")))
			continue
		}
		s.add(clean(g.ID), g.text(g.Median), g.text(g.Low)+" … "+g.text(g.High))
	}
	return s
}

// text says never where a recovery did not happen.
func (g Range) text(numbers []float64) string {
	if strings.HasSuffix(g.ID, ".recovered_ms") && len(numbers) == 1 && numbers[0] < 0 {
		return "never"
	}
	return valueText(numbers)
}

// intervalHead says which part of the runs lies in the interval.
func intervalHead(runs int) string {
	if runs < allOfThem {
		return "smallest … largest"
	}
	return "95 % of the runs"
}
