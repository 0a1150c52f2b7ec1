package report

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// condition is what a field must be, in the field's unit: milliseconds, percent
// or plain numbers.
//
//	condition = [ "always" ] ( [ op ] value | value ".." value | [ "=" | "!=" ] list | [ "=" | "!=" ] word )
//	op        = "<" | "<=" | ">" | ">=" | "=" | "==" | "!="
//	value     = number | number unit { number unit } | number "%"
//	list      = "[" [ number { "," number } ] "]"
//
// A value alone means equality. Both ends of a range belong to it. Always asks it
// of every run of --repeat instead of their median.
type condition struct {
	always    bool
	op        string // "..": from low to high, both included
	low, high float64
	list      []float64
	word      string
	percent   bool // of the count in field.of
}

// operators are read longest first; those with a cure are another language's.
var operators = []struct{ text, op, write string }{
	{"<=", "<=", ""}, {">=", ">=", ""}, {"!=", "!=", ""}, {"==", "=", ""}, {"=<", "", "<="}, {"=>", "", ">="}, {"<>", "", "!="},
	{"≤", "", "<="}, {"≥", "", ">="}, {"≠", "", "!="}, {"<", "<", ""}, {">", ">", ""}, {"=", "=", ""}, {"!", "", "!="}, {"~", "", "a range, as 90..110"},
}

// parseCondition reads what is asked of a field.
func parseCondition(f field, text string) (condition, error) {
	rest := strings.TrimSpace(text)
	if !printable(rest) {
		return condition{}, fmt.Errorf("%s holds a line break or an invisible mark: write the condition in one line", quoted(text))
	}
	after, always := strings.CutPrefix(rest, "always")
	if always = always && (after == "" || after[0] == ' '); always {
		rest = strings.TrimSpace(after)
	}
	op, rest, err := cutOperator(rest)
	if err != nil {
		return condition{}, err
	}
	c := condition{always: always, op: cmp.Or(op, "=")}
	if rest == "" {
		return condition{}, fmt.Errorf("%s says nothing to compare %s with: write %s", quoted(text), label(f.asked), f.example())
	}
	if i := strings.IndexAny(rest, "<>="); i >= 0 && f.kind != wordField {
		return condition{}, fmt.Errorf("%s holds two conditions: write one, or a range as %s", quoted(text), f.rangeExample())
	}
	switch f.kind {
	case wordField, truthField:
		return c.ofWords(f, rest)
	case listField:
		return c.ofList(f, rest)
	}
	if strings.HasPrefix(rest, "[") {
		return condition{}, fmt.Errorf("%s is %v, not a list: write %s", label(f.asked), f.kind, f.example())
	}
	if low, high, ok := strings.Cut(rest, ".."); ok {
		return c.ofRange(f, text, op != "", strings.TrimSpace(low), strings.TrimSpace(high))
	}
	c.low, c.percent, err = f.literal(rest)
	return c, err
}

// cutOperator takes the comparison off the front; there may be none.
func cutOperator(text string) (op, rest string, err error) {
	for _, o := range operators {
		if after, ok := strings.CutPrefix(text, o.text); ok {
			if o.op == "" {
				return "", "", fmt.Errorf("%s is no comparison: write %s", quoted(o.text), o.write)
			}
			return o.op, strings.TrimSpace(after), nil
		}
	}
	return "", text, nil
}

// printable refuses what would break the line of a message.
func printable(s string) bool { return clean(s) == s }

func (c condition) ofRange(f field, text string, said bool, low, high string) (condition, error) {
	switch {
	case said:
		return condition{}, fmt.Errorf("%s has a comparison and a range: write one of them", quoted(text))
	case low == "" && high == "":
		return condition{}, fmt.Errorf("%s has no ends: write %s", quoted(text), f.rangeExample())
	case low == "":
		return condition{}, fmt.Errorf("%s has no lower end: write <= %s", quoted(text), label(high))
	case high == "":
		return condition{}, fmt.Errorf("%s has no upper end: write >= %s", quoted(text), label(low))
	}
	var percent bool
	var err error
	if c.low, c.percent, err = f.literal(low); err != nil {
		return condition{}, err
	}
	if c.high, percent, err = f.literal(high); err != nil {
		return condition{}, err
	}
	if percent != c.percent {
		return condition{}, fmt.Errorf("%s has %% at one end: write it at both", quoted(text))
	}
	if c.low > c.high {
		return condition{}, fmt.Errorf("%s ends before it begins: write %s..%s", quoted(text), label(high), label(low))
	}
	c.op = ".."
	return c, nil
}

func (c condition) ofWords(f field, rest string) (condition, error) {
	if c.op != "=" && c.op != "!=" {
		return condition{}, fmt.Errorf("%s is %v and has no order: write %s, or != in front of it", label(f.asked), f.kind, f.example())
	}
	known := f.words
	if f.kind == truthField {
		known = []string{"true", "false"}
	}
	if f.kind == truthField && rest == "true" { // judged as 1 and 0, which have a median
		c.low = 1
	}
	if c.word = rest; len(known) == 0 || slices.Contains(known, rest) {
		return c, nil
	}
	message := fmt.Sprintf("%s is never %s", label(f.asked), quoted(rest))
	if f.name == "recovered" && startsWithDigit(rest) {
		message += " (recovered_at is the instant)"
	}
	return condition{}, choose(message, strings.ToLower(rest), "", known)
}

