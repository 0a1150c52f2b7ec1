package report

import (
	"slices"
	"strings"
)

// Doubts are the warnings as lines: one that is about several variants is said
// once, with their names.
func Doubts(warnings []Warning) []string {
	var order []string
	about := map[string][]string{}
	for _, w := range warnings {
		if _, said := about[w.Message]; !said {
			order = append(order, w.Message)
			about[w.Message] = nil
		}
		if name := label(w.Variant); w.Variant != "" && !slices.Contains(about[w.Message], name) {
			about[w.Message] = append(about[w.Message], name)
		}
	}
	lines := make([]string, len(order))
	for i, message := range order {
		lines[i] = clean(message)
		if names := about[message]; len(names) > 0 {
			lines[i] = strings.Join(names, ", ") + ": " + lines[i]
		}
	}
	return lines
}
