package report

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes a result with tables as GitHub renders them, for pull requests
// and job summaries. It says what Table says, without the drawings.
func Markdown(w io.Writer, r Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n", escapeMarkdown(label(r.Scenario)))
	mdLine(&b, r.Title)
	mdLine(&b, provenance(r))
	if r.Partial {
		mdWarning(&b, "partial: interrupted, these are the numbers measured until then")
	}
	rows := rowVariants(r)
	if len(r.Variants) == 0 && len(r.Readings) == 0 {
		mdLine(&b, "nothing ran, so there is nothing to show")
	}
	if len(rows) > 0 {
		variantSheet(r).markdown(&b)
		if s := routeSheet(rows); s.rows() > 0 {
			s.markdown(&b)
		}
	}
	for i, f := range r.Findings {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + escapeMarkdown(prefixed(f.Variant, f.Message)) + "\n")
	}
	for _, text := range Doubts(r.Warnings) {
		mdWarning(&b, text)
	}
	mdExpectations(&b, r.Expectations)
	mdSections(&b, r, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

// provenance says how to get the result again.
func provenance(r Result) string {
	text := fmt.Sprintf("%s, seed %d", r.Engine, r.Seed)
	if r.Labctl != "" {
		text += ", labctl " + r.Labctl
	}
	if r.Command != "" {
		text += ", " + r.Command
	}
	return text
}

func mdSections(b *strings.Builder, r Result, rows []Variant) {
	for _, g := range r.Grids {
		mdLine(b, g.Title)
		gridSheet(g).markdown(b)
	}
	if len(r.Readings) > 0 {
		readingSheet(r.Readings).markdown(b)
	}
	if s := layerSheet(rows); s.rows() > 0 {
		b.WriteString("\n<details><summary>layers</summary>\n")
		s.markdown(b)
		b.WriteString("\n</details>\n")
	}
	if len(r.Figures) == 0 {
		return
	}
	mdLine(b, "published figures: "+tally(r.Figures))
	if allChanged(r.Figures) {
		return
	}
	if why, all := incomparable(r.Figures); all {
		mdLine(b, why)
		return
	}
	figureSheet(r.Scenario, r.Figures).markdown(b)
	for i, reason := range reasons(r) {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + escapeMarkdown(reason) + "\n")
	}
}

// prefixed says whom a message is about.
func prefixed(name, message string) string {
	if name == "" {
		return clean(message)
	}
	return label(name) + ": " + clean(message)
}

func mdLine(b *strings.Builder, text string) {
	if text != "" {
		b.WriteString("\n" + escapeMarkdown(clean(text)) + "\n")
	}
}

func mdWarning(b *strings.Builder, text string) {
	b.WriteString("\n> **warning:** " + escapeMarkdown(text) + "\n")
}

func (s sheet) markdown(b *strings.Builder) {
	b.WriteByte('\n')
	mdRow(b, s.heads(), escapeMarkdown)
	rules := make([]string, len(s))
	for i, c := range s {
		rules[i] = "---"
		if c.right {
			rules[i] = "--:"
		}
	}
	mdRow(b, rules, strings.Clone)
	for i := range s.rows() {
		mdRow(b, s.row(i, Options{}), escapeMarkdown)
	}
}

func mdRow(b *strings.Builder, cells []string, escape func(string) string) {
	for _, cell := range cells {
		b.WriteString("| " + escape(cell) + " ")
	}
	b.WriteString("|\n")
}

// markdownEscapes keeps foreign text from becoming structure, links, mentions or
// HTML.
var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`, "!", `\!`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@\u2060",
)

func escapeMarkdown(s string) string { return markdownEscapes.Replace(s) }
