package card

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"labctl/audit"
	"labctl/report"
)

// table is one before anyone decides whether it is text or Markdown. Its cells are
// clean.
type table struct {
	columns []report.Column
	rows    [][]string
}

func (t *table) add(cells ...string) {
	for i, cell := range cells {
		cells[i] = report.Clean(cell)
	}
	t.rows = append(t.rows, cells)
}

// layerTable has the layers of all chains, outermost first.
func layerTable(chains []audit.Chain) table {
	t := table{columns: []report.Column{{Head: "probe"}, {Head: "layer"}, {Head: "requests", Right: true, Drop: 2}, {Head: "attempts", Right: true, Drop: 1},
		{Head: "factor", Right: true}, {Head: "hidden", Right: true}}}
	for _, c := range chains {
		for i, l := range c.Layers {
			name := ""
			if i == 0 {
				name = chainName(c)
			}
			t.add(name, l.Name, strconv.Itoa(l.Requests), strconv.Itoa(l.Attempts), factorText(l), strconv.Itoa(l.Hidden))
		}
	}
	return t
}

// chainName says no connection: they are as they come.
func chainName(c audit.Chain) string { return c.Fault + " " + c.Method }

// factorText is the mean where the attempts differ, and what they were.
func factorText(l audit.Layer) string {
	text := decimals(l.Factor, 2)
	if len(l.Each) == 0 {
		return text
	}
	return text + " (" + listed(l.Each) + ")"
}

// unevenText says of a layer whose attempts differ that the product is a mean.
func unevenText(c audit.Chain) string {
	for _, l := range c.Layers {
		if len(l.Each) > 0 {
			return fmt.Sprintf("; %s made %s attempts of the requests in turn: after a failure it holds back, so alone, or after a pause, it makes more", l.Name, listed(l.Each))
		}
	}
	return ""
}

func listed(counts []int) string {
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = strconv.Itoa(n)
	}
	if len(words) > shownRests {
		words = append(words[:shownRests], "…")
	}
	return strings.Join(words, ", ")
}

// productText multiplies what the policies do, and says what is left to explain.
func productText(c audit.Chain) string {
	product, hidden := 1.0, 0
	names, factors := make([]string, len(c.Layers)), make([]string, len(c.Layers))
	for i, l := range c.Layers {
		product *= l.Factor
		hidden += l.Hidden
		names[i], factors[i] = l.Name, decimals(l.Factor, 2)
	}
	text := strings.Join(names, " → ") + ": " + strings.Join(factors, " × ")
	if len(factors) > 1 {
		text += " = " + decimals(product, 2)
	}
	uneven := unevenText(c)
	switch more := c.Hits - int(math.Round(product)); {
	case more == 0:
		return text + " at the tail" + uneven
	case more > 0 && hidden > 0:
		return fmt.Sprintf("%s, and %d more by hidden replays on reused connections: %d at the tail%s", text, more, c.Hits, uneven)
	case more > 0:
		return fmt.Sprintf("%s, and %d more that no layer explains: %d at the tail%s", text, more, c.Hits, uneven)
	}
	return fmt.Sprintf("%s, but only %d at the tail: a layer holds attempts back%s", text, c.Hits, uneven)
}
