// Package card shows an audit: as a report card on a terminal, as Markdown, JSON and
// JUnit, and many of them as one index. It reads the model and decides nothing; what
// the numbers mean was inferred before.
package card

import (
	"bytes"
	"io"
	"strings"

	"labctl/audit"
	"labctl/report"
)

// Options of the text. The zero value is plain, and as wide as it likes.
type Options struct {
	Width int  // terminal columns; 0: no limit
	Color bool // severities and doubts in colour
	All   bool // a row for every probe, instead of those that are alike folded into one
}

// Text prints the report card for people: the policy, what it means, the layers of a
// chain, the probes that it was inferred from, and the doubts.
func Text(w io.Writer, a audit.Audit, o Options) error {
	t := &textWriter{o: o}
	t.line("", bold, title(a))
	if c := commandLine(a.Command); c != "" {
		t.line("$ ", "", c)
	}
	if a.Partial {
		t.line("partial: ", yellow, partialText)
	}
	t.entries(policyEntries(a))
	t.findings(a.Findings)
	t.chains(a.Chains)
	t.probes(a.Probes)
	t.entries(undecidedEntries(a))
	t.doubts(a)
	if t.err != nil {
		return t.err
	}
	_, err := w.Write(t.buf.Bytes())
	return err
}

const partialText = "interrupted, these are the probes made until then"

// textWriter collects sections with one blank line between them; the first error stops
// it. All text of the audit passes through line or a cell, which clean it.
type textWriter struct {
	o   Options
	buf bytes.Buffer
	err error
}

const (
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	bold   = "\x1b[1m"
	plain  = "\x1b[0m"
)

func (t *textWriter) section() {
	if t.buf.Len() > 0 {
		t.buf.WriteByte('\n')
	}
}

// line prints a lead and its text. The colour is that of the lead, or of the whole
// line where there is none.
func (t *textWriter) line(lead, color, text string) {
	lead, text = report.Clean(lead), report.Clean(text)
	whole := lead == ""
	folded := report.Wrap(lead, text, t.o.Width, min(len(lead), 2))
	if t.o.Color && color != "" {
		end := len(lead)
		if whole {
			end = len(folded)
		}
		folded = color + folded[:end] + plain + folded[end:]
	}
	t.buf.WriteString(folded + "\n")
}

// entries prints "key  text" lines, the texts below each other.
func (t *textWriter) entries(es []entry) {
	if len(es) == 0 {
		return
	}
	t.section()
	keys := 0
	for _, e := range es {
		keys = max(keys, len(e.key))
	}
	for _, e := range es {
		lead := e.key + strings.Repeat(" ", keys-len(e.key)+2)
		t.buf.WriteString(report.Wrap(lead, report.Clean(e.text), t.o.Width, len(lead)) + "\n")
	}
}

func (t *textWriter) findings(fs []audit.Finding) {
	if len(fs) == 0 {
		return
	}
	t.section()
	for _, f := range bySeverity(fs) {
		color := ""
		switch f.Severity {
		case audit.Danger:
			color = red
		case audit.Risk:
			color = yellow
		}
		t.line(string(f.Severity)+": ", color, f.Message)
	}
}

func (t *textWriter) chains(chains []audit.Chain) {
	if len(chains) == 0 {
		return
	}
	t.section()
	for _, c := range chains {
		t.line(chainName(c)+": ", bold, productText(c))
	}
	t.section()
	t.table(layerTable(chains))
}

func (t *textWriter) probes(rows []audit.Row) {
	t.section()
	if len(rows) == 0 {
		t.line("", "", "no probe was made, so there is nothing to show")
		return
	}
	t.line("", "", probesHead)
	if t.o.All {
		t.table(allTable(rows))
	} else {
		t.table(foldedTable(rows, proseWidth))
	}
	for i, n := range notes(rows) {
		if i == 0 {
			t.section()
		}
		t.line("", "", n)
	}
}

func (t *textWriter) doubts(a audit.Audit) {
	for i, d := range doubts(a) {
		if i == 0 {
			t.section()
		}
		t.line(d.key+": ", yellow, d.text)
	}
}

func (t *textWriter) table(tb table) {
	if t.err != nil {
		return
	}
	t.err = report.Columns(&t.buf, tb.columns, tb.rows, report.Options{Width: t.o.Width})
}
