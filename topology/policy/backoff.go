package policy

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// Growth says how the rest grows from one attempt to the next.
type Growth uint8

// The growths.
const (
	Fixed       Growth = iota // base, base, base, …
	Linear                    // base, 2·base, 3·base, …
	Exponential               // base, base·factor, base·factor², …
)

// Backoff is the growth of the rest between attempts, before jitter. An exponential
// one gives a service that is down the longer to recover the longer it is down; it
// does not keep a herd apart, which only jitter does.
type Backoff struct {
	Growth Growth
	Factor Factor // of an exponential growth; 0 stands for 2
}

// Factor is a multiplier in thousandths: 1500 is 1.5. An integer, so that every
// architecture grows alike.
type Factor int64

// Factors that are accepted.
const (
	minFactor = Factor(1_001)     // 1.001: slower growth is a fixed rest
	maxFactor = Factor(1_000_000) // 1000
)

// Nominal returns the rest after attempt n (1 is the first try), at most limit.
// It saturates; it is never negative and never wraps, at any n.
func (b Backoff) Nominal(base time.Duration, n int, limit time.Duration) time.Duration {
	if base <= 0 || n < 1 {
		return 0
	}
	switch b.Growth {
	case Linear:
		return min(scale(base, uint64(n), 1), limit)
	case Exponential:
		return b.exponential(base, n, limit)
	default:
		return min(base, limit)
	}
}

// exponential multiplies step by step instead of raising to a power, so that
// rounding is the same everywhere. The loop is short: from one microsecond at
// the smallest factor it reaches the end of int64 in 37 000 steps, and at the
// usual factor 2 in 53.
func (b Backoff) exponential(base time.Duration, n int, limit time.Duration) time.Duration {
	factor := b.factor()
	d := base
	for i := 1; i < n && d < limit; i++ {
		d = scale(d, uint64(factor), 1000)
	}
	return min(d, limit)
}

func (b Backoff) factor() Factor {
	if b.Factor == 0 {
		return 2000
	}
	return b.Factor
}

// scale returns d·num÷den, saturating.
func scale(d time.Duration, num, den uint64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), num)
	if hi >= den {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, den)
	if q > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(q)
}

// ParseBackoff reads "fixed", "linear", "exponential" or "exponential:1.5".
func ParseBackoff(s string) (Backoff, error) {
	name, factor, has := strings.Cut(s, ":")
	b := Backoff{}
	switch name {
	case "fixed":
	case "linear":
		b.Growth = Linear
	case "exponential":
		b.Growth = Exponential
	default:
		return b, fmt.Errorf("unknown backoff %q: choose fixed, linear, exponential or exponential:FACTOR", s)
	}
	if !has {
		return b, nil
	}
	if b.Growth != Exponential {
		return b, fmt.Errorf("backoff %q: only exponential takes a factor", s)
	}
	f, err := strconv.ParseFloat(factor, 64)
	if err != nil || !(f >= float64(minFactor)/1000 && f <= float64(maxFactor)/1000) {
		return b, fmt.Errorf("backoff factor %q: choose a number from 1.001 to 1000 (fixed does not grow)", factor)
	}
	b.Factor = Factor(math.Round(f * 1000))
	return b, nil
}

// String is the form that ParseBackoff reads.
func (b Backoff) String() string {
	switch b.Growth {
	case Linear:
		return "linear"
	case Exponential:
		if b.factor() == 2000 {
			return "exponential"
		}
		return "exponential:" + strconv.FormatFloat(float64(b.factor())/1000, 'f', -1, 64)
	default:
		return "fixed"
	}
}
