package trace

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"labctl/report"
)

// Table prints a report for people.
func Table(w io.Writer, r Report, o report.Options) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n", headline(r))
	if err := report.Columns(&b, pathColumns, pathRows(r), o); err != nil {
		return err
	}
	if columns, rows := filled(layerColumns, layerRows(r)); len(rows) > 0 {
		b.WriteString("\nRepeated, by caller and called:\n\n")
		if err := report.Columns(&b, columns, rows, o); err != nil {
			return err
		}
	}
	for i, n := range r.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(report.Wrap("note: ", n.Message, o.Width, 2) + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Markdown writes the same for a page.
func Markdown(w io.Writer, r Report) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "### Traces\n\n%s\n", headline(r))
	if err := report.ColumnsMarkdown(&b, pathColumns, pathRows(r)); err != nil {
		return err
	}
	if columns, rows := filled(layerColumns, layerRows(r)); len(rows) > 0 {
		b.WriteString("\nRepeated, by caller and called:\n")
		if err := report.ColumnsMarkdown(&b, columns, rows); err != nil {
			return err
		}
	}
	for i, n := range r.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "- %s\n", report.EscapeMarkdown(n.Message))
	}
	_, err := w.Write(b.Bytes())
	return err
}

func headline(r Report) string {
	return fmt.Sprintf("%s in %s of %s. Amplification is requests of a service per request of the path's root.",
		plural(r.Requests, "request"), plural(r.Traces, "trace"), plural(r.Spans, "span"))
}

func plural(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return report.FormatCount(n) + " " + what
}

// String is the path as people write it.
func (p Path) String() string {
	names := make([]string, len(p.Services))
	for i, s := range p.Services {
		names[i] = report.Clean(s)
	}
	return strings.Join(names, " → ")
}

var pathColumns = []report.Column{
	{Head: "path", Prose: true}, {Head: "requests", Right: true}, {Head: "attempts", Right: true, Drop: 1}, {Head: "amplification", Right: true}, {Head: "retried by", Prose: true},
}

func pathRows(r Report) [][]string {
	var rows [][]string
	for _, p := range r.Paths {
		requests, attempts := report.FormatCount(p.Requests), report.FormatCount(p.Attempts)
		if p.Unseen {
			requests = "no spans"
		}
		if len(p.Services) == 1 {
			attempts = "–"
		}
		var by []string
		for _, f := range p.RetriedBy {
			by = append(by, report.Clean(f.Layer)+" "+factor(f))
		}
		rows = append(rows, []string{p.String(), requests, attempts, report.FormatNumber(p.Amplification), strings.Join(by, " × ")})
	}
	return rows
}

// factor is how many attempts one call had: always, or on average and at most.
func factor(f Factor) string {
	if f.Mean == float64(f.Most) {
		return strconv.FormatInt(f.Most, 10)
	}
	return fmt.Sprintf("%s (at most %d)", report.FormatNumber(f.Mean), f.Most)
}

var layerColumns = []report.Column{
	{Head: "call"}, {Head: "calls", Right: true, Drop: 3}, {Head: "attempts", Right: true}, {Head: "at most", Right: true, Drop: 2},
	{Head: "retries", Right: true}, {Head: "on", Prose: true}, {Head: "rest", Drop: 4, Prose: true}, {Head: "at once", Right: true}, {Head: "hidden", Right: true},
}

// layerRows are the layers at which anything was repeated.
func layerRows(r Report) [][]string {
	var rows [][]string
	for _, l := range r.Layers {
		if l.Most < 2 && l.Overlapping+l.Hidden == 0 {
			continue
		}
		rows = append(rows, []string{
			report.Clean(l.From) + " → " + report.Clean(l.To), report.FormatCount(l.Calls), report.FormatCount(l.Attempts), report.FormatCount(l.Most),
			retries(l), on(l), rest(l.Rest), some(l.Overlapping), some(l.Hidden),
		})
	}
	return rows
}

func retries(l Layer) string {
	text := report.FormatCount(l.Retries)
	if l.Inferred > 0 {
		text += " (" + report.FormatCount(l.Inferred) + " inferred)"
	}
	return text
}

func on(l Layer) string {
	var words []string
	for _, c := range l.On {
		words = append(words, report.Clean(c.What)+" × "+report.FormatCount(c.Times))
	}
	return strings.Join(words, ", ")
}

func rest(r *Rest) string {
	switch {
	case r == nil:
		return ""
	case r.Min == r.Max:
		return report.FormatMillis(r.Min)
	}
	return report.FormatMillis(r.Min) + " – " + report.FormatMillis(r.Max) + ", half up to " + report.FormatMillis(r.Median)
}

func some(n int64) string {
	if n == 0 {
		return ""
	}
	return report.FormatCount(n)
}

// filled leaves out columns in which nothing stands.
func filled(columns []report.Column, rows [][]string) ([]report.Column, [][]string) {
	var kept []report.Column
	out := make([][]string, len(rows))
	for c, column := range columns {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[c] != "" }) {
			continue
		}
		kept = append(kept, column)
		for i, row := range rows {
			out[i] = append(out[i], row[c])
		}
	}
	return kept, out
}
