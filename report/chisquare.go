package report

import (
	"fmt"
	"math"
)

// Below an expectation of five the statistic is no longer near its limit, so
// such bins are pooled with their neighbours.
const leastExpected = 5

// oneSided is the standard normal quantile of 99 %.
const oneSided = 2.3263478740408408

// judgeShape tests measured bins against the expected mean of each.
//
// The hits of a herd are not quite multinomial: each client contributes a fixed
// number of retries, and the second starts where the first one fell. That makes
// the bins vary a little less than independent draws would: for 200 clients with
// two retries the statistic exceeds the critical value in 0.5 % of true runs
// (20 000 drawn) rather than 1 %. So the test errs towards accepting.
func judgeShape(want, got value, runs int) (verdict, why string) {
	if want.kind != listValue {
		return NotComparable, "a shape needs a list of bins"
	}
	statistic, pools := chiSquare(want.numbers, got.numbers)
	if pools < 2 {
		return NotComparable, "too few hits to tell a shape: use more clients"
	}
	statistic *= float64(runs)
	critical := chiSquareCritical(pools - 1)
	if statistic <= critical { // a NaN falls through, and is off
		return Reproduced, ""
	}
	return Off, fmt.Sprintf("chi-square %.1f on %s of freedom, at most %.1f expected", statistic, plural(int64(pools-1), "degree"), critical)
}

// chiSquare pools neighbouring bins from the left until each pool expects
// enough; a rest that does not joins the last pool. Bins beyond the shorter
// list count as empty there: a hit where none is expected is held against it.
func chiSquare(expected, measured []float64) (statistic float64, pools int) {
	type pool struct{ want, got float64 }
	var done []pool
	var open pool
	for k := range max(len(expected), len(measured)) {
		open.want += at(expected, k)
		open.got += at(measured, k)
		if open.want >= leastExpected {
			done, open = append(done, open), pool{}
		}
	}
	if len(done) == 0 {
		return 0, 0
	}
	last := &done[len(done)-1]
	last.want += open.want
	last.got += open.got
	for _, p := range done {
		statistic += (p.got - p.want) * (p.got - p.want) / p.want
	}
	return statistic, len(done)
}

func at(bins []float64, k int) float64 {
	if k < len(bins) {
		return bins[k]
	}
	return 0
}

// chiSquareCritical is the value exceeded by 1 % of true shapes, by Wilson and
// Hilferty's cube: within 0.05 of the tables from one degree of freedom on.
func chiSquareCritical(degrees int) float64 {
	k := float64(degrees)
	return k * math.Pow(1-2/(9*k)+oneSided*math.Sqrt(2/(9*k)), 3)
}
