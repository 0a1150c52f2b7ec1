package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// maxLabel keeps one absurd name from pushing every number off the screen.
const maxLabel = 48

// clean makes foreign text harmless on a terminal: names come from files and
// from deployed systems, and may hold escapes, line breaks or marks that turn
// the writing direction of everything after them.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t':
			return ' '
		case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// label is clean text of bounded width.
func label(s string) string { return cut(clean(s), maxLabel) }

// cut shortens text that is too wide for its place.
func cut(s string, width int) string {
	if textWidth(s) <= width {
		return s
	}
	used := 0
	for i, r := range s {
		used += textWidth(string(r))
		if used >= width {
			return s[:i] + "…"
		}
	}
	return s
}

// textWidth is in terminal columns. The options are fixed, or output would
// differ with the locale of the machine.
func textWidth(s string) int { return twwidth.WidthWithOptions(s, twwidth.Options{}) }

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(width-textWidth(s), 0)) + s
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(width-textWidth(s), 0))
}

// count separates thousands: 33,000,000.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// number is a count where it is whole and has at most two decimals elsewhere.
func number(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return count(int64(f))
	}
	if math.Abs(f) >= 1<<53 {
		return strconv.FormatFloat(f, 'g', 4, 64)
	}
	s := strconv.FormatFloat(f, 'f', 2, 64)
	whole, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil { // not a number, or infinite
		return s
	}
	sign := ""
	if n == 0 && f < 0 {
		sign = "-"
	}
	fraction = strings.TrimRight(fraction, "0")
	if fraction == "" {
		return sign + count(n)
	}
	return sign + count(n) + "." + fraction
}

// millis prints a time of a result, in seconds once that reads better.
func millis(ms float64) string {
	switch {
	case math.Abs(ms) >= 10_000:
		return number(math.Round(ms/10)/100) + " s"
	case math.Abs(ms) >= 100:
		return number(math.Round(ms)) + " ms"
	default:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
}

// maxList is how many numbers of a list a line can carry.
const maxList = 12

// list prints numbers with spaces between, and says how many there are when it
// shows only the first ones.
func list(ns []int64, most int) string {
	if len(ns) == 0 {
		return "none"
	}
	words := make([]string, 0, maxList+1)
	for i, n := range ns {
		if i == most {
			words = append(words, fmt.Sprintf("… (%s in all)", count(int64(len(ns)))))
			break
		}
		words = append(words, count(n))
	}
	return strings.Join(words, " ")
}

// product prints factors, "3 × 4".
func product(factors []int64) string {
	words := make([]string, len(factors))
	for i, f := range factors {
		words[i] = count(f)
	}
	return strings.Join(words, " × ")
}

// wrap is Wrap for text that starts with its own spaces.
func wrap(text string, width, indent int) string {
	lead := text[:len(text)-len(strings.TrimLeft(text, " "))]
	return Wrap(lead, text[len(lead):], width, indent)
}

// Wrap breaks text at spaces behind a lead, which it leaves as it is, so that it
// fits the width (0: no limit); later lines are indented. A word that is wider
// than the line stands alone rather than being cut.
func Wrap(lead, text string, width, indent int) string {
	used := textWidth(lead)
	if width <= 0 || used+textWidth(text) <= width {
		return lead + text
	}
	var b strings.Builder
	b.WriteString(lead)
	for i, word := range strings.Fields(text) {
		w := textWidth(word)
		switch {
		case i == 0:
		case used+1+w > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			used = indent
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += w
	}
	return b.String()
}

// plural prints a count with its noun.
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if base, ok := strings.CutSuffix(noun, "y"); ok {
		return count(n) + " " + base + "ies"
	}
	return count(n) + " " + noun + "s"
}
