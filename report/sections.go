package report

import (
	"fmt"
	"slices"
	"strings"
)

// layerSheet has a row per layer and variant; a variant is named once.
func layerSheet(rows []Variant) sheet {
	s := sheet{{head: "variant"}, {head: "layer"}, {head: "requests", right: true},
		{head: "attempts", right: true}, {head: "policy", drop: 1, prose: true}, {head: "signals", drop: 2, prose: true}}
	signals := false
	for _, v := range rows {
		for i, l := range v.Layers {
			name := ""
			if i == 0 {
				name = nameAmong(v, rows)
			}
			s.add(name, label(l.Name), count(l.Requests), callsMade(l), callsText(l), signalsText(l))
			signals = signals || watched(l)
		}
	}
	if !signals {
		s = s[:len(s)-1]
	}
	return s
}

// watched reports whether there is more to say of a layer than its share of the
// time.
func watched(l Layer) bool {
	l.Time = nil
	return signalsText(l) != ""
}

// inVain says that a layer rested although no attempt followed.
func inVain(rests int64) string {
	if rests == 0 {
		return ""
	}
	return plural(rests, "rest") + " in vain"
}

// nameAmong is the name of a variant, with its engine where another has it too.
func nameAmong(v Variant, rows []Variant) string {
	for _, other := range rows {
		if other.Name == v.Name && other.Engine != v.Engine {
			return label(v.Name) + " (" + clean(v.Engine) + ")"
		}
	}
	return label(v.Name)
}

// callsMade is a dash where a layer calls nobody, which is not the same as none.
func callsMade(l Layer) string {
	if l.Policy == nil && l.Attempts == 0 {
		return "–"
	}
	return count(l.Attempts)
}

func (s sheet) add(cells ...string) {
	for i, cell := range cells {
		s[i].cells = append(s[i].cells, cell)
	}
}

// callsText is how a layer calls the next one, or each of several.
func callsText(l Layer) string {
	if len(l.Calls) == 0 {
		return policyText(l.Policy)
	}
	var parts []string
	for _, c := range l.Calls {
		text := label(c.To) + ": " + count(c.Attempts) + " of "
		if c.Chance != "" {
			text += clean(c.Chance) + ", "
		}
		parts = append(parts, text+policyText(c.Policy))
	}
	return strings.Join(parts, "; ")
}

// policyText says both words for the number, since people mean either by "3".
func policyText(p *Policy) string {
	if p == nil {
		return ""
	}
	if p.Stack != nil {
		return stackText(p)
	}
	words := []string{"unlimited attempts"}
	if p.Attempts >= 0 {
		words[0] = fmt.Sprintf("%s (%s)", plural(int64(p.Attempts), "attempt"), plural(int64(p.Retries), "retry"))
	}
	for _, setting := range []struct {
		name, value string
		resting     bool // means nothing where nothing is retried
	}{
		{"rest", p.Rest, true}, {"backoff", p.Backoff, true}, {"cap", p.Cap, true}, {"jitter", p.Jitter, true},
		{"at cap", p.AtCap, true}, {"order", p.Order, true}, {"largest rest", p.LargestRest, true},
		{"on", p.On, true}, {"timeout", p.Timeout, false},
		{"repeatable only", yes(p.Repeatable), true}, {"keep working", yes(p.KeepWorking), false},
	} {
		if setting.value != "" && (p.Attempts != 1 || !setting.resting) {
			words = append(words, setting.name+" "+clean(setting.value))
		}
	}
	return strings.Join(words, ", ")
}

// stackText is the order of the policies, outermost first, and how the retry rests.
func stackText(p *Policy) string {
	text := clean(strings.Join(p.Stack, " → "))
	if p.Rest != "" && p.Attempts != 1 {
		text += fmt.Sprintf("; rest %s, backoff %s, jitter %s", clean(p.Rest), clean(p.Backoff), clean(p.Jitter))
	}
	if p.KeepWorking {
		text += "; keep working"
	}
	return text
}

// yes is how a switch that is on reads; one that is off is left out.
func yes(on bool) string {
	if on {
		return "yes"
	}
	return ""
}

// figureSheet lists published numbers beside the measured ones, without the
// scenario that the title names already.
func figureSheet(scenario string, figures []Figure) sheet {
	s := sheet{{head: "figure"}, {head: "published", right: true, prose: true}, {head: "expected", right: true},
		{head: "measured", right: true}, {head: "tolerance"}, {head: "verdict", paint: true}}
	expected := false
	for _, f := range figures {
		expected = expected || f.Expected != nil
		s.add(figureName(scenario, f), valueText(f.Published), valueText(f.Expected), valueText(f.Measured), clean(f.Tolerance), clean(f.verdict()))
	}
	if !expected {
		s = slices.Delete(s, 2, 3)
	}
	return s
}

