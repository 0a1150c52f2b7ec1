package scenarios

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Over is one setting with the two values between which a tipping point is looked
// for. The number may stand inside other text.
type Over struct {
	Path          string
	Before, After string // the text around the number
	Low, High     Amount
}

// Amount is a number with its unit, in whole steps of the finest value there is.
type Amount struct {
	Steps int64
	Unit  string // ns of a duration, %, /s, or nothing for a whole number
}

// The unit of durations, and how fine the numbers of other units are.
const (
	nanoseconds = "ns"
	thousandths = 1000
)

var decimal = regexp.MustCompile(`^(\d{1,12})(\.\d{1,3})?(%|/s)?$`)

func parseAmount(text string) (Amount, error) {
	m := decimal.FindStringSubmatch(text)
	switch d, err := time.ParseDuration(text); {
	case m != nil && m[3] != "":
		f, err := strconv.ParseFloat(m[1]+m[2], 64)
		return Amount{int64(math.Round(f * thousandths)), m[3]}, err
	case m != nil && m[2] == "":
		n, err := strconv.ParseInt(m[1], 10, 64)
		return Amount{Steps: n}, err
	case err == nil && d >= 0 && m == nil:
		return Amount{int64(d), nanoseconds}, nil
	}
	return Amount{}, fmt.Errorf("%q is no duration (9.5s), percentage (20%%), rate (40/s) or whole number", text)
}

// whole is how many steps a number without a fraction has.
func (a Amount) whole() int64 {
	if a.Unit == "%" || a.Unit == "/s" {
		return thousandths
	}
	return 1
}

// String is the amount as a setting has it.
func (a Amount) String() string {
	switch {
	case a.Unit == nanoseconds:
		return time.Duration(a.Steps).String()
	case a.whole() == 1:
		return strconv.FormatInt(a.Steps, 10)
	}
	return strconv.FormatFloat(float64(a.Steps)/thousandths, 'f', -1, 64) + a.Unit
}

// ParseOver reads "load.rate=28/s..40/s", or "services.a.speed=30s..{31s..60s}:20%".
func ParseOver(s string) (Over, error) {
	path, value, ok := strings.Cut(s, "=")
	if !ok || path == "" || value == "" {
		return Over{}, fmt.Errorf("--over %q: write it as path=low..high, such as load.rate=28/s..40/s", s)
	}
	o := Over{Path: path}
	if long := shortPaths[path]; long != "" {
		o.Path = long
	}
	ends := value
	if before, rest, braces := strings.Cut(value, "{"); braces {
		inside, after, closed := strings.Cut(rest, "}")
		if !closed || strings.ContainsAny(inside+after, "{}") {
			return Over{}, fmt.Errorf("--over %s: write one pair of braces, such as 30s..{31s..60s}:20%%", path)
		}
		o.Before, o.After, ends = before, after, inside
	}
	return o, o.parseEnds(path, ends)
}

func (o *Over) parseEnds(path, ends string) error {
	low, high, ok := strings.Cut(ends, "..")
	if !ok || strings.Contains(high, "..") {
		return fmt.Errorf("--over %s: %q is not low..high: where the number stands inside other text put braces around its ends, as in 30s..{31s..60s}:20%%", path, ends)
	}
	var err error
	if o.Low, err = parseAmount(low); err == nil {
		o.High, err = parseAmount(high)
	}
	if o.Low == (Amount{}) { // 0 is one of any unit
		o.Low.Unit = o.High.Unit
	}
	switch {
	case err != nil:
		return fmt.Errorf("--over %s: %w", path, err)
	case o.Low.Unit != o.High.Unit:
		return fmt.Errorf("--over %s: %s and %s are of different kinds: give both the same unit", path, low, high)
	case o.Low.Steps >= o.High.Steps:
		return fmt.Errorf("--over %s: %s is not below %s: write the smaller one first", path, low, high)
	}
	return nil
}

// Value is the whole setting with this number in it.
func (o Over) Value(a Amount) string { return o.Before + a.String() + o.After }
