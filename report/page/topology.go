package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"labctl/report"
)

// callsOf are the calls of a variant: its edges, or those of the chain that its layers
// are.
func callsOf(v report.Variant) []report.CallEdge {
	if len(v.Edges) > 0 {
		return v.Edges
	}
	var out []report.CallEdge
	for i := 0; i+1 < len(v.Layers); i++ {
		l := v.Layers[i]
		out = append(out, report.CallEdge{From: l.Name, To: v.Layers[i+1].Name, Requests: l.Requests, Attempts: l.Attempts})
	}
	return out
}

// branches reports that the layers of a result of an older version are no chain and
// that it does not say which calls there are.
func branches(v report.Variant) bool {
	return len(v.Edges) == 0 && slices.ContainsFunc(v.Layers, func(l report.Layer) bool { return len(l.Calls) > 1 })
}

// drawing is a call graph with what went over each call.
type drawing struct {
	ID       string
	Names    string // of the variants that look like this
	Describe string
	Width    int
	Height   int
	Nodes    []node
	Calls    []call
	Table    table
}

type node struct {
	X, Y, W, H          int
	TextX, NameY, MoreY int
	Name, Full, More    string
	Tail                bool
}

type call struct {
	Path, Arrow    string
	Class          string // calm, more or less
	Stroke         string
	LabelX, LabelY int
	Anchor         string
	Factor         string
	Attempts, Of   string
}

// Sizes of a drawing, in CSS pixels. A slot holds a service and the words beside a
// call that passes.
const (
	slotWidth  = 244
	rowHeight  = 124
	nodeWidth  = 136
	wordsWidth = 72 // of the words beside a call that stand out further than a service
	nodeHeight = 46
	margin     = 6
)

// drawingsOf draws the variants, those that came out alike as one.
func drawingsOf(id string, vs []report.Variant) []drawing {
	var order []string
	alike := map[string][]report.Variant{}
	for _, v := range vs {
		if len(v.Layers) < 2 || branches(v) {
			continue
		}
		key := fmt.Sprint(callsOf(v), v.Layers[len(v.Layers)-1].Requests)
		if alike[key] == nil {
			order = append(order, key)
		}
		alike[key] = append(alike[key], v)
	}
	var out []drawing
	for i, key := range order {
		d := draw(alike[key][0])
		d.ID, d.Names = fmt.Sprintf("%s-g%d", id, i+1), namesOf(alike[key], vs)
		out = append(out, d)
	}
	return out
}

// mostNames is how many variants a heading names.
const mostNames = 6

// namesOf says each name once, with the engine where the other saw something else.
func namesOf(some, all []report.Variant) string {
	var names []string
	for _, v := range some {
		elsewhere := func(o report.Variant) bool { return o.Name == v.Name && o.Engine != v.Engine }
		name := report.ShortName(v.Name)
		if slices.ContainsFunc(all, elsewhere) && !slices.ContainsFunc(some, elsewhere) {
			name += " (" + engineName(v.Engine) + ")"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - mostNames; more > 1 {
		names = append(names[:mostNames], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func engineName(engine string) string {
	if engine == "sim" {
		return "virtual time"
	}
	return report.Clean(engine)
}

func draw(v report.Variant) drawing {
	number := map[string]int{}
	for i, l := range v.Layers {
		number[l.Name] = i
	}
	calls := callsOf(v)
	g := graph{nodes: len(v.Layers)}
	for _, c := range calls {
		g.calls = append(g.calls, [2]int{number[c.From], number[c.To]})
	}
	at := lay(g)
	d := drawing{
		Width:  int((at.width-1)*slotWidth) + nodeWidth + wordsWidth + 2*margin,
		Height: (at.rows-1)*rowHeight + nodeHeight + 2*margin,
	}
	for i, l := range v.Layers {
		d.Nodes = append(d.Nodes, d.node(at.nodes[i], l, i == len(v.Layers)-1))
	}
	var rows [][]string
	leave, arrive := ports(g, at)
	for i, c := range calls {
		way := append([]place{at.nodes[g.calls[i][0]]}, at.bends[i]...)
		d.Calls = append(d.Calls, d.call(append(way, at.nodes[g.calls[i][1]]), leave[i], arrive[i], c))
		rows = append(rows, []string{report.ShortName(c.From) + " → " + report.ShortName(c.To),
			report.FormatCount(c.Requests), report.FormatCount(c.Attempts), factorText(c)})
	}
	d.Table = numbersTable("Calls", []string{"call", "requests", "attempts", "factor"}, rows)
	d.Describe = describeCalls(v, calls)
	return d
}

func (d drawing) point(p place) (x, y int) {
	return (d.Width-wordsWidth)/2 + int(math.Round(p.x*slotWidth)), margin + p.row*rowHeight
}

func (d drawing) node(p place, l report.Layer, tail bool) node {
	x, y := d.point(p)
	return node{
		X: x - nodeWidth/2, Y: y, W: nodeWidth, H: nodeHeight, TextX: x, NameY: y + 20, MoreY: y + 36,
		Name: clip(l.Name, 16), Full: proseOf(l.Name, longCell).Short, More: requestsText(l.Requests), Tail: tail,
	}
}

func requestsText(n int64) string {
	if n == 1 {
		return "1 request"
	}
	return report.FormatCount(n) + " requests"
}

// clip is for places that hold few letters; the whole name is in the tables.
func clip(name string, most int) string {
	runes := []rune(report.Clean(name))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// factorText is what a call multiplies by.
func factorText(c report.CallEdge) string {
	if c.Requests == 0 {
		return "–"
	}
	return "× " + report.FormatNumber(float64(c.Attempts)/float64(c.Requests))
}

// describeCalls says in words what the drawing shows.
func describeCalls(v report.Variant, calls []report.CallEdge) string {
	var parts []string
	for _, c := range calls {
		parts = append(parts, fmt.Sprintf("%s sends %s for %s to %s (%s)", report.ShortName(c.From),
			attemptsText(c.Attempts), requestsText(c.Requests), report.ShortName(c.To), factorText(c)))
	}
	return strings.Join(parts, "; ") + fmt.Sprintf(". %s of the client became %s at the tail: × %s.",
		requestsText(v.Requests), hitsText(v.Hits), report.FormatNumber(v.Amplification))
}

func attemptsText(n int64) string {
	if n == 1 {
		return "1 attempt"
	}
	return report.FormatCount(n) + " attempts"
}

func hitsText(n int64) string {
	if n == 1 {
		return "1 hit"
	}
	return report.FormatCount(n) + " hits"
}
