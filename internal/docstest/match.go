package docstest

import (
	"fmt"
	"regexp"
	"strings"
)

// Match says how an output differs from what a page shows of it, and is empty
// where it does not. The package says what "…" and live mean.
func Match(shown, got string, live bool) string {
	if live {
		shown, got = timeless(shown), timeless(got)
	}
	if pattern(shown, `\z`).MatchString(got) {
		return ""
	}
	// The first line that cannot be found behind those above it is the one to show.
	above := ""
	for line := range strings.Lines(shown) {
		if !pattern(above+line, "").MatchString(got) {
			return fmt.Sprintf("it does not print this line where the page has it: %q", strings.TrimSpace(line))
		}
		above += line
	}
	return "it prints more than the page shows"
}

// pattern is what a page shows as a regular expression from the start of an
// output.
func pattern(shown, end string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`\A`)
	for line := range strings.Lines(shown) {
		if strings.TrimSpace(line) == "…" {
			b.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", `[^\n]*`))
	}
	return regexp.MustCompile(b.String() + end)
}

var (
	aTime = regexp.MustCompile(`\d[\d,.]* ?(ns|µs|ms|s|min)\b`)
	width = regexp.MustCompile(`[ ─]{2,}`)
	bars  = regexp.MustCompile(`(?m)(^ *[\d.]+–[\d.]+ (µs|ms|s) .*\n)+`)
)

// timeless takes out of an output what no live run prints twice: times, the
// widths of columns that hold some, and the bars of histograms.
func timeless(output string) string {
	var b strings.Builder
	for line := range strings.Lines(bars.ReplaceAllString(output, "BARS\n")) {
		line = aTime.ReplaceAllString(line, "TIME")
		b.WriteString(strings.TrimSpace(width.ReplaceAllString(line, " ")) + "\n")
	}
	return b.String()
}