func (c condition) ofList(f field, rest string) (condition, error) {
	inner, opened := strings.CutPrefix(rest, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	switch {
	case !opened:
		return condition{}, fmt.Errorf("%s is a list: write %s, or ask for one number, as peak or bins@2s", label(f.asked), f.example())
	case !closed:
		return condition{}, fmt.Errorf("%s has no end: close the list with ]", quoted(rest))
	case c.op != "=" && c.op != "!=":
		return condition{}, fmt.Errorf("a list has no order: write %s without %s", f.example(), c.op)
	}
	c.list = []float64{}
	if strings.TrimSpace(inner) == "" {
		return c, nil
	}
	place := field{asked: "a place of " + f.asked, kind: countField}
	for part := range strings.SplitSeq(inner, ",") {
		n, _, err := place.literal(strings.TrimSpace(part))
		if err != nil {
			return condition{}, err
		}
		c.list = append(c.list, n)
	}
	return c, nil
}

// mostNumber is the largest count that a float still tells from the next one.
const mostNumber = 1 << 53

var (
	numberForm    = regexp.MustCompile(`^(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?)\s*(\S*)$`)
	durationForm  = regexp.MustCompile(`^(?:[0-9]+(?:\.[0-9]+)?(?:ns|us|µs|μs|ms|s|m|h))+$`)
	thousandsForm = regexp.MustCompile(`^[0-9]{1,3}(?:[,_' ][0-9]{3})+(?:$|[^0-9])`)
	commaForm     = regexp.MustCompile(`^[0-9]+,[0-9]+`)
)

// literal reads one value in the field's unit.
func (f field) literal(text string) (n float64, percent bool, err error) {
	wrong := func(format string, args ...any) (float64, bool, error) {
		return 0, false, fmt.Errorf("%s "+format, append([]any{quoted(text)}, args...)...)
	}
	separators := strings.NewReplacer(",", "", "_", "", "'", "", " ", "")
	switch {
	case thousandsForm.MatchString(text):
		return wrong("separates thousands: write %s", label(separators.Replace(text)))
	case commaForm.MatchString(text):
		return wrong("has a comma: write a point, as %s", label(strings.Replace(text, ",", ".", 1)))
	}
	if joined := strings.ReplaceAll(text, " ", ""); f.kind == timeField && durationForm.MatchString(joined) {
		d, err := time.ParseDuration(joined)
		if err != nil {
			return wrong("is longer than 290 years: write a shorter time")
		}
		return Milliseconds(d), false, nil
	}
	m := numberForm.FindStringSubmatch(text)
	if m == nil {
		return wrong("is not %v, which %s is: write %s", f.kind, label(f.asked), f.example())
	}
	n, err = strconv.ParseFloat(m[1], 64)
	switch unit := m[2]; {
	case err != nil || math.Abs(n) > mostNumber:
		return wrong("is larger than anything the lab counts: write at most %d", int64(mostNumber))
	case unit == "%":
		return f.percentage(text, n)
	case unit != "":
		return wrong("is not %v, which %s is: write %s", f.kind, label(f.asked), f.example())
	case n < 0 && f.kind != numberField:
		return wrong("is negative, and %s is never: write %s", label(f.asked), f.example())
	case f.kind == timeField && !f.plain && n != 0:
		return wrong("has no unit: write %sms or %ss", m[1], m[1])
	case f.kind == countField && n != math.Trunc(n):
		return wrong("is not whole, and %s is a count: write %s", label(f.asked), number(math.Round(n)))
	case f.kind == shareField && n > 1:
		return wrong("is more than all: write a share from 0 to 1, or %s%%", m[1])
	}
	return n, false, nil
}

// percentage is a value with a % in the unit of the field; of a count it is the
// share in another one.
func (f field) percentage(text string, n float64) (float64, bool, error) {
	switch {
	case n < 0:
		return 0, false, fmt.Errorf("%s is negative, and a percentage is never: write 0%% or more", quoted(text))
	case f.kind == percentField:
		return n, false, nil
	case f.kind == shareField:
		return n / 100, false, nil
	case f.of != "":
		return n, true, nil
	}
	return 0, false, fmt.Errorf("%s is a percentage, but %s is %v of nothing in particular: write %s", quoted(text), label(f.asked), f.kind, f.example())
}

// example is a condition that fits the field.
func (f field) example() string {
	switch f.kind {
	case numberField:
		return "<= 3"
	case timeField:
		return "< 800ms"
	case percentField, shareField:
		return "<= 5%"
	case listField:
		return "[50, 0, 50]"
	case wordField:
		return append(f.words, "the word")[0]
	case truthField:
		return "true"
	}
	return "<= 120"
}

func (f field) rangeExample() string {
	if f.kind == timeField {
		return "100ms..800ms"
	}
	return "40..45"
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
