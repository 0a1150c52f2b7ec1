package report

import (
	"io"
	"strings"
)

// Rows prints a table of text, its head first, as every other table of the program
// looks; where the line is too short, row by row.
func Rows(w io.Writer, rows [][]string, width int) error {
	var s sheet
	for _, head := range rows[0] {
		s = append(s, column{head: head})
	}
	for _, row := range rows[1:] {
		s.add(row...)
	}
	return s.write(w, Options{Width: width})
}

// Column says how a column of a table of text behaves.
type Column struct {
	Head  string
	Right bool // numbers
	Drop  int  // the highest goes first when the line is too short; 0 stays
	Prose bool // may run over several lines
}

// Columns prints a table like Rows does, for a package with more to say of its columns.
// Heads and cells must be clean.
func Columns(w io.Writer, columns []Column, rows [][]string, o Options) error {
	return sheetOf(columns, rows).write(w, o)
}

// ColumnsMarkdown is the same table as GitHub renders it, escaped.
func ColumnsMarkdown(w io.Writer, columns []Column, rows [][]string) error {
	var b strings.Builder
	sheetOf(columns, rows).markdown(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func sheetOf(columns []Column, rows [][]string) sheet {
	var s sheet
	for _, c := range columns {
		s = append(s, column{head: c.Head, right: c.Right, drop: c.Drop, prose: c.Prose})
	}
	for _, row := range rows {
		s.add(row...)
	}
	return s
}

// Clean makes text of strangers harmless on a terminal, and one line.
func Clean(s string) string { return clean(s) }

// EscapeMarkdown keeps clean text from becoming structure, links, mentions or HTML.
func EscapeMarkdown(s string) string { return escapeMarkdown(s) }
