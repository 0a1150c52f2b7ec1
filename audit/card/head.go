package card

import (
	"fmt"
	"slices"
	"strings"

	"labctl/audit"
)

// entry is one thing to say, with the word that it is about.
type entry struct{ key, text string }

func title(a audit.Audit) string {
	words := []string{subject(a), plural(len(a.Probes), "probe")}
	if a.Labctl != "" {
		words = append(words, "labctl "+a.Labctl)
	}
	return strings.Join(words, " · ")
}

func subject(a audit.Audit) string { return strings.TrimSpace(a.Subject + " " + a.Version) }

// commandLine quotes as a shell needs it, so that the command can be copied.
func commandLine(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg
		if arg == "" || strings.ContainsAny(arg, " \t\n\r'\"\\$`|&;<>()*?[]#~!") {
			words[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// bySeverity puts what hurts most first, and leaves the order within a severity.
func bySeverity(fs []audit.Finding) []audit.Finding {
	sorted := slices.Clone(fs)
	slices.SortStableFunc(sorted, func(x, y audit.Finding) int {
		worse, milder := x.Severity.AtLeast(y.Severity), y.Severity.AtLeast(x.Severity)
		switch {
		case worse == milder:
			return 0
		case worse:
			return -1
		}
		return 1
	})
	return sorted
}

func undecidedEntries(a audit.Audit) []entry {
	var es []entry
	for _, u := range a.Policy.Undecided {
		es = append(es, entry{"not decided", u})
	}
	return es
}

// doubts are what a reader must know of the numbers.
func doubts(a audit.Audit) []entry {
	var es []entry
	if n := a.Noise; n != nil {
		es = append(es, entry{"gaps", fmt.Sprintf("upper bounds of the rests: a client that does not rest takes %s (p99 %s, %s) from an answer to its next request here",
			span(n.Median), span(n.P99), plural(n.Samples, "sample"))})
	}
	for _, w := range a.Warnings {
		es = append(es, entry{"warning", w})
	}
	return es
}

func plural(n int, noun string) string {
	switch base, y := strings.CutSuffix(noun, "y"); {
	case n == 1:
		return "1 " + noun
	case y:
		return fmt.Sprintf("%d %sies", n, base)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
