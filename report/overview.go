package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Overview prints the published figures of several results as one table: what was
// published, what each engine measured, and the verdict of both.
func Overview(w io.Writer, results []Result, o Options) error {
	var b bytes.Buffer
	rows := overviewRows(results)
	b.WriteString(overviewHead(results, rows) + "\n\n")
	if err := overviewSheet(rows, narrow).write(&b, o); err != nil {
		return err
	}
	for i, note := range overviewNotes(results) {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(wrap(note, o.Width, 2) + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// OverviewMarkdown is the same table as GitHub renders it.
func OverviewMarkdown(w io.Writer, results []Result) error {
	var b strings.Builder
	rows := overviewRows(results)
	b.WriteString("## Published figures\n")
	mdLine(&b, overviewHead(results, rows))
	if len(results) > 0 {
		first := results[0]
		first.Command = "" // each result has its own, below
		mdLine(&b, provenance(first))
	}
	overviewSheet(rows, strings.Clone).markdown(&b)
	for i, note := range overviewNotes(results) {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + escapeMarkdown(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// overviewRow is one figure, measured by one engine or by both.
type overviewRow struct {
	id, published, expected, live, sim, verdict string
}

func overviewRows(results []Result) []overviewRow {
	var rows []overviewRow
	for _, r := range results {
		first := len(rows)
		for _, f := range r.Figures {
			i := slices.IndexFunc(rows[first:], func(o overviewRow) bool { return o.id == f.ID })
			if i < 0 {
				i = len(rows) - first
				rows = append(rows, overviewRow{id: f.ID, published: valueText(f.Published)})
			}
			rows[first+i].add(f, r.Engine)
		}
	}
	return rows
}

// add takes one engine's measurement into the row. Off weighs more than
// reproduced, and that more than what could not be compared.
func (o *overviewRow) add(f Figure, engine string) {
	if f.Engine != "" {
		engine = f.Engine
	}
	measured := valueText(f.Measured)
	if engine == "live" {
		if o.live = measured; f.Verdict == NotComparable && measured != "" {
			o.live = "(" + measured + ")"
		}
	} else {
		o.sim, o.expected = measured, valueText(f.Expected)
	}
	for _, worst := range []string{Off, Reproduced, AsExpected, NotComparable} {
		if f.verdict() == worst || o.verdict == worst {
			o.verdict = worst
			return
		}
	}
}

func overviewHead(results []Result, rows []overviewRow) string {
	n := map[string]int64{}
	for _, row := range rows {
		n[row.verdict]++
	}
	reproduced := count(n[Reproduced]) + " reproduced"
	if n[AsExpected] > 0 {
		reproduced += fmt.Sprintf(", %s %s", count(n[AsExpected]), AsExpected)
	}
	return fmt.Sprintf("%s of %s: %s, %s off, %s not comparable",
		plural(int64(len(rows)), "figure"), plural(int64(len(results)), "scenario"),
		reproduced, count(n[Off]), count(n[NotComparable]))
}

// narrow breaks a long value, so that a table with five of them fits on a screen.
func narrow(value string) string { return wrap(value, 24, 0) }

// overviewSheet leaves a column out that no row has anything in.
func overviewSheet(rows []overviewRow, shape func(string) string) sheet {
	s := sheet{{head: "figure"}, {head: "published", right: true}, {head: "expected", right: true, drop: 1},
		{head: "live", right: true}, {head: "virtual time", right: true}, {head: "verdict", paint: true}}
	for _, r := range rows {
		s.add(clean(r.id), shape(r.published), shape(r.expected), shape(r.live), shape(r.sim), r.verdict)
	}
	return slices.DeleteFunc(s, func(c column) bool {
		return !slices.ContainsFunc(c.cells, func(cell string) bool { return cell != "" })
	})
}

// overviewNotes says why figures are not reproduced, and what was scaled.
func overviewNotes(results []Result) []string {
	var notes []string
	for _, r := range results {
		for _, reason := range reasons(r) {
			notes = append(notes, clean(r.Scenario)+"/"+reason)
		}
		for _, w := range r.Warnings {
			if w.Code == "scaled" {
				notes = append(notes, clean(r.Scenario)+": "+clean(w.Message))
			}
		}
	}
	return notes
}
