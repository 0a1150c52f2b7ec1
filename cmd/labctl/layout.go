package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"labctl/report"
)

// pageWidth is the width of help and descriptions where no terminal says more.
const pageWidth = 80

// pageLines is the height of a terminal that does not say its own.
const pageLines = 24

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// terminalWidth is the number of columns of the terminal that w is, or 0.
func terminalWidth(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return width
}

// terminalSize is the size of the terminal that w is, or that of a small one.
func terminalSize(w io.Writer) (columns, lines int) {
	if isTerminal(w) {
		columns, lines, err := term.GetSize(int(w.(*os.File).Fd()))
		if err == nil && columns > 0 && lines > 0 {
			return columns, lines
		}
	}
	return pageWidth, pageLines
}

// page is the width to wrap prose at.
func page(w io.Writer) int {
	if width := terminalWidth(w); width > 0 {
		return width
	}
	return pageWidth
}

// columns lays rows out in columns; the last one holds prose, which is wrapped
// within its column. A width of 0 wraps nothing.
func columns(indent int, rows [][]string, width int) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		lead := strings.Repeat(" ", indent)
		for i, cell := range row[:len(row)-1] {
			lead += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		b.WriteString(hang(lead, row[len(row)-1], width))
	}
	return b.String()
}

// leastProse is how narrow a column of prose may get before wrapping it would
// read worse than the terminal's own.
const leastProse = 20

// hang wraps text behind a lead, with the later lines indented as far.
func hang(lead, text string, width int) string {
	indent := utf8.RuneCountInString(lead)
	if width-indent < leastProse {
		width = 0
	}
	return strings.TrimRight(report.Wrap(lead, text, width, indent), " ") + "\n"
}

// plural prints a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
