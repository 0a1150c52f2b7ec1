package page

import (
	"fmt"
	"math"

	"labctl/report"
)

// heat is a grid with a colour class for each number.
type heat struct {
	Title  prose
	Corner string
	Cols   []string
	Rows   []heatRow
	Note   string
}

type heatRow struct {
	Name  string
	Cells []heatCell
}

// heatCell of a partial run may be empty.
type heatCell struct {
	Text, Class string
}

// shades are the steps of the heat map's colour scale.
const shades = 7

func heatOf(g report.Grid) heat {
	h := heat{Title: proseOf(g.Title, longCell), Corner: report.ShortName(g.ColName)}
	if g.Title == "" {
		h.Title = proseOf(g.Name, longCell)
	}
	if g.RowName != "" {
		h.Corner = report.ShortName(g.RowName) + " ↓ " + h.Corner + " →"
	}
	for _, c := range g.Cols {
		h.Cols = append(h.Cols, report.ShortName(c))
	}
	low, high := span(g.Cells)
	if high > low {
		h.Note = fmt.Sprintf("From %s to %s; a shade is a step of the logarithm.", report.FormatCount(low), report.FormatCount(high))
	}
	for i, name := range g.Rows {
		row := heatRow{Name: report.ShortName(name)}
		for k := range g.Cols {
			var c heatCell
			if i < len(g.Cells) && k < len(g.Cells[i]) {
				n := g.Cells[i][k]
				c = heatCell{report.FormatCount(n), fmt.Sprintf("h%d", shade(n, low, high))}
			}
			row.Cells = append(row.Cells, c)
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

func span(cells [][]int64) (low, high int64) {
	low = math.MaxInt64
	for _, row := range cells {
		for _, n := range row {
			low, high = min(low, n), max(high, n)
		}
	}
	return low, high
}

// shade is on a logarithmic scale: retries multiply.
func shade(n, low, high int64) int {
	if high <= low || n <= low {
		return 0
	}
	level := func(n int64) float64 { return math.Log1p(float64(max(n, 0))) }
	return min(int((level(n)-level(low))/(level(high)-level(low))*shades), shades-1)
}
