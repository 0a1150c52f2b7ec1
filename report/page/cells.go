package page

import (
	"unicode/utf8"

	"labctl/report"
)

// prose is text that may be absurdly long: its beginning is shown, and the whole of it
// is a click away.
type prose struct{ Short, Full string }

const (
	longCell  = 240 // runes of a table's cell
	longProse = 600 // runes of a paragraph
)

func proseOf(text string, most int) prose {
	text = report.Clean(text)
	if utf8.RuneCountInString(text) <= most {
		return prose{Short: text}
	}
	return prose{Short: string([]rune(text)[:most/2]) + "…", Full: text}
}

// cell is a cell of a table and the class that it is styled by.
type cell struct {
	prose
	Class string
}

// table is one as the template needs it.
type table struct {
	Caption string
	Heads   []cell
	Rows    [][]cell
}

// shortNumber is how long a number may be and still stand on one line: a list must be
// able to break.
const shortNumber = 22

// longLine is how long a text is that needs room to break well.
const longLine = 36

func tableOf(caption string, t report.TableData) table {
	out := table{Caption: caption}
	for _, c := range t.Columns {
		class := ""
		if c.Right {
			class = "r"
		}
		out.Heads = append(out.Heads, cell{prose{Short: c.Head}, class})
	}
	for _, row := range t.Rows {
		cells := make([]cell, len(row))
		for i, text := range row {
			cells[i] = cell{proseOf(text, longCell), cellClass(t.Columns[i], text)}
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

func cellClass(c report.Column, text string) string {
	switch {
	case c.Head == "verdict":
		return verdictClass(text)
	case c.Right && utf8.RuneCountInString(text) <= shortNumber:
		return "r n"
	case c.Right:
		return "r"
	case utf8.RuneCountInString(text) > longLine:
		return "p"
	}
	return ""
}

// verdictClass goes with a sign in front of the word, so that colour is not all there
// is.
func verdictClass(word string) string {
	switch word {
	case report.Reproduced, report.AsExpected, "pass":
		return "v good"
	case report.Off, "fail":
		return "v bad"
	case "":
		return ""
	}
	return "v open"
}

// numbersTable has names in its first column and numbers to the right of it.
func numbersTable(caption string, heads []string, rows [][]string) table {
	t := report.TableData{Rows: rows}
	for i, h := range heads {
		t.Columns = append(t.Columns, report.Column{Head: h, Right: i > 0})
	}
	return tableOf(caption, t)
}
