package program

import (
	"fmt"
	"math"
	"math/bits"
	"time"
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

// MaxDuration is the longest time that a distribution takes or draws, a year.
const MaxDuration = 365 * 24 * time.Hour

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
		return d.A + uniform(u, d.B-d.A)
	case Exponential:
		return saturate(-math.Log(1-unit(u)) * float64(d.A))
	case LogNormal:
		normal := math.Sqrt2 * math.Erfinv(2*unit(u)-1)
		return saturate(math.Exp(d.Sigma*normal) * float64(d.A))
	case Empirical:
		return d.Values[uniform(u, time.Duration(len(d.Values)))]
	}
	return d.A
}

// uniform scales 64 random bits to [0, width). Integer arithmetic, so that every
// machine gives the same nanosecond.
func uniform(u uint64, width time.Duration) time.Duration {
	if width <= 0 {
		return 0
	}
	hi, _ := bits.Mul64(u, uint64(width))
	return time.Duration(hi)
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

// Check refuses parts that make no distribution. The error begins with the field
// that holds it.
func (d Distribution) Check(field string) error {
	for _, v := range d.times() {
		switch {
		case v < 0:
			return fmt.Errorf("%s: %v is negative: say 0 or more", field, v)
		case v > MaxDuration:
			return fmt.Errorf("%s: %v is over the limit of a year (%v)", field, v, MaxDuration)
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

// times are the durations that a distribution is made of.
func (d Distribution) times() []time.Duration {
	return append([]time.Duration{d.A, d.B}, d.Values...)
}
