package page

import (
	"cmp"
	"slices"
)

// graph is who calls whom: services by number, each call to a later one.
type graph struct {
	nodes int
	calls [][2]int
}

// place is where something stands: row from the top, and how far right in units of a
// slot.
type place struct {
	row int
	x   float64
}

// laid is a graph with places for its services, and for each call the points that it
// passes in rows that it skips.
type laid struct {
	nodes []place
	bends [][]place
	rows  int
	width float64 // slots of the widest row
}

// sweeps is how often the order of all rows is improved. Graphs of a lab settle after
// two.
const sweeps = 6

// lay places a graph in layers, see the package's comment.
func lay(g graph) laid {
	row := rowsOf(g)
	next := slices.Clone(row) // row of each place: services first, then bends
	var links [][2]int
	bends := make([][]int, len(g.calls))
	for i, c := range g.calls {
		at := c[0]
		for r := row[c[0]] + 1; r < row[c[1]]; r++ {
			next = append(next, r)
			bend := len(next) - 1
			bends[i] = append(bends[i], bend)
			links = append(links, [2]int{at, bend})
			at = bend
		}
		links = append(links, [2]int{at, c[1]})
	}
	return placed(g, next, bends, orderRows(next, links))
}

// rowsOf is the longest way to each service.
func rowsOf(g graph) []int {
	row := make([]int, g.nodes)
	for range g.nodes { // calls come in any order; a way has fewer steps than services
		for _, c := range g.calls {
			row[c[1]] = max(row[c[1]], min(row[c[0]]+1, g.nodes-1))
		}
	}
	return row
}

// orderRows sorts each row by the mean of the neighbours' places, down and up again.
func orderRows(row []int, links [][2]int) [][]int {
	rows := make([][]int, slices.Max(row)+1)
	for n, r := range row {
		rows[r] = append(rows[r], n)
	}
	x := make([]float64, len(row))
	spread := func(r []int) {
		for i, n := range r {
			x[n] = float64(i) - float64(len(r)-1)/2
		}
	}
	for _, r := range rows {
		spread(r)
	}
	for s := range sweeps {
		for i := range rows {
			r, from := rows[i], 0
			if s%2 == 1 {
				r, from = rows[len(rows)-1-i], 1
			}
			sortByMean(r, x, links, from)
			spread(r)
		}
	}
	return rows
}

// sortByMean orders a row by its neighbours: those that call (from 0), or are called.
func sortByMean(r []int, x []float64, links [][2]int, from int) {
	mean := func(n int) float64 {
		sum, count := 0.0, 0
		for _, l := range links {
			if l[1-from] == n {
				sum += x[l[from]]
				count++
			}
		}
		if count == 0 {
			return x[n]
		}
		return sum / float64(count)
	}
	means := map[int]float64{}
	for _, n := range r {
		means[n] = mean(n)
	}
	slices.SortStableFunc(r, func(a, b int) int { return cmp.Compare(means[a], means[b]) })
}

func placed(g graph, row []int, bends [][]int, rows [][]int) laid {
	out := laid{nodes: make([]place, g.nodes), bends: make([][]place, len(bends)), rows: len(rows)}
	at := make([]place, len(row))
	for r, nodes := range rows {
		out.width = max(out.width, float64(len(nodes)))
		for i, n := range nodes {
			at[n] = place{r, float64(i) - float64(len(nodes)-1)/2}
		}
	}
	copy(out.nodes, at)
	for i, way := range bends {
		for _, n := range way {
			out.bends[i] = append(out.bends[i], at[n])
		}
	}
	return out
}
