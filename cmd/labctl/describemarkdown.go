package main

import (
	"fmt"
	"strings"

	"labctl/scenarios"
)

// describeMarkdown is a description as a page of docs/scenarios. What the lab
// models stands there once, in a page of its own.
func describeMarkdown(s scenarios.Scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n**%s**\n\n%s\n", s.Name, plainMarkdown(s.Title), plainMarkdown(s.Text))
	fmt.Fprintf(&b, "\n## Topology\n\n%s\n\n", chain(s.Topology))
	b.WriteString(markdownTable([]string{"service", "what it does"}, topologyRows(s.Topology)))
	b.WriteString("\n## Variants\n\n")
	b.WriteString(markdownTable([]string{"variant", "what it changes"}, variantRows(s, inCode)))
	b.WriteString(markdownFigures(s.Figures))
	fmt.Fprintf(&b, "\n## Run it\n\n```console\n$ labctl run %s --engine sim --quiet\n```\n\n", s.Name)
	fmt.Fprintf(&b, "Without `--quiet` there are histograms, layers and findings too; without `--engine sim` it is real HTTP over loopback. `labctl describe %s --yaml` prints it as a file to change. What virtual time models, and what not: [what is not modelled](../what-is-not-modelled.md).\n", s.Name)
	return b.String()
}

func markdownFigures(figures []scenarios.Figure) string {
	if len(figures) == 0 {
		return ""
	}
	var rows [][]string
	timed := false
	for _, f := range figures {
		id, correct := inCode(f.ID), "the same"
		if f.Timing {
			id, timed = id+" *", true
		}
		if f.Expected != nil {
			correct = valueText(f.Expected)
		}
		rows = append(rows, []string{id, valueText(f.Published), correct, f.Tolerance.String()})
	}
	text := "\n## Figures\n\n" + markdownTable([]string{"figure", "published", "a correct lab shows", "tolerance"}, rows)
	if timed {
		text += "\n\\* depends on when hits arrive, so in a live run the machine has a say in it.\n"
	}
	return text
}

// markdownTable is a table whose cells hold text, and code in backticks where it
// says so.
func markdownTable(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	line(head)
	line(strings.Split(strings.Repeat("---,", len(head)-1)+"---", ","))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = plainMarkdown(cell)
		}
		line(cells)
	}
	return b.String()
}

// plainMarkdown keeps a text from meaning anything in Markdown.
var plainMarkdown = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace

// inCode prints a setting as code.
func inCode(setting string) string { return "`" + setting + "`" }
