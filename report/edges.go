package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Edges is a histogram over edges that the caller names. A value exactly on an
// edge belongs to the row that starts there. What lies below the first edge has
// a row of its own, as has what lies at or above the last: neither is ever
// folded into the other.
type Edges struct {
	edges  []time.Duration
	counts []int64
}

// EdgeRow is one row; To is 0 in the last one, which is open.
type EdgeRow struct {
	From, To time.Duration
	Open     bool
	Count    int64
}

// NewEdges sorts the edges and drops repeated ones.
func NewEdges(edges ...time.Duration) *Edges {
	sorted := slices.Compact(slices.Sorted(slices.Values(edges)))
	return &Edges{edges: sorted, counts: make([]int64, len(sorted)+1)}
}

// Add counts one sample.
func (e *Edges) Add(d time.Duration) {
	k, onEdge := slices.BinarySearch(e.edges, d)
	if onEdge {
		k++
	}
	e.counts[k]++
}

// Rows lists every row, empty ones included, from below the first edge up.
func (e *Edges) Rows() []EdgeRow {
	rows := make([]EdgeRow, len(e.counts))
	for k, n := range e.counts {
		rows[k].Count = n
		if k > 0 {
			rows[k].From = e.edges[k-1]
		}
		if k < len(e.edges) {
			rows[k].To = e.edges[k]
		} else {
			rows[k].Open = true
		}
	}
	return rows
}

// Label names the row, "3.3ms – 10ms".
func (r EdgeRow) Label() string {
	switch {
	case r.Open && r.From == 0:
		return "all"
	case r.Open:
		return fmt.Sprintf("%v and more", r.From)
	case r.From == 0:
		return fmt.Sprintf("below %v", r.To)
	default:
		return fmt.Sprintf("%v – %v", r.From, r.To)
	}
}

// Write draws the rows with bars that fit the width.
func (e *Edges) Write(w io.Writer, width int) error {
	rows := e.Rows()
	var labels, counts column
	for _, r := range rows {
		labels.cells = append(labels.cells, r.Label())
		counts.cells = append(counts.cells, count(r.Count))
	}
	lw, cw := labels.width(), counts.width()
	most := fullest(e.counts)
	bar := clampBar(width - lw - cw - 4)
	var b strings.Builder
	for i, r := range rows {
		line := padLeft(labels.cells[i], lw) + "  " + padLeft(counts.cells[i], cw) + "  " +
			strings.Repeat(firstBlock, barLength(r.Count, most, bar))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
