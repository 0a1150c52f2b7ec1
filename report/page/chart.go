package page

import (
	"fmt"
	"slices"
	"strings"

	"labctl/report"
)

// chart is a drawing over time, with its words and its table.
type chart struct {
	ID, Title string
	Describe  string
	Doubts    []string // about its numbers
	Table     table
	plot      plot
}

// plot is what the page's script needs of a chart.
type plot struct {
	ID     string    `json:"id"`
	X      []float64 `json:"x"`
	Time   bool      `json:"time,omitempty"`  // X is in milliseconds
	Steps  bool      `json:"steps,omitempty"` // a value holds until the next one
	XLabel string    `json:"xlabel,omitempty"`
	YLabel string    `json:"ylabel"`
	Lines  []line    `json:"lines"`
	Marks  []mark    `json:"marks,omitempty"`
}

type line struct {
	Name   string     `json:"name"`
	Y      []*float64 `json:"y"` // null: no point
	Color  int        `json:"color"`
	Dash   int        `json:"dash,omitempty"`
	Fill   bool       `json:"fill,omitempty"`
	Hidden bool       `json:"hidden,omitempty"` // until somebody asks for it
}

// mark is an instant with a word.
type mark struct {
	X    float64 `json:"x"`
	Text string  `json:"text"`
}

// colors is how many the palette has; more lines than that differ by their dashes.
const colors = 6

const (
	mostPoints    = 1500 // of a line: more than a screen has pixels for
	mostTableRows = 60
)

// binned are counts of equal bins, as series with names.
type binned struct {
	ms, offset float64 // width, and how far into the first bin the release falls
	names      []string
	counts     [][]int64
}

func (b binned) bins() int {
	n := 0
	for _, c := range b.counts {
		n = max(n, len(c))
	}
	return n
}

// fold adds bins up so that there are at most so many, with round widths.
func (b binned) fold(most int) (folded binned, per int) {
	n := b.bins()
	for per = 1; (n+per-1)/per > most; per = rounder(per) {
	}
	if per == 1 {
		return b, 1
	}
	folded = binned{ms: b.ms * float64(per), offset: b.offset, names: b.names}
	for _, c := range b.counts {
		sums := make([]int64, (len(c)+per-1)/per)
		for i, k := range c {
			sums[i/per] += k
		}
		folded.counts = append(folded.counts, sums)
	}
	return folded, per
}

// rounder climbs 1, 2, 5, 10, 20, 50, …
func rounder(n int) int {
	lead := n
	for lead >= 10 {
		lead /= 10
	}
	if lead == 2 {
		return n / 2 * 5
	}
	return n * 2
}

// start is when bin k begins.
func (b binned) start(k int) float64 { return float64(k)*b.ms - b.offset }

// edges are the starts of all bins, and the end of the last.
func (b binned) edges() []float64 {
	x := make([]float64, b.bins()+1)
	for k := range x {
		x[k] = b.start(k)
	}
	return x
}

// heights are the counts on these edges: nothing behind the last.
func (b binned) heights(series int) []*float64 {
	y := make([]*float64, b.bins()+1)
	for k := range y {
		n := 0.0
		if k < len(b.counts[series]) {
			n = float64(b.counts[series][k])
		}
		y[k] = &n
	}
	return y
}

// table lists the counts, and says how many bins a row adds up.
func (b binned) table(caption string) table {
	f, per := b.fold(mostTableRows)
	if per > 1 {
		caption += fmt.Sprintf(", %d bins of %s to a row", per, report.FormatBin(b.ms))
	}
	heads := append([]string{"from"}, f.names...)
	var rows [][]string
	for k := range f.bins() {
		row := []string{report.FormatBin(f.start(k))}
		for _, c := range f.counts {
			n := int64(0)
			if k < len(c) {
				n = c[k]
			}
			row = append(row, report.FormatCount(n))
		}
		rows = append(rows, row)
	}
	return numbersTable(caption, heads, rows)
}

// per says what a bin is called on an axis.
func (b binned) per(what string) string { return what + " per " + report.FormatBin(b.ms) }

// doubtsAbout are the warnings that name this variant and no other, as they stand
// beside its numbers. What is said of several stands once, above all charts.
func doubtsAbout(r report.Result, v report.Variant) []string {
	var about []report.Warning
	for _, w := range r.Warnings {
		own := w.Variant == v.Name && w.Variant != "" && (w.Engine == "" || w.Engine == v.Engine)
		if own && !slices.ContainsFunc(r.Warnings, func(o report.Warning) bool { return o.Message == w.Message && o.Variant != w.Variant }) {
			w.Variant = ""
			about = append(about, w)
		}
	}
	return report.Doubts(about)
}

// mostDescribed is how many variants a description names; the table has all.
const mostDescribed = 6

func sentences(parts []string) string {
	if more := len(parts) - mostDescribed; more > 0 {
		parts = append(slices.Clone(parts[:mostDescribed]), fmt.Sprintf("%d more are in the table", more))
	}
	return strings.Join(parts, ". ") + "."
}
