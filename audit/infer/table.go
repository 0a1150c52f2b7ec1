package infer

import (
	"math"
	"slices"
	"time"
)

// A table holds gaps in milliseconds: a row for each trial, in the order of retries.
// What is not a number was left out.
type table struct {
	rows [][]float64
}

func (t *table) add(gaps []time.Duration, offset float64) {
	row := make([]float64, len(gaps))
	for i, g := range gaps {
		row[i] = max(millis(g)-offset, 0)
	}
	t.rows = append(t.rows, row)
}

// retries is how many gaps the longest row has.
func (t *table) retries() int {
	n := 0
	for _, row := range t.rows {
		n = max(n, len(row))
	}
	return n
}

// column is the gaps of one retry, sorted.
func (t *table) column(k int) []float64 {
	var found []float64
	for _, row := range t.rows {
		if k < len(row) && !math.IsNaN(row[k]) {
			found = append(found, row[k])
		}
	}
	slices.Sort(found)
	return found
}

// complete cuts off the retries that one trial in ten, or more, did not come to where
// others did: a limit of time ends the calls with the longer rests, and what is left
// over is no fair sample. Trials without a gap say nothing.
func (t *table) complete() *table {
	c := &table{}
	for _, row := range t.rows {
		if len(row) > 0 {
			c.rows = append(c.rows, row)
		}
	}
	whole := 1
	for whole < c.retries() && 10*len(c.column(whole)) > 9*len(c.rows) {
		whole++
	}
	for i, row := range c.rows {
		c.rows[i] = row[:min(whole, len(row))]
	}
	return c
}

// from drops the first retries.
func (t *table) from(k int) *table {
	c := &table{}
	for _, row := range t.rows {
		c.rows = append(c.rows, row[min(k, len(row)):])
	}
	return c
}

// samples is how many gaps there are.
func (t *table) samples() int {
	n := 0
	for k := range t.retries() {
		n += len(t.column(k))
	}
	return n
}

// shortest of each retry, or of many the lower quartile: a gap is a rest and more.
func (t *table) shortest() []float64 {
	all := make([]float64, t.retries())
	for k := range all {
		column := t.column(k)
		all[k] = column[0]
		if len(column) > 3 {
			all[k] = quantile(column, 0.25)
		}
	}
	return all
}

// withoutLongest leaves out the longest gap of each retry, where there are three to
// nine: too few to know the machine's outliers by.
func (t *table) withoutLongest() *table {
	c := &table{}
	longest := make([]float64, t.retries())
	for k := range longest {
		longest[k] = math.Inf(1)
		if column := t.column(k); len(column) >= 3 && len(column) < 10 {
			longest[k] = column[len(column)-1]
		}
	}
	for _, row := range t.rows {
		var kept []float64
		for k, x := range row {
			if x == longest[k] {
				x, longest[k] = math.NaN(), math.Inf(1) // one of equal ones
			}
			kept = append(kept, x)
		}
		c.rows = append(c.rows, kept)
	}
	return c
}

// quantiles of each retry.
func (t *table) quantiles(p float64) []float64 {
	all := make([]float64, t.retries())
	for k := range all {
		all[k] = quantile(t.column(k), p)
	}
	return all
}

// longest is the longest gap.
func (t *table) longest() float64 {
	longest := 0.
	for _, row := range t.rows {
		for _, x := range row {
			longest = max(longest, x)
		}
	}
	return longest
}

// quantile of sorted values, interpolated; 0 where there are none.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// width is the range of sorted values without a tenth at either end, stretched to the
// whole: an outlier of the machine's is no jitter. Of few values it is all of it:
// asking for more trials costs less than missing a jitter.
func width(sorted []float64) float64 {
	switch n := len(sorted); {
	case n < 2:
		return 0
	case n < 10:
		return sorted[n-1] - sorted[0]
	default:
		return (quantile(sorted, 0.9) - quantile(sorted, 0.1)) * 1.25
	}
}

// jittered reports whether gaps of one retry differ more than the noise explains:
// twice its 99th percentile and a twentieth of the rest.
func jittered(t *table, noise tolerance) bool {
	for k := range t.retries() {
		column := t.column(k)
		if width(column) > max(2*noise.p99, 0.05*quantile(column, 0.5)) {
			return true
		}
	}
	return false
}
