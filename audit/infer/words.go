package infer

import (
	"fmt"
	"strconv"
	"strings"
)

// span writes milliseconds for people: 400 ms, 1.5 s, 9223372037 s.
func span(ms float64) string {
	if ms < 1000 {
		return number(ms, 3) + " ms"
	}
	return number(ms/1000, 3) + " s"
}

// number writes so many digits, and no fewer than the whole part has.
func number(x float64, digits int) string {
	if x >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	text := strconv.FormatFloat(x, 'g', digits, 64)
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}

// spans joins several.
func spans(ms []float64) string {
	words := make([]string, len(ms))
	for i, x := range ms {
		words[i] = span(x)
	}
	return strings.Join(words, ", ")
}

// count is "4 attempts (3 retries)": both words, since people mean either by the
// other.
func count(attempts int) string {
	return fmt.Sprintf("%s (%s)", several(attempts, "attempt", "attempts"), several(attempts-1, "retry", "retries"))
}

// times is "once" or "3 times".
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

func several(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}
