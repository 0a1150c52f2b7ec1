package scenarios

import "fmt"

// Only is one cell of a sweep, by its number from 0 on, as several hosts share a
// sweep: the last axis varies fastest.
func (sw Sweep) Only(cell int) (Sweep, error) {
	if cell < 0 || cell >= len(sw.Plan.Runs) {
		return sw, fmt.Errorf("--cell %d: the cells are numbered from 0 to %d", cell, len(sw.Plan.Runs)-1)
	}
	r := sw.Plan.Runs[cell]
	r.Group = "" // one cell is no table
	sw.Plan.Runs, sw.Plan.Grids = []Run{r}, nil
	return sw, nil
}

// Cells are the values of every cell, by its number, in the order of the axes.
func (sw Sweep) Cells() [][]string {
	cells := make([][]string, len(sw.Plan.Runs))
	for i := range cells {
		cells[i] = valuesOf(sw.Axes, i)
	}
	return cells
}