// figureName is the figure without the scenario, and who measured it where both
// engines did.
func figureName(scenario string, f Figure) string {
	if f.Engine != "" {
		return shortID(scenario, f.ID) + " (" + clean(f.Engine) + ")"
	}
	return shortID(scenario, f.ID)
}

// reasons says why figures are not reproduced, those with the same reason
// together.
func reasons(r Result) []string {
	var order []string
	names := map[string][]string{}
	for _, f := range r.Figures {
		if f.Why == "" {
			continue
		}
		if names[f.Why] == nil {
			order = append(order, f.Why)
		}
		names[f.Why] = append(names[f.Why], figureName(r.Scenario, f))
	}
	for i, why := range order {
		order[i] = strings.Join(names[why], ", ") + ": " + clean(why)
	}
	return order
}

// incomparable reports whether no figure can be compared, all for one reason.
func incomparable(figures []Figure) (why string, all bool) {
	for _, f := range figures {
		if f.Verdict != NotComparable || f.Why != figures[0].Why || f.Why == "" {
			return "", false
		}
	}
	return figures[0].Why, true
}

// notCompared stands in place of figures of which none is judged because the user
// changed all that ran: a count of none reproduced would read like a failure.
const notCompared = "not compared, since your flags changed what they were published for"

func allChanged(figures []Figure) bool {
	changed := false
	for _, f := range figures {
		changed = changed || f.Why == ChangedByFlags
		if f.Verdict != NotComparable || f.Measured != nil && f.Why != ChangedByFlags {
			return false
		}
	}
	return changed
}

// AsExpected is the verdict for people of a figure that no source has a value of. In
// the JSON it is reproduced, like any other that holds.
const AsExpected = "as expected"

func (f Figure) verdict() string {
	if f.Verdict == Reproduced && f.Published == nil {
		return AsExpected
	}
	return f.Verdict
}

func shortID(scenario, id string) string {
	return clean(strings.TrimPrefix(id, scenario+"/"))
}

// tally sums verdicts up: "3 of 4 reproduced, 1 off".
func tally(figures []Figure) string {
	if allChanged(figures) {
		return notCompared
	}
	n := map[string]int64{}
	for _, f := range figures {
		n[f.verdict()]++
	}
	good := Reproduced
	if n[Reproduced] == 0 && n[AsExpected] > 0 { // none of them is from a source
		good = AsExpected
	}
	text := fmt.Sprintf("%s of %s %s", count(n[good]), count(int64(len(figures))), good)
	for _, verdict := range []string{AsExpected, Off, NotComparable} {
		if n[verdict] > 0 && verdict != good {
			text += fmt.Sprintf(", %s %s", count(n[verdict]), verdict)
		}
	}
	return text
}

// gridSheet is one number over one or two parameters; cells that a partial run
// did not reach are empty.
func gridSheet(g Grid) sheet {
	s := sheet{{head: gridCorner(g)}}
	for _, name := range g.Cols {
		s = append(s, column{head: label(name), right: true})
	}
	for i, name := range g.Rows {
		cells := []string{label(name)}
		for k := range g.Cols {
			cell := ""
			if i < len(g.Cells) && k < len(g.Cells[i]) {
				cell = count(g.Cells[i][k])
			}
			cells = append(cells, cell)
		}
		s.add(cells...)
	}
	return s
}

func gridCorner(g Grid) string {
	if g.RowName == "" {
		return label(g.ColName)
	}
	return label(g.RowName) + " ↓  " + label(g.ColName) + " →"
}

// slabs cuts a wide grid into tables that fit, each with the row names.
func (s sheet) slabs(width int) []sheet {
	if width <= 0 || len(s) < 2 {
		return []sheet{s}
	}
	var all []sheet
	slab := sheet{s[0]}
	for _, c := range s[1:] {
		if len(slab) > 1 && append(slices.Clip(slab), c).width() > width {
			all, slab = append(all, slab), sheet{s[0]}
		}
		slab = append(slab, c)
	}
	return append(all, slab)
}

// readingSheet lists the ways to explain a count.
func readingSheet(readings []Reading) sheet {
	s := sheet{{head: "hits", right: true}, {head: "attempts that multiply"}, {head: "retrying layers", right: true}, {head: "note", drop: 1, prose: true}}
	for _, r := range readings {
		factors := product(r.Factors)
		if factors == "" {
			factors = "–"
		}
		s.add(count(r.Count), factors, count(int64(r.Layers)), clean(r.Note))
	}
	return s
}
