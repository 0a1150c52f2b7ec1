package report

import (
	"math"
	"slices"
)

// overRuns is a field over the runs of --repeat; of one run all samples are the
// same.
type overRuns struct {
	runs              int // 0: there was one
	first             bool
	middle, low, high sample
	least, most       sample // of all runs, where low and high leave the outer ones out
	words             []string
}

func (o overRuns) differ() bool {
	return o.words != nil || !slices.Equal(o.low.numbers, o.high.numbers)
}

// runsOf finds what Repeat saw of the field.
func runsOf(r Result, v Variant, f field, c condition, s sample) overRuns {
	o := overRuns{middle: s, low: s, high: s, least: s, most: s}
	if r.Repeats == nil {
		return o
	}
	id := v.Name + "." + f.key(c.percent)
	i := slices.IndexFunc(r.Repeats.Ranges, func(g Range) bool { return g.ID == id && g.Engine == v.Engine })
	switch {
	case i >= 0:
		g := r.Repeats.Ranges[i]
		o.middle, o.low, o.high = f.ranged(g.Median), f.ranged(g.Low), f.ranged(g.High)
		o.least, o.most, o.words = o.low, o.high, g.Words
		if g.Words != nil {
			o.middle.text = g.Words[0]
		}
		if g.Min != nil {
			o.least, o.most = f.ranged(g.Min), f.ranged(g.Max)
		}
	case !slices.Contains(r.Repeats.Same, id):
		o.first = true
		return o
	}
	o.runs = r.Repeats.Runs
	return o
}

// ranged turns the -1 of a result back into never.
func (f field) ranged(numbers []float64) sample {
	s := sample{numbers: slices.Clone(numbers)}
	for i, n := range s.numbers {
		if f.name == "recovered_ms" && n < 0 {
			s.numbers[i] = math.Inf(1)
		}
	}
	return s
}

// hold reports whether the condition holds: for the median, for every run where it
// says always, and for every word.
func (o overRuns) hold(f field, c condition) bool {
	switch {
	case f.kind == wordField:
		words := o.words
		if words == nil {
			words = []string{o.middle.text}
		}
		return !slices.ContainsFunc(words, func(w string) bool { return (w == c.word) != (c.op == "=") })
	case f.kind == listField:
		return o.holdList(f, c)
	case len(o.middle.numbers) == 0:
		return false
	case !c.always:
		return c.holds(f, o.middle.numbers[0])
	case c.op == "!=":
		// Runs between the smallest and the largest may have any number in between.
		least, most := o.least.numbers[0], o.most.numbers[0]
		return c.holds(f, least) && c.holds(f, most) && (c.low < least || c.low > most)
	}
	return c.holds(f, o.least.numbers[0]) && c.holds(f, o.most.numbers[0])
}

func (o overRuns) holdList(f field, c condition) bool {
	if !c.always || !o.differ() {
		want, got := aligned(f, c, o.middle.numbers)
		return slices.Equal(want, got) == (c.op == "=")
	}
	if c.op == "=" {
		return false // the runs differ, so not all are the same list
	}
	for i := range max(len(c.list), len(o.most.numbers)) {
		if w := at(c.list, i); w < at(o.least.numbers, i) || w > at(o.most.numbers, i) {
			return true
		}
	}
	return false
}
