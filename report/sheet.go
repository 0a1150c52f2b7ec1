package report

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// sheet is a table before anyone decides how it looks: text and Markdown print
// the same one.
type sheet []column

// column holds clean text. Columns with a higher drop go first when the line is
// too short; those with 0 stay.
type column struct {
	head  string
	right bool
	drop  int
	paint bool // a verdict, coloured by its words
	prose bool // may run over several lines
	cells []string
}

// columnGap is what stands between two columns.
const columnGap = 2

func (c column) width() int {
	w := textWidth(c.head)
	for _, cell := range c.cells {
		for line := range strings.Lines(cell) {
			w = max(w, textWidth(strings.TrimSuffix(line, "\n")))
		}
	}
	return w
}

func (s sheet) width() int {
	w := 0
	for i, c := range s {
		if i > 0 {
			w += columnGap
		}
		w += c.width()
	}
	return w
}

func (s sheet) rows() int {
	if len(s) == 0 {
		return 0
	}
	return len(s[0].cells)
}

// fit drops columns until the line is short enough, and says which. It fails
// where even the columns that must stay are too wide.
func (s sheet) fit(width int) (fitting sheet, dropped []string, ok bool) {
	fitting = s.fold(width)
	for width > 0 && fitting.width() > width {
		worst := 0
		for i, c := range fitting {
			if c.drop > fitting[worst].drop {
				worst = i
			}
		}
		if fitting[worst].drop == 0 {
			return s, nil, false
		}
		dropped = append(dropped, fitting[worst].head)
		fitting = append(fitting[:worst], fitting[worst+1:]...)
	}
	return fitting, dropped, true
}

// leastProse is the narrowest column in which a sentence can still be read.
const leastProse = 16

// fold breaks a column of prose so that it takes what the others leave.
func (s sheet) fold(width int) sheet {
	folded := append(sheet{}, s...)
	for i, c := range s {
		room := width - (s.width() - c.width())
		if !c.prose || room < leastProse || room >= c.width() {
			continue
		}
		cells := make([]string, len(c.cells))
		for k, cell := range c.cells {
			cells[k] = wrap(cell, room, 0)
		}
		folded[i].cells = cells
	}
	return folded
}

// write prints the sheet as a table, or row by row where the line is too short
// for one.
func (s sheet) write(w io.Writer, o Options) error {
	if s.rows() == 0 {
		return nil
	}
	fitting, dropped, ok := s.fit(o.Width)
	if !ok {
		return s.writeStacked(w, o)
	}
	if err := fitting.writeTable(w, o); err != nil {
		return err
	}
	if len(dropped) == 0 {
		return nil
	}
	note := "(left out to fit the line: " + strings.Join(dropped, ", ") + ")"
	_, err := io.WriteString(w, wrap(note, o.Width, 1)+"\n")
	return err
}

func (s sheet) writeTable(w io.Writer, o Options) error {
	var buf bytes.Buffer
	table := s.newTable(&buf)
	table.Header(s.heads())
	for i := range s.rows() {
		if err := table.Append(s.row(i, o)); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	return writeTrimmed(w, buf.String())
}

// newTable leaves one rule under the head, and no library default that changes
// what a cell says: no wrapping, no capitals, no trimming.
func (s sheet) newTable(w io.Writer) *tablewriter.Table {
	align := make([]tw.Align, len(s))
	for i, c := range s {
		align[i] = tw.AlignLeft
		if c.right {
			align[i] = tw.AlignRight
		}
	}
	gaps := slices.Repeat([]tw.Padding{{Right: strings.Repeat(" ", columnGap), Overwrite: true}}, len(s))
	gaps[len(s)-1] = tw.PaddingNone
	look := tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbols(tw.StyleLight),
		Settings: tw.Settings{
			Separators: tw.SeparatorsNone,
			Lines:      tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.On, ShowFooterLine: tw.Off},
		},
	}
	return tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint(look)),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithTrimLine(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithHeaderPaddingPerColumn(gaps),
		tablewriter.WithRowPaddingPerColumn(gaps),
	)
}

func (s sheet) heads() []string {
	heads := make([]string, len(s))
	for i, c := range s {
		heads[i] = c.head
	}
	return heads
}

func (s sheet) row(i int, o Options) []string {
	cells := make([]string, len(s))
	for k, c := range s {
		cells[k] = c.cells[i]
		if c.paint {
			cells[k] = o.verdict(cells[k])
		}
	}
	return cells
}

// writeStacked prints each row as a title with "key  value" lines below.
func (s sheet) writeStacked(w io.Writer, o Options) error {
	keys := column{cells: s.heads()[1:]}
	indent := keys.width() + 4
	var b strings.Builder
	for i := range s.rows() {
		row := s.row(i, o)
		b.WriteString(wrap(row[0], o.Width, 2) + "\n")
		for k, cell := range row[1:] {
			if cell == "" {
				continue
			}
			lead := "  " + padRight(keys.cells[k], keys.width()) + "  "
			b.WriteString(Wrap(lead, cell, o.Width, indent) + "\n")
		}
	}
	return writeTrimmed(w, b.String())
}

// writeTrimmed drops the blanks with which the last column is filled up.
func writeTrimmed(w io.Writer, text string) error {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
