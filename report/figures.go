package report

import (
	"fmt"
	"math"
)

// Tolerance says how far a measured value may lie from what is expected. The
// zero value is exact.
type Tolerance struct {
	kind      toleranceKind
	low, high float64 // bounds, or the distance in both
	runs      int
}

type toleranceKind int

const (
	exactly toleranceKind = iota
	byAmount
	byPercent
	inRange
	byChiSquare
)

// Exactly asks for the same value.
func Exactly() Tolerance { return Tolerance{} }

// Within allows a distance in the unit of the value; a list is compared
// number by number.
func Within(distance float64) Tolerance {
	return Tolerance{kind: byAmount, high: math.Abs(distance)}
}

// WithinPercent allows a share of the expected value.
func WithinPercent(percent float64) Tolerance {
	return Tolerance{kind: byPercent, high: math.Abs(percent)}
}

// Between ignores the expected value and asks for one from low to high, both
// included; an infinite bound is open.
func Between(low, high float64) Tolerance { return Tolerance{kind: inRange, low: low, high: high} }

// AtLeast is for live times, which are never shorter than the ideal ones.
func AtLeast(low float64) Tolerance { return Between(low, math.Inf(1)) }

// ChiSquare asks whether a measured histogram fits the expected mean of each
// bin, at the 1 % level. Where the measured bins are means over several runs,
// runs is their number; otherwise 1.
func ChiSquare(runs int) Tolerance { return Tolerance{kind: byChiSquare, runs: max(runs, 1)} }

// Over is the tolerance for what n runs measured together: a chi-square test
// then compares their mean.
func (t Tolerance) Over(n int) Tolerance {
	if t.kind == byChiSquare {
		t.runs = max(n, 1)
	}
	return t
}

// String is the form in the JSON.
func (t Tolerance) String() string {
	switch t.kind {
	case byAmount:
		return "± " + number(t.high)
	case byPercent:
		return "± " + number(t.high) + " %"
	case byChiSquare:
		if t.runs > 1 {
			return fmt.Sprintf("chi-square 1 %% over %d runs", t.runs)
		}
		return "chi-square 1 %"
	case inRange:
		return t.rangeString()
	default:
		return "exact"
	}
}

func (t Tolerance) rangeString() string {
	switch {
	case math.IsInf(t.high, 1):
		return "≥ " + number(t.low)
	case math.IsInf(t.low, -1):
		return "≤ " + number(t.high)
	default:
		return number(t.low) + "…" + number(t.high)
	}
}

// Judge compares a measured value with the published one, or with the expected
// one where the two differ. The reason is empty when the figure is reproduced.
// Numbers of any type compare by value, so a result read from JSON is judged
// like a fresh one.
func Judge(published, expected, measured any, t Tolerance) (verdict, why string) {
	if measured == nil {
		return NotComparable, "it was not measured"
	}
	reference := expected
	if reference == nil {
		reference = published
	}
	if reference == nil && t.kind != inRange {
		return NotComparable, "the source prints no value"
	}
	want, got := newValue(reference), newValue(measured)
	if t.kind == inRange {
		return t.judgeRange(got)
	}
	if want.kind == unknownValue || got.kind == unknownValue {
		return NotComparable, "a value is neither a number, a list of numbers nor a string"
	}
	if want.kind == textValue && got.kind != textValue {
		return NotComparable, "the source states it in words, not as a value"
	}
	if want.kind != got.kind {
		return NotComparable, fmt.Sprintf("%s cannot be compared with %s", got.kind, want.kind)
	}
	if t.kind == byChiSquare {
		return judgeShape(want, got, t.runs)
	}
	return t.judgeValue(want, got)
}

func (t Tolerance) judgeRange(got value) (verdict, why string) {
	if got.kind != numberValue {
		return NotComparable, fmt.Sprintf("%s cannot be compared with a range", got.kind)
	}
	if f := got.numbers[0]; f < t.low || f > t.high || math.IsNaN(f) {
		return Off, fmt.Sprintf("%s is not %s", got, t)
	}
	return Reproduced, ""
}

func (t Tolerance) judgeValue(want, got value) (verdict, why string) {
	if want.kind == textValue {
		if want.text == got.text {
			return Reproduced, ""
		}
		return Off, fmt.Sprintf("%q instead of %q", clean(got.text), clean(want.text))
	}
	if len(want.numbers) != len(got.numbers) {
		return Off, fmt.Sprintf("%s instead of %s", plural(int64(len(got.numbers)), "number"), count(int64(len(want.numbers))))
	}
	for i, w := range want.numbers {
		if g := got.numbers[i]; !t.near(w, g) {
			return Off, t.offWhy(want, got, i)
		}
	}
	return Reproduced, ""
}

// near fails for numbers that are not, since no comparison with them holds.
func (t Tolerance) near(want, got float64) bool {
	switch t.kind {
	case byAmount:
		return math.Abs(got-want) <= t.high
	case byPercent:
		return math.Abs(got-want) <= math.Abs(want)*t.high/100
	default:
		return got == want
	}
}

func (t Tolerance) offWhy(want, got value, i int) string {
	why := fmt.Sprintf("%s instead of %s", number(got.numbers[i]), number(want.numbers[i]))
	if t.kind != exactly {
		why += " " + t.String()
	}
	if want.kind == listValue {
		why = fmt.Sprintf("place %d is %s", i+1, why)
	}
	return why
}
