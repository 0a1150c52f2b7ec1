package report

import (
	"fmt"
	"strconv"
	"strings"
)

// Expect is a condition on a number of the result, from a file's expect. It is
// for what must stay true of a system whatever else changes; to be told of any
// change at all use Compare with a baseline.
//
// Field is a name of [Measure]; tail.X is X of the tail, under whatever name.
// Condition is the text as it was written: a value (equality), a comparison
// ("<= 3", "!= open"), a range ("40..45", both ends included), a list
// ("[50, 50, 0, 50]"). Times have a unit ("< 800ms"), shares and counts of a
// whole may be in percent (">= 99%"). "always <= 120" asks every run of --repeat,
// where otherwise the median is judged.
type Expect struct {
	Variant   string `json:"variant"` // empty: each of them
	Field     string `json:"field"`
	Condition string `json:"condition"`
	Line      int    `json:"line,omitempty"` // in the file, where it comes from one
	Column    int    `json:"column,omitempty"`
}

// Check says before a run what is wrong with the expectation: a name that no
// variant of these layers has, or a condition that does not fit it. See
// [CheckField] for the arguments.
func (e Expect) Check(layers []string, routes ...string) error {
	f, err := findField(layers, routes, e.Field)
	if err != nil {
		return err
	}
	_, err = parseCondition(f, e.Condition)
	if err != nil {
		return fmt.Errorf("%s: %w", label(e.Field), err)
	}
	return nil
}

// Verdict says how an expectation fared in one variant.
type Verdict struct {
	Expect
	Engine   string `json:"engine,omitempty"` // that measured it, where both ran
	Measured any    `json:"measured"`         // times in milliseconds; over several runs the median; null: nothing
	Shown    string `json:"shown"`            // the same for people, with its unit
	Pass     bool   `json:"pass"`
	Why      string `json:"why,omitempty"`      // it failed, or what to know about a pass
	Runs     int    `json:"runs,omitempty"`     // that it was judged over, where there were several
	Interval string `json:"interval,omitempty"` // of these runs, see [Range]
}

// JudgeExpectations judges each expectation in each variant that it is about, in
// the order of the file. Over several runs (Result.Repeats) the condition is on
// the median, and with "always" on every run; a word has no median and must fit in
// every run. [Repeat] has to be told the expectations, or numbers that it does not
// watch are judged by the first run, and say so.
func JudgeExpectations(r Result, es []Expect) []Verdict {
	var out []Verdict
	for _, e := range es {
		judged := false
		for _, v := range r.Variants {
			if e.Variant != "" && e.Variant != v.Name {
				continue
			}
			judged = true
			one := judgeExpectation(r, v, e)
			one.Variant = v.Name
			if r.Engine == "both" {
				one.Engine = v.Engine
			}
			if r.Partial && one.Pass {
				one.Pass, one.Why = false, "the run was interrupted, so this is not the whole number: run it again"
			}
			out = append(out, one)
		}
		if !judged {
			out = append(out, Verdict{Expect: e, Why: noVariant(r, e)})
		}
	}
	return out
}

func noVariant(r Result, e Expect) string {
	var names []string
	for _, v := range r.Variants {
		names = append(names, label(v.Name))
	}
	if len(names) == 0 {
		return "nothing ran: run it again"
	}
	return fmt.Sprintf("no variant %s ran: choose %s", quoted(e.Variant), some(names))
}

func judgeExpectation(r Result, v Variant, e Expect) Verdict {
	out := Verdict{Expect: e}
	f, err := findField(layerNames(v), routeNames(v), e.Field)
	if err != nil {
		out.Why = err.Error()
		return out
	}
	c, err := parseCondition(f, e.Condition)
	if err != nil {
		out.Why = err.Error()
		return out
	}
	s, err := f.sample(v, c.percent)
	if err != nil {
		out.Why = err.Error()
		return out
	}
	over := runsOf(r, v, f, c, s)
	out.Runs = over.runs
	out.Measured, out.Shown = f.measured(over.middle, c), f.show(over.middle, c)
	out.Pass = over.hold(f, c)
	if over.differ() {
		out.Interval = f.show(over.low, c) + " … " + f.show(over.high, c)
		if over.words != nil {
			out.Interval = strings.Join(over.words, ", ")
		}
	}
	switch {
	case !out.Pass:
		out.Why = out.because(f, c, over)
	case over.first:
		out.Why = "judged by the first run only"
	}
	return out
}

// because is the reason of a failure, with the number and what it should be.
func (d Verdict) because(f field, c condition, over overRuns) string {
	wanted := strings.TrimSpace(clean(d.Condition))
	shown := d.Shown
	if c.always && d.Interval != "" {
		return fmt.Sprintf("%d runs gave %s, which is not %s", d.Runs, d.alwaysInterval(f, c, over), wanted)
	}
	if over.words != nil {
		return fmt.Sprintf("%d runs gave %s, and a word must fit in every run: expected %s", d.Runs, d.Interval, wanted)
	}
	if d.Interval != "" {
		shown = fmt.Sprintf("%s, the median of %d runs (%s),", shown, d.Runs, d.Interval)
	}
	switch {
	case f.kind == listField && c.op == "=":
		if place := differs(f, c, over.middle.numbers); place != "" {
			return place
		}
	case f.never(over.middle):
		return "it never recovered, expected " + wanted
	case c.op == "=" && d.Interval == "":
		return shown + " instead of " + strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(wanted, "always"), "= "))
	}
	return shown + " is not " + wanted
}

func (d Verdict) alwaysInterval(f field, c condition, over overRuns) string {
	if over.words != nil {
		return d.Interval
	}
	return f.show(over.least, c) + " … " + f.show(over.most, c)
}

// differs names the first place of a list that is not as expected.
func differs(f field, c condition, got []float64) string {
	want, got := aligned(f, c, got)
	for i := range max(len(want), len(got)) {
		if at(want, i) != at(got, i) {
			return "place " + strconv.Itoa(i+1) + " is " + number(at(got, i)) + " instead of " + number(at(want, i)) +
				": " + value{kind: listValue, numbers: got}.String()
		}
	}
	return ""
}

func layerNames(v Variant) []string {
	names := make([]string, len(v.Layers))
	for i, l := range v.Layers {
		names[i] = l.Name
	}
	return names
}

func routeNames(v Variant) []string {
	names := make([]string, len(v.Routes))
	for i, r := range v.Routes {
		names[i] = r.Name
	}
	return names
}
