package topology

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"labctl/topology/policy"
)

// Shape is the form of a distribution.
type Shape uint8

// The shapes. Constant, uniform and empirical times are integer arithmetic and
// the same on every machine; the others go through Log and Exp, whose last bit
// differs between architectures.
const (
	Constant    Shape = iota // A
	UniformTime              // uniform in [A, B)
	Exponential              // mean A: memoryless, as of many independent causes
	LogNormal                // median A, Sigma of the logarithm: a long tail, as latencies have
	Empirical                // one of Values, each as likely
)

// Distribution is a random time. The zero value is always 0.
type Distribution struct {
	Shape  Shape
	A, B   time.Duration
	Sigma  float64
	Values []time.Duration // sorted
}

// Always is the distribution of one value.
func Always(d time.Duration) Distribution { return Distribution{A: d} }

// IsZero reports whether every draw is 0.
func (d Distribution) IsZero() bool { return d.Shape == Constant && d.A == 0 }

// Draw turns 64 random bits into a time that is not negative.
func (d Distribution) Draw(u uint64) time.Duration {
	switch d.Shape {
	case UniformTime:
		return d.A + policy.Uniform(u, d.B-d.A)
	case Exponential:
		return saturate(-math.Log(1-unit(u)) * float64(d.A))
	case LogNormal:
		normal := math.Sqrt2 * math.Erfinv(2*unit(u)-1)
		return saturate(math.Exp(d.Sigma*normal) * float64(d.A))
	case Empirical:
		return d.Values[policy.Uniform(u, time.Duration(len(d.Values)))]
	}
	return d.A
}

// unit is u as a number strictly between 0 and 1: 52 bits and a half, which is
// all that a float64 holds without rounding up to 1.
func unit(u uint64) float64 { return (float64(u>>12) + 0.5) / (1 << 52) }

// saturate turns a number of nanoseconds into a duration of at most a year.
func saturate(ns float64) time.Duration {
	if ns >= float64(MaxDuration) {
		return MaxDuration
	}
	return time.Duration(ns)
}

// ParseDistribution reads "60ms", "uniform:10ms..20ms", "exponential:5ms",
// "lognormal:50ms:0.6" (median and sigma) or "empirical:1ms,2ms,9ms".
func ParseDistribution(s string) (Distribution, error) {
	name, rest, named := strings.Cut(s, ":")
	if !named {
		var d Distribution
		err := parseDuration(&d.A, s)
		return d, err
	}
	parse, ok := map[string]func(string) (Distribution, error){
		"uniform": parseUniform, "exponential": parseExponential,
		"lognormal": parseLogNormal, "empirical": parseEmpirical,
	}[name]
	if !ok {
		return Distribution{}, fmt.Errorf("unknown distribution %q: choose a duration, uniform:A..B, exponential:MEAN, lognormal:MEDIAN:SIGMA or empirical:A,B,…", name)
	}
	return parse(rest)
}

func parseUniform(s string) (Distribution, error) {
	d := Distribution{Shape: UniformTime}
	a, b, ok := strings.Cut(s, "..")
	if !ok {
		return d, fmt.Errorf("uniform:%s: write it as uniform:10ms..20ms", s)
	}
	if err := parseDuration(&d.A, a); err != nil {
		return d, err
	}
	return d, parseDuration(&d.B, b)
}

func parseExponential(s string) (Distribution, error) {
	d := Distribution{Shape: Exponential}
	return d, parseDuration(&d.A, s)
}

func parseLogNormal(s string) (Distribution, error) {
	d := Distribution{Shape: LogNormal}
	median, sigma, ok := strings.Cut(s, ":")
	if !ok {
		return d, fmt.Errorf("lognormal:%s: write it as lognormal:MEDIAN:SIGMA, such as lognormal:50ms:0.6", s)
	}
	var err error
	if d.Sigma, err = strconv.ParseFloat(sigma, 64); err != nil {
		return d, fmt.Errorf("lognormal sigma %q: say a number from 0 to 10", sigma)
	}
	return d, parseDuration(&d.A, median)
}

func parseEmpirical(s string) (Distribution, error) {
	d := Distribution{Shape: Empirical}
	for word := range strings.SplitSeq(s, ",") {
		var v time.Duration
		if err := parseDuration(&v, strings.TrimSpace(word)); err != nil {
			return d, err
		}
		d.Values = append(d.Values, v)
	}
	slices.Sort(d.Values)
	return d, nil
}

// String is the form that ParseDistribution reads.
func (d Distribution) String() string {
	switch d.Shape {
	case UniformTime:
		return fmt.Sprintf("uniform:%v..%v", d.A, d.B)
	case Exponential:
		return fmt.Sprintf("exponential:%v", d.A)
	case LogNormal:
		return fmt.Sprintf("lognormal:%v:%s", d.A, strconv.FormatFloat(d.Sigma, 'g', -1, 64))
	case Empirical:
		var words []string
		for _, v := range d.Values {
			words = append(words, v.String())
		}
		return "empirical:" + strings.Join(words, ",")
	}
	return d.A.String()
}

func (d Distribution) check(field string) error {
	for _, v := range append([]time.Duration{d.A, d.B}, d.Values...) {
		if err := checkDuration(field, v); err != nil {
			return err
		}
	}
	switch {
	case d.Shape == UniformTime && d.B < d.A:
		return fmt.Errorf("%s: %v ends before it begins: write the smaller time first", field, d)
	case d.Shape == LogNormal && !(d.Sigma >= 0 && d.Sigma <= 10):
		return fmt.Errorf("%s: a sigma of %v is not from 0 to 10", field, d.Sigma)
	case d.Shape == Empirical && len(d.Values) == 0:
		return fmt.Errorf("%s: no values to draw from: list some", field)
	}
	return nil
}
