package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"labctl/report"
)

// Lines of calls: thick where much goes over them, on a logarithmic scale.
const (
	thinnest = 1.6
	thickest = 9.0
	arrow    = 8  // length of an arrow's head
	leaning  = 40 // a line that goes so far aside has its words above it
	lift     = 18
)

// call draws a line from the first place to the last, through the bends between; it
// leaves and arrives so far from the middle of a service.
func (d drawing) call(way []place, leave, arrive int, e report.CallEdge) call {
	c := call{Stroke: fmt.Sprintf("%.1f", stroke(e.Attempts)), Factor: factorText(e), Attempts: attemptsText(e.Attempts), Of: "for " + requestsText(e.Requests)}
	switch {
	case e.Attempts > e.Requests:
		c.Class = "more"
	case e.Attempts < e.Requests:
		c.Class = "less"
	default:
		c.Class = "calm"
	}
	x, y := d.point(way[0])
	c.Path, x, y = fmt.Sprintf("M%d %d", x+leave, y+nodeHeight), x+leave, y+nodeHeight
	for i, p := range way[1:] {
		toX, toY := d.point(p)
		if last := i == len(way)-2; last {
			toX, toY = toX+arrive, toY-arrow
			c.Arrow = fmt.Sprintf("%d,%d %d,%d %d,%d", toX, toY+arrow, toX-6, toY-1, toX+6, toY-1)
		} else {
			toY += nodeHeight / 2
		}
		bend := (y + toY) / 2
		c.Path += fmt.Sprintf(" C%d %d %d %d %d %d", x, bend, toX, bend, toX, toY)
		if i == 0 {
			c.labelAt(x, y, toX, toY, len(way) > 2)
		}
		x, y = toX, toY
	}
	return c
}

// labelAt puts the words beside the first bend, where no service is in the way, or the
// middle of the line: of one that leans, on the side that it falls away from.
func (c *call) labelAt(x, y, toX, toY int, bent bool) {
	c.LabelX, c.LabelY, c.Anchor = (x+toX)/2+10, (y+toY)/2, "start"
	switch {
	case bent:
		c.LabelX, c.LabelY = toX+10, toY
	case toX-x > leaning:
		c.LabelY -= lift
	case x-toX > leaning:
		c.LabelX, c.LabelY, c.Anchor = c.LabelX-20, c.LabelY-lift, "end"
	}
}

// ports are how far from the middle of a service its calls leave and arrive, in the
// order of where they lead, so that they do not lie on each other.
func ports(g graph, at laid) (leave, arrive []int) {
	leave, arrive = make([]int, len(g.calls)), make([]int, len(g.calls))
	for n := range g.nodes {
		share(leave, callsAt(g, n, 0), func(i int) float64 { return append(at.bends[i], at.nodes[g.calls[i][1]])[0].x })
		share(arrive, callsAt(g, n, 1), func(i int) float64 {
			way := append([]place{at.nodes[g.calls[i][0]]}, at.bends[i]...)
			return way[len(way)-1].x
		})
	}
	return leave, arrive
}

// callsAt are the calls that a service makes (end 0), or gets (end 1).
func callsAt(g graph, n, end int) []int {
	var out []int
	for i, c := range g.calls {
		if c[end] == n {
			out = append(out, i)
		}
	}
	return out
}

// share divides the edge of a service among calls, from left to right.
func share(offsets []int, calls []int, where func(int) float64) {
	slices.SortStableFunc(calls, func(a, b int) int { return cmp.Compare(where(a), where(b)) })
	gap := min(36, (nodeWidth-24)/max(len(calls)-1, 1))
	for k, i := range calls {
		offsets[i] = k*gap - (len(calls)-1)*gap/2
	}
}

func stroke(attempts int64) float64 {
	return min(thinnest+1.3*math.Log10(float64(max(attempts, 1))), thickest)
}
