package card

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"labctl/audit"
	"labctl/report"
)

// Markdown writes the report card as GitHub renders it, for a file that people link to.
// It says what Text says.
func Markdown(w io.Writer, a audit.Audit) error {
	m := &markdownWriter{}
	fmt.Fprintf(&m.b, "### %s\n", escaped(title(a)))
	if c := commandLine(a.Command); c != "" {
		m.paragraph(code(c))
	}
	if a.Partial {
		m.paragraph("> **partial:** " + partialText)
	}
	m.entries("Policy", policyEntries(a))
	var findings []entry
	for _, f := range bySeverity(a.Findings) {
		findings = append(findings, entry{string(f.Severity), f.Message})
	}
	m.entries("Findings", findings)
	m.chains(a.Chains)
	m.probes(a.Probes)
	m.entries("Doubts", slices.Concat(undecidedEntries(a), doubts(a)))
	if m.err != nil {
		return m.err
	}
	_, err := io.WriteString(w, m.b.String())
	return err
}

// markdownWriter collects paragraphs; the first error stops it.
type markdownWriter struct {
	b   strings.Builder
	err error
}

func escaped(s string) string { return report.EscapeMarkdown(report.Clean(s)) }

// code is a code span where nothing in the text can end one.
func code(s string) string {
	if strings.Contains(s, "`") {
		return escaped(s)
	}
	return "`" + report.Clean(s) + "`"
}

// paragraph writes text that is safe already.
func (m *markdownWriter) paragraph(text string) { m.b.WriteString("\n" + text + "\n") }

// entries has a heading of its own, or two lists would become one.
func (m *markdownWriter) entries(heading string, es []entry) {
	for i, e := range es {
		if i == 0 {
			m.paragraph("#### " + heading + "\n")
		}
		fmt.Fprintf(&m.b, "- **%s:** %s\n", escaped(e.key), escaped(e.text))
	}
}

func (m *markdownWriter) chains(chains []audit.Chain) {
	if len(chains) == 0 {
		return
	}
	var products []entry
	for _, c := range chains {
		products = append(products, entry{chainName(c), productText(c)})
	}
	m.entries("Layers", products)
	m.table(layerTable(chains))
}

func (m *markdownWriter) probes(rows []audit.Row) {
	m.paragraph("#### Probes")
	if len(rows) == 0 {
		m.paragraph("no probe was made, so there is nothing to show")
		return
	}
	m.paragraph(escaped(probesHead))
	m.table(foldedTable(rows, 0))
	for i, n := range notes(rows) {
		if i == 0 {
			m.b.WriteByte('\n')
		}
		m.b.WriteString("- " + escaped(n) + "\n")
	}
	m.b.WriteString("\n<details><summary>every probe</summary>\n")
	m.table(allTable(rows))
	m.b.WriteString("\n</details>\n")
}

func (m *markdownWriter) table(t table) {
	if m.err == nil {
		m.err = report.ColumnsMarkdown(&m.b, t.columns, t.rows)
	}
}
