package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// sample is a measured field in the form in which conditions are judged: numbers
// in the field's unit, one unless it is a list, or a text. Never is infinite, true
// is 1 and false 0.
type sample struct {
	numbers []float64
	text    string
}

// sample reads the field of a variant, as a percentage of its whole where asked.
func (f field) sample(v Variant, percentage bool) (sample, error) {
	if f.binsOf != "" {
		if err := f.checkBinned(v); err != nil {
			return sample{}, err
		}
	}
	if f.at >= 0 {
		return f.bin(v)
	}
	if f.kind == listField {
		return sample{numbers: newValue(rawList(v, f.name)).numbers}, nil
	}
	m, ok := measure(v, f.name)
	if !ok {
		return sample{}, fmt.Errorf("nothing was measured: %s has no such thing in this variant, or it never came to it: add it, or leave the expectation out", ownerOf(f))
	}
	switch m := m.(type) {
	case string:
		return sample{text: m}, nil
	case bool:
		if m {
			return sample{numbers: []float64{1}}, nil
		}
		return sample{numbers: []float64{0}}, nil
	}
	n, _ := toNumber(m)
	if f.name == "recovered_ms" && n < 0 {
		n = math.Inf(1) // sorts behind every instant, and fits no condition
	}
	if percentage {
		whole, _ := measure(v, f.of)
		all, _ := toNumber(whole)
		if all == 0 {
			return sample{}, fmt.Errorf("there were no %s to take a percentage of", f.of)
		}
		n = 100 * n / all
	}
	return sample{numbers: []float64{n}}, nil
}

// ownerOf is who should have had it: client.breaker of client.breaker.status.
func ownerOf(f field) string {
	owner, _, _ := cutLast(f.asked, ".")
	return label(owner)
}

// checkBinned refuses to give the bins of one layer out as those of another.
func (f field) checkBinned(v Variant) error {
	binned := v.At
	if binned == "" && len(v.Layers) > 0 {
		binned = v.Layers[len(v.Layers)-1].Name
	}
	if binned != f.binsOf {
		return fmt.Errorf("the bins of this run are of %s: run with --at %s, or ask for %s.%s", label(binned), label(f.binsOf), label(binned), f.name)
	}
	return nil
}

// rawList keeps the empty bins at both ends, so that places stay what they are.
func rawList(v Variant, name string) []int64 {
	switch name {
	case "retry_bins":
		return v.RetryBins
	case "goodput":
		return v.Goodput
	case "waves":
		return v.Waves
	}
	return v.Bins
}

// bin is the number in the bin that holds an instant. After the last hit there are
// none; but nothing can be said of answers where no request began.
func (f field) bin(v Variant) (sample, error) {
	width := time.Duration(v.BinMS * float64(time.Millisecond))
	if width <= 0 {
		return sample{}, fmt.Errorf("this run has no bins: give it a bin in run")
	}
	offset := time.Duration(v.BinOffsetMS * float64(time.Millisecond))
	bins := rawList(v, f.name)
	k := int(f.at/width + (f.at%width+offset)/width) // in two parts, which cannot overflow
	if k < len(bins) {
		return sample{numbers: []float64{float64(bins[k])}}, nil
	}
	if f.name == "goodput" {
		return sample{}, fmt.Errorf("no request began at %v or later: let the load go on for longer, or ask for an earlier instant", f.at)
	}
	return sample{numbers: []float64{0}}, nil
}

// key is what Repeat calls the number.
func (f field) key(percentage bool) string {
	name := f.name
	if f.at >= 0 {
		name += "@" + f.at.String()
	}
	if percentage {
		name += "%"
	}
	return name
}

// never reports whether this is a recovery that did not happen.
func (f field) never(s sample) bool {
	return f.name == "recovered_ms" && len(s.numbers) == 1 && math.IsInf(s.numbers[0], 1)
}

// aligned brings a list as it was written and one as it was measured to the same
// ends: empty bins at the end mean nothing, and before the retries begin only where
// they were written.
func aligned(f field, c condition, got []float64) (want, measured []float64) {
	want, got = trimZeros(c.list), trimZeros(got)
	if f.name == "retry_bins" && len(want) > 0 && want[0] != 0 {
		for len(got) > 0 && got[0] == 0 {
			got = got[1:]
		}
	}
	return want, got
}

func trimZeros(numbers []float64) []float64 {
	end := len(numbers)
	for end > 0 && numbers[end-1] == 0 {
		end--
	}
	return numbers[:end]
}

// holds judges one number. Counts are exact; elsewhere the last bits of a float,
// which come from a division, are not held against it.
func (c condition) holds(f field, n float64) bool {
	same := func(a, b float64) bool {
		if f.kind == countField && !c.percent {
			return a == b
		}
		return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b))
	}
	switch {
	case math.IsNaN(n), math.IsInf(n, 0):
		return false
	case c.op == "=":
		return same(n, c.low)
	case c.op == "!=":
		return !same(n, c.low)
	case c.op == "<":
		return n < c.low && !same(n, c.low)
	case c.op == ">":
		return n > c.low && !same(n, c.low)
	case c.op == "<=":
		return n <= c.low || same(n, c.low)
	case c.op == ">=":
		return n >= c.low || same(n, c.low)
	}
	return n >= c.low && n <= c.high || same(n, c.low) || same(n, c.high)
}

// measured is the sample as the JSON holds it.
func (f field) measured(s sample, c condition) any {
	switch {
	case f.kind == wordField, f.never(s), f.kind == truthField && len(s.numbers) == 1:
		if f.kind == truthField {
			return s.numbers[0] == 1
		}
		return f.show(s, c)
	case f.kind == listField:
		return append([]float64{}, trimZeros(s.numbers)...)
	case len(s.numbers) == 0 || math.IsNaN(s.numbers[0]) || math.IsInf(s.numbers[0], 0):
		return nil
	}
	return s.numbers[0]
}

// show prints a sample for people, in the unit that conditions are written in.
func (f field) show(s sample, c condition) string {
	switch {
	case f.kind == wordField:
		return clean(s.text)
	case f.kind == listField:
		return value{kind: listValue, numbers: trimZeros(s.numbers)}.String()
	case f.never(s):
		return "never"
	case len(s.numbers) == 0:
		return ""
	case f.kind == truthField:
		return strconv.FormatBool(s.numbers[0] == 1)
	}
	n := s.numbers[0]
	if f.kind == timeField && math.Abs(n) < 1e12 {
		d := time.Duration(n * float64(time.Millisecond))
		if short := d.Round(time.Microsecond); c.holds(f, Milliseconds(short)) == c.holds(f, n) {
			d = short
		}
		return d.String()
	}
	if f.kind == countField && !c.percent {
		return count(int64(n))
	}
	short := n
	if math.Abs(n) < 1e12 {
		short = math.Round(n*1e4) / 1e4
	}
	if c.holds(f, short) != c.holds(f, n) {
		short = n // rounded it would seem to be on the other side
	}
	scale, unit := 1.0, ""
	if f.kind == shareField {
		scale, unit = 100, "%"
	} else if c.percent || f.kind == percentField {
		unit = "%"
	}
	return strings.TrimSuffix(strconv.FormatFloat(scale*short, 'f', -1, 64), ".0") + unit
}
