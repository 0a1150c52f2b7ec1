package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"labctl/faultserver/control"
	"labctl/report"
)

// mostTails is how many tails a summary shows.
const mostTails = 20

var summaryColumns = []report.Column{
	{Head: "tail"}, {Head: "program"},
	{Head: "hits", Right: true}, {Head: "fresh", Right: true}, {Head: "reused", Right: true}, {Head: "effects", Right: true},
}

// serveSummary prints what a server counted, the tails that were hit.
func serveSummary(w io.Writer, o control.Overview, tails []control.Tail) error {
	var rows [][]string
	more := 0
	for _, t := range tails {
		switch {
		case t.Hits == 0:
		case len(rows) == mostTails:
			more++
		default:
			rows = append(rows, []string{t.Name, t.Program, thousands(t.Hits), thousands(t.Fresh), thousands(t.Reused), thousands(t.Effects)})
		}
	}
	var b bytes.Buffer
	if len(rows) > 0 {
		if err := report.Columns(&b, summaryColumns, rows, report.Options{Width: terminalWidth(w)}); err != nil {
			return err
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "… and %s\n", plural(more, "other tail"))
	}
	fmt.Fprintf(&b, "%s on %s", plural(o.Hits, "hit"), plural(o.Connections.Accepted-o.Connections.API, "connection"))
	if o.NoRoom > 0 {
		fmt.Fprintf(&b, "; %s answered 507 for want of room for an id (--ids)", plural(o.NoRoom, "request"))
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// thousands separates them: 33,000,000.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
