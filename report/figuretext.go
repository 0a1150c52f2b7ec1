package report

import (
	"fmt"
	"slices"
)

// figures says how the published figures fared. It hides what the main table
// has told already, a count that holds next to its published one; the sum counts
// every figure, and says how many stand there.
func (t *textWriter) figures() {
	if len(t.r.Figures) == 0 {
		return
	}
	rest, told := t.untold()
	heading := "published figures: " + tally(t.r.Figures)
	if told > 0 {
		heading += fmt.Sprintf(" (%s in the first table)", count(told))
	}
	t.section(heading)
	if allChanged(t.r.Figures) {
		return
	}
	if why, all := incomparable(t.r.Figures); all {
		t.line(clean(why))
		return
	}
	s := figureSheet(t.r.Scenario, rest)
	if _, _, fits := s.fit(t.o.Width); !fits {
		t.figureLines(rest)
		return
	}
	t.sheet(s)
	for _, reason := range reasons(t.r) {
		t.line(reason)
	}
}

// untold is what the main table does not show, and how many figures it does.
func (t *textWriter) untold() (rest []Figure, told int64) {
	type key struct{ id, engine string }
	inTable := map[key]bool{}
	if main := variantSheet(t.r); main.shows("verdict", t.o.Width) {
		for _, v := range rowVariants(t.r) {
			if f, ok := hitsFigure(t.r, v); ok && f.Verdict == Reproduced {
				inTable[key{f.ID, f.Engine}] = true
			}
		}
	}
	for _, f := range t.r.Figures {
		switch {
		case inTable[key{f.ID, f.Engine}]:
			told++
		case f.Measured != nil: // of one that was not run the reason is enough
			rest = append(rest, f)
		}
	}
	return rest, told
}

// shows reports whether there is such a column, and room for it.
func (s sheet) shows(head string, width int) bool {
	fitting, _, _ := s.fit(width)
	return slices.Contains(fitting.heads(), head)
}

// figureLines is the form for lists too long to stand side by side: there are
// few figures, and numbers below each other compare best.
func (t *textWriter) figureLines(figures []Figure) {
	for _, f := range figures {
		head := shortID(t.r.Scenario, f.ID) + ": " + t.o.verdict(clean(f.verdict())) + " (" + clean(f.Tolerance) + ")"
		t.line(head)
		for _, row := range []struct{ name, text string }{
			{"published", valueText(f.Published)}, {"expected", valueText(f.Expected)},
			{"measured", valueText(f.Measured)}, {"because", clean(f.Why)},
		} {
			if row.text != "" {
				t.buf.WriteString(Wrap("  "+padRight(row.name, 11), row.text, t.o.Width, 13) + "\n")
			}
		}
	}
}
