package program

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A notation is how the parts of a distribution are held together. Files have
// colons, which are free there; programs have parentheses, since their colons,
// commas and dots are taken.
type notation struct {
	open, part, item, end string
}

var (
	colons = notation{":", ":", ",", ""}
	parens = notation{"(", ";", ";", ")"}
)

// example returns a distribution of so many parts, to copy from an error.
func (n notation) example(name string) string {
	parts := map[string]string{
		"uniform": "10ms..20ms", "exponential": "5ms",
		"lognormal": "50ms" + n.part + "0.6", "empirical": "1ms" + n.item + "2ms" + n.item + "9ms",
	}
	return name + n.open + parts[name] + n.end
}

// ParseDistribution reads "60ms", "uniform:10ms..20ms", "exponential:5ms",
// "lognormal:50ms:0.6" (median and sigma) or "empirical:1ms,2ms,9ms", or the same
// in parentheses, as programs have it: "uniform(10ms..20ms)", "exponential(5ms)",
// "lognormal(50ms;0.6)", "empirical(1ms;2ms;9ms)". It reads only: see
// [Distribution.Check].
func ParseDistribution(s string) (Distribution, error) {
	i, n := strings.IndexAny(s, ":("), colons
	if i < 0 {
		var d Distribution
		return d, parseTime(&d.A, s)
	}
	if s[i] == '(' {
		n = parens
	}
	name, rest := s[:i], s[i+1:]
	parse, known := map[string]func(string, notation) (Distribution, error){
		"uniform": parseUniform, "exponential": parseExponential,
		"lognormal": parseLogNormal, "empirical": parseEmpirical,
	}[name]
	if !known {
		return Distribution{}, fmt.Errorf("unknown distribution %q: choose a duration, %s, %s, %s or %s", name,
			n.example("uniform"), n.example("exponential"), n.example("lognormal"), n.example("empirical"))
	}
	rest, closed := strings.CutSuffix(rest, n.end)
	if !closed {
		return Distribution{}, fmt.Errorf("%s has no closing parenthesis: write it as %s", quote(s), n.example(name))
	}
	return parse(rest, n)
}

func parseUniform(s string, n notation) (Distribution, error) {
	d := Distribution{Shape: UniformTime}
	a, b, ok := strings.Cut(s, "..")
	if !ok {
		return d, fmt.Errorf("%s is no range: write it as %s", quote(s), n.example("uniform"))
	}
	if err := parseTime(&d.A, a); err != nil {
		return d, err
	}
	return d, parseTime(&d.B, b)
}

func parseExponential(s string, _ notation) (Distribution, error) {
	d := Distribution{Shape: Exponential}
	return d, parseTime(&d.A, s)
}

func parseLogNormal(s string, n notation) (Distribution, error) {
	d := Distribution{Shape: LogNormal}
	median, sigma, ok := strings.Cut(s, n.part)
	if !ok {
		return d, fmt.Errorf("%s lacks a part: write it as lognormal%sMEDIAN%sSIGMA%s, such as %s", quote(s), n.open, n.part, n.end, n.example("lognormal"))
	}
	var err error
	if d.Sigma, err = strconv.ParseFloat(sigma, 64); err != nil {
		return d, fmt.Errorf("lognormal sigma %s: say a number from 0 to 10", quote(sigma))
	}
	return d, parseTime(&d.A, median)
}

func parseEmpirical(s string, n notation) (Distribution, error) {
	d := Distribution{Shape: Empirical}
	for word := range strings.SplitSeq(s, n.item) {
		var v time.Duration
		if err := parseTime(&v, strings.TrimSpace(word)); err != nil {
			return d, err
		}
		d.Values = append(d.Values, v)
	}
	slices.Sort(d.Values)
	return d, nil
}

func parseTime(to *time.Duration, v string) error {
	d, err := time.ParseDuration(v)
	if err != nil {
		return fmt.Errorf("%s is not a duration: write it like 50ms, 1.5s or 2m", quote(v))
	}
	*to = d
	return nil
}

// String is the form with colons that ParseDistribution reads.
func (d Distribution) String() string { return d.text(colons, time.Duration.String) }

// text writes the distribution in a notation, and its times as span does.
func (d Distribution) text(n notation, span func(time.Duration) string) string {
	name, parts := "", ""
	switch d.Shape {
	case UniformTime:
		name, parts = "uniform", span(d.A)+".."+span(d.B)
	case Exponential:
		name, parts = "exponential", span(d.A)
	case LogNormal:
		name, parts = "lognormal", span(d.A)+n.part+strconv.FormatFloat(d.Sigma, 'g', -1, 64)
	case Empirical:
		var words []string
		for _, v := range d.Values {
			words = append(words, span(v))
		}
		name, parts = "empirical", strings.Join(words, n.item)
	default:
		return span(d.A)
	}
	return name + n.open + parts + n.end
}
