package infer

import (
	"fmt"
	"math"
	"strings"

	"labctl/audit"
)

// Chains says who multiplies in chains of several layers, of the longest ones: shorter
// ones are parts of them.
func Chains(chains []audit.Chain) []audit.Finding {
	longest := 0
	for _, c := range chains {
		longest = max(longest, len(c.Layers))
	}
	var all []audit.Finding
	for _, c := range chains {
		if len(c.Layers) == longest {
			all = append(all, multiplies(c)...)
		}
	}
	return all
}

// multiplies is the finding of one chain where two layers retry, or a stack does behind
// their backs.
func multiplies(c audit.Chain) []audit.Finding {
	var words []string
	retrying, hidden, product := 0, 0, 1.0
	for _, l := range c.Layers {
		words = append(words, fmt.Sprintf("%s %.3g", l.Name, l.Factor))
		product *= l.Factor
		hidden += l.Hidden
		if l.Factor > 1 {
			retrying++
		}
	}
	if retrying < 2 && hidden == 0 {
		return nil
	}
	text := fmt.Sprintf("%s %s: one request becomes %d: %s", c.Fault, c.Method, c.Hits, strings.Join(words, " × "))
	if more := c.Hits - int(math.Round(product)); hidden > 0 && more > 0 {
		text += fmt.Sprintf(", and %d more by %s on reused connections", more, several(hidden, "hidden replay", "hidden replays"))
	}
	return finding(audit.Danger, "layers-multiply", "%s", text)
}
