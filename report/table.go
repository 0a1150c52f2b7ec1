package report

import (
	"bytes"
	"fmt"
	"io"
)

// Table prints a whole result for people: what ran, the numbers, what they say,
// the doubts about them, and last how the published figures and the expectations of
// the file fared.
func Table(w io.Writer, r Result, o Options) error {
	t := &textWriter{r: r, o: o}
	if !o.Quiet {
		t.heading()
	}
	t.numbers()
	t.grids()
	t.readings()
	t.repeats()
	if !o.Quiet {
		t.details()
	}
	t.figures()
	t.expectations()
	if t.err != nil {
		return t.err
	}
	_, err := w.Write(t.buf.Bytes())
	return err
}

// textWriter collects sections with one blank line between them; the first
// error stops it.
type textWriter struct {
	r   Result
	o   Options
	buf bytes.Buffer
	err error
}

// section starts a part with its own heading, unless that is empty.
func (t *textWriter) section(heading string) {
	if t.buf.Len() > 0 {
		t.buf.WriteByte('\n')
	}
	if heading != "" {
		t.line(heading)
	}
}

func (t *textWriter) line(text string) { t.buf.WriteString(wrap(text, t.o.Width, 2) + "\n") }

func (t *textWriter) sheet(s sheet) {
	if t.err == nil {
		t.err = s.write(&t.buf, t.o)
	}
}

func (t *textWriter) heading() {
	ran := clean(t.r.Engine)
	if t.r.Net != "" && t.r.Engine != "sim" {
		ran += " over " + clean(t.r.Net)
	}
	name := t.o.paint(bold, label(t.r.Scenario))
	t.line(fmt.Sprintf("%s · %s · seed %d", name, ran, t.r.Seed))
	if t.r.Title != "" {
		t.buf.WriteString(wrap(clean(t.r.Title), t.o.Width, 0) + "\n")
	}
}

// numbers is the main table, with what it says and what is doubtful right below.
func (t *textWriter) numbers() {
	rows := rowVariants(t.r)
	if len(t.r.Variants) == 0 && len(t.r.Readings) == 0 {
		t.section("nothing ran, so there is nothing to show")
	}
	if len(rows) > 0 {
		t.section("")
		t.sheet(variantSheet(t.r))
		if s := routeSheet(rows); s.rows() > 0 {
			t.section("")
			t.sheet(s)
		}
	}
	if !t.o.Quiet {
		t.findings()
		t.spreads(rows)
	}
	t.warnings()
}

func (t *textWriter) findings() {
	if len(t.r.Findings) == 0 {
		return
	}
	t.section("")
	names := column{}
	for _, f := range t.r.Findings {
		names.cells = append(names.cells, label(f.Variant))
	}
	for i, f := range t.r.Findings {
		lead := ""
		if w := names.width(); w > 0 {
			lead = padRight(names.cells[i], w) + "  "
		}
		t.buf.WriteString(Wrap(lead, clean(f.Message), t.o.Width, 2) + "\n")
	}
}

// spreads says how sharply a live herd was released, and how far its hits were
// from where virtual time has them.
func (t *textWriter) spreads(rows []Variant) {
	first := true
	for _, v := range rows {
		if !spreadTells(v) {
			continue
		}
		if first {
			t.section("")
			first = false
		}
		s := v.SpreadMS
		text := fmt.Sprintf("spread of %s: issue %s, first wave %s (p1–p99 %s)",
			label(v.Name), millis(s.Issue), millis(s.FirstWave), millis(s.FirstWaveP1P99))
		if d := v.DriftMS; d != nil {
			text += fmt.Sprintf("; drift p50 %s, p99 %s, max %s", millis(d.P50), millis(d.P99), millis(d.Max))
			if d.Unmatched > 0 {
				text += fmt.Sprintf(", %s without a partner", plural(d.Unmatched, "hit"))
			}
		}
		t.line(text)
	}
	for _, v := range rows {
		if len(v.Hosts) > 0 {
			t.section("")
			t.line(hostsText(v))
		}
	}
}

func (t *textWriter) warnings() {
	if t.r.Partial {
		t.section("")
		t.line(t.o.paint(yellow, "partial:") + " interrupted, these are the numbers measured until then")
	}
	if len(t.r.Warnings) == 0 {
		return
	}
	t.section("")
	for _, text := range Doubts(t.r.Warnings) {
		t.line(t.o.paint(yellow, "warning:") + " " + text)
	}
}

func (t *textWriter) grids() {
	for _, g := range t.r.Grids {
		title := g.Title
		if title == "" {
			title = g.Name
		}
		t.section(clean(title))
		for i, slab := range gridSheet(g).slabs(t.o.Width) {
			if i > 0 {
				t.section("")
			}
			t.sheet(slab)
		}
	}
}

func (t *textWriter) readings() {
	if len(t.r.Readings) == 0 {
		return
	}
	t.section("")
	t.sheet(readingSheet(t.r.Readings))
}

// details are what the main table sums up.
func (t *textWriter) details() {
	rows := rowVariants(t.r)
	t.histograms(rows)
	if s := layerSheet(rows); s.rows() > 0 {
		t.section("")
		t.sheet(s)
	}
	if !t.o.Tree {
		return
	}
	for _, v := range rows {
		if len(v.Tree) == 0 {
			continue
		}
		t.section("one request through " + label(v.Name))
		if t.err == nil {
			t.err = Tree(&t.buf, v.Tree)
		}
	}
}
