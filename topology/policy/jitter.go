package policy

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// Law is how a rest is randomised. The names are those of Marc Brooker,
// "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
type Law uint8

// The laws of jitter, for a nominal rest d.
const (
	NoJitter     Law = iota // d
	Full                    // uniform in [0, d)
	Equal                   // d/2 + uniform in [0, d/2)
	Proportional            // d·(1−p) + uniform in [0, 2·p·d)
	Decorrelated            // base + uniform in [0, 3·last−base); does without backoff
)

// Jitter is the randomness of a rest. Choose full jitter unless a smallest rest
// is needed: it spreads a herd the most for the same mean. No jitter touches the
// first attempts; those need a random start.
type Jitter struct {
	Law   Law
	Share int64 // p of Proportional, in millionths: 500_000 is ±50 %
}

const million = 1_000_000

// Apply returns the randomised rest for a nominal one. u is 64 random bits.
func (j Jitter) Apply(d time.Duration, u uint64) time.Duration {
	switch j.Law {
	case Full:
		return Uniform(u, d)
	case Equal:
		return d/2 + Uniform(u, d-d/2)
	case Proportional:
		below := j.share(d)
		return addDurations(d-below, Uniform(u, addDurations(below, below)))
	default:
		return d
	}
}

// Largest returns a bound that no randomised rest of nominal d exceeds.
func (j Jitter) Largest(d time.Duration) time.Duration {
	if j.Law == Proportional {
		return addDurations(d, j.share(d))
	}
	return d
}

// share is scale(d, Share, million), without a division for all but the longest
// of rests: by a constant the compiler multiplies.
func (j Jitter) share(d time.Duration) time.Duration {
	if hi, lo := bits.Mul64(uint64(d), uint64(j.Share)); hi == 0 {
		return time.Duration(lo / million)
	}
	return scale(d, uint64(j.Share), million)
}

// ParseJitter reads "none", "full", "equal", "decorrelated" or "50%".
func ParseJitter(s string) (Jitter, error) {
	switch s {
	case "none":
		return Jitter{}, nil
	case "full":
		return Jitter{Law: Full}, nil
	case "equal":
		return Jitter{Law: Equal}, nil
	case "decorrelated":
		return Jitter{Law: Decorrelated}, nil
	}
	percent, is := strings.CutSuffix(strings.TrimPrefix(s, "±"), "%")
	if !is {
		return Jitter{}, fmt.Errorf("unknown jitter %q: choose none, full, equal, decorrelated, or a share such as 50%%", s)
	}
	p, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
	if err != nil || !(p >= 0 && p <= 100) {
		return Jitter{}, fmt.Errorf("jitter %q: the share must be from 0%% to 100%%, so that no rest is negative", s)
	}
	share := int64(math.Round(p * million / 100))
	if share == 0 {
		return Jitter{}, nil
	}
	return Jitter{Law: Proportional, Share: share}, nil
}

// String is the form that ParseJitter reads.
func (j Jitter) String() string {
	switch j.Law {
	case Full:
		return "full"
	case Equal:
		return "equal"
	case Decorrelated:
		return "decorrelated"
	case Proportional:
		return strconv.FormatFloat(float64(j.Share)*100/million, 'f', -1, 64) + "%"
	default:
		return "none"
	}
}
