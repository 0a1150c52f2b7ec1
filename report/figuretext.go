package report

// figures says how the published figures fared. It hides what the main table
// has told already, a reproduced count next to its published one; the sum counts
// every figure.
func (t *textWriter) figures() {
	if len(t.r.Figures) == 0 {
		return
	}
	t.section("published figures: " + tally(t.r.Figures))
	if why, all := incomparable(t.r.Figures); all {
		t.line(clean(why))
		return
	}
	rest := untold(t.r)
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

func untold(r Result) []Figure {
	told := map[string]bool{}
	for _, v := range rowVariants(r) {
		if f, ok := hitsFigure(r, v); ok && v.Requests <= 1 && f.Verdict == Reproduced {
			told[f.ID] = true
		}
	}
	var rest []Figure
	for _, f := range r.Figures {
		if !told[f.ID] && f.Measured != nil { // of one that was not run the reason is enough
			rest = append(rest, f)
		}
	}
	return rest
}

// figureLines is the form for lists too long to stand side by side: there are
// few figures, and numbers below each other compare best.
func (t *textWriter) figureLines(figures []Figure) {
	for _, f := range figures {
		head := shortID(t.r.Scenario, f.ID) + ": " + t.o.verdict(clean(f.Verdict)) + " (" + clean(f.Tolerance) + ")"
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
