package report

import (
	"fmt"
	"io"
	"strings"
)

// Attempt is one line of the tree of a request.
type Attempt struct {
	Depth    int     `json:"depth"`
	Layer    string  `json:"layer"`  // who made the attempt
	Number   int     `json:"number"` // 1 is the first try
	To       string  `json:"to"`
	OffsetMS float64 `json:"offset_ms"` // arrival at To after the release
	Outcome  string  `json:"outcome,omitempty"`
}

// Limits of a printed tree: 3⁷ attempts are 2,187 lines, and nobody reads them.
const (
	maxTreeLines = 2000
	maxTreeDepth = 64
)

// Tree draws the attempts of one request, given depth first: who tried whom,
// when the attempt arrived, and how it ended.
func Tree(w io.Writer, attempts []Attempt) error {
	shown := attempts[:min(len(attempts), maxTreeLines)]
	var names, offsets, ends column
	for i, branch := range branches(shown) {
		a := shown[i]
		names.cells = append(names.cells, branch+fmt.Sprintf("%s#%d → %s", label(a.Layer), a.Number, label(a.To)))
		offsets.cells = append(offsets.cells, millis(a.OffsetMS))
		ends.cells = append(ends.cells, clean(a.Outcome))
	}
	nw, ow := names.width(), offsets.width()
	var b strings.Builder
	for i := range shown {
		line := padRight(names.cells[i], nw) + "  " + padLeft(offsets.cells[i], ow) + "  " + ends.cells[i]
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if left := len(attempts) - len(shown); left > 0 {
		fmt.Fprintf(&b, "… %s more left out: the JSON has them all\n", plural(int64(left), "attempt"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// branches draws what stands left of each name. It walks backwards, because
// whether a line goes on below depends only on what follows.
func branches(attempts []Attempt) []string {
	top := topDepth(attempts)
	var follows [maxTreeDepth + 1]bool // an attempt of this depth comes later, under the same parent
	drawn := make([]string, len(attempts))
	for i := len(attempts) - 1; i >= 0; i-- {
		depth := min(attempts[i].Depth-top, maxTreeDepth)
		drawn[i] = branch(follows[:], depth)
		follows[depth] = true
		clear(follows[depth+1:])
	}
	return drawn
}

func branch(follows []bool, depth int) string {
	if depth == 0 {
		return ""
	}
	var b strings.Builder
	for d := 1; d < depth; d++ {
		if follows[d] {
			b.WriteString("│  ")
		} else {
			b.WriteString("   ")
		}
	}
	if follows[depth] {
		b.WriteString("├─ ")
	} else {
		b.WriteString("└─ ")
	}
	return b.String()
}

func topDepth(attempts []Attempt) int {
	top := 0
	for i, a := range attempts {
		if i == 0 || a.Depth < top {
			top = a.Depth
		}
	}
	return top
}
