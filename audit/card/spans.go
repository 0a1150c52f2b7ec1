package card

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// span prints milliseconds in the unit that reads best.
func span(ms float64) string {
	value, unit := measure(ms)
	return value + " " + unit
}

// twoDigits rounds measured times where they only show a rule.
func twoDigits(ms float64) float64 {
	if math.Abs(ms) < 0.1 || math.IsInf(ms, 0) { // less than is shown of any
		return ms
	}
	scale := math.Pow(10, math.Floor(math.Log10(math.Abs(ms)))-1)
	return math.Round(ms/scale) * scale
}

// units, and from how much on each reads better than the next: 90 s is said so.
var units = []struct {
	name     string
	ms, from float64
}{
	{"d", 86_400_000, 2 * 86_400_000}, {"h", 3_600_000, 2 * 3_600_000}, {"min", 60_000, 2 * 60_000}, {"s", 1000, 1000},
}

func measure(ms float64) (value, unit string) {
	for _, u := range units {
		if math.Abs(ms) >= u.from {
			return decimals(ms/u.ms, 2), u.name
		}
	}
	if math.Abs(ms) >= 10 {
		return decimals(ms, 0), "ms"
	}
	return decimals(ms, 1), "ms"
}

func decimals(f float64, digits int) string {
	s := strconv.FormatFloat(f, 'f', digits, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// spans prints a list of times, the unit once where it is the same.
func spans(all []float64, most int) string {
	shown := all[:min(len(all), most)]
	words := make([]string, len(shown))
	for i, ms := range shown {
		value, unit := measure(ms)
		words[i] = value
		if i == len(shown)-1 || unitOf(shown[i+1]) != unit {
			words[i] += " " + unit
		}
	}
	text := strings.Join(words, ", ")
	if len(all) > most {
		text += fmt.Sprintf(" … of %d", len(all))
	}
	return text
}

func unitOf(ms float64) string {
	_, unit := measure(ms)
	return unit
}
