package report

import (
	"fmt"
	"strings"
)

// What a verdict is called in a table.
const (
	passed = "pass"
	failed = "fail"
)

func (d Verdict) word() string {
	if d.Pass {
		return passed
	}
	return failed
}

// about is whom the expectation is about.
func (d Verdict) about() string {
	if d.Engine != "" && d.Variant != "" {
		return label(d.Variant) + " (" + clean(d.Engine) + ")"
	}
	return label(d.Variant)
}

// condition is the field with what is asked of it.
func (d Verdict) condition() string {
	asked := strings.TrimSpace(clean(d.Condition))
	if asked != "" && !strings.ContainsAny(asked[:1], "<>=!") && !strings.HasPrefix(asked, "always ") {
		asked = "= " + asked
	}
	return clean(d.Field) + " " + asked
}

// Message says in one line why the expectation fails, or what to know about its
// pass; it is empty where there is nothing to say.
func (d Verdict) Message() string {
	if d.Why == "" {
		return ""
	}
	why := clean(d.Why)
	if name := clean(d.Field); !strings.HasPrefix(why, `"`+name) {
		why = name + ": " + why
	}
	if name := d.about(); name != "" {
		why = name + ": " + why
	}
	return why
}

// Failed lists the expectations that do not hold; a run with any exits with 1.
func Failed(verdicts []Verdict) []Verdict {
	var out []Verdict
	for _, d := range verdicts {
		if !d.Pass {
			out = append(out, d)
		}
	}
	return out
}

// expectationTally sums verdicts up: "3 of 4 hold".
func expectationTally(ds []Verdict) string {
	n := len(ds) - len(Failed(ds))
	verb := "hold"
	if n == 1 {
		verb = "holds"
	}
	return fmt.Sprintf("expectations: %s of %s %s", count(int64(n)), count(int64(len(ds))), verb)
}

// expectationSheet has a row per verdict; the interval is shown where several runs
// differ.
func expectationSheet(ds []Verdict) sheet {
	s := sheet{{head: "variant", drop: 1}, {head: "expected", prose: true}, {head: "measured", right: true, prose: true}, {head: "verdict", paint: true}}
	runs := sheet{{head: "runs", right: true, drop: 2}, {head: "interval", drop: 2, prose: true}}
	several := false
	for _, d := range ds {
		s.add(d.about(), d.condition(), clean(d.Shown), d.word())
		several = several || d.Runs > 0
		n := ""
		if d.Runs > 0 {
			n = count(int64(d.Runs))
		}
		runs.add(n, clean(d.Interval))
	}
	if several {
		return sheet{s[0], s[1], s[2], runs[0], runs[1], s[3]}
	}
	return s
}

// expectationReasons are the lines below the table, with the place in the file.
func expectationReasons(ds []Verdict) []string {
	var lines []string
	for _, d := range ds {
		text := d.Message()
		if text != "" && d.Line > 0 {
			text = fmt.Sprintf("line %d: %s", d.Line, text)
		}
		if text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// expectations prints how the expectations of the file fared.
func (t *textWriter) expectations() {
	ds := t.r.Expectations
	if len(ds) == 0 {
		return
	}
	t.section(expectationTally(ds))
	t.sheet(expectationSheet(ds))
	for _, reason := range expectationReasons(ds) {
		t.line(reason)
	}
}

func mdExpectations(b *strings.Builder, ds []Verdict) {
	if len(ds) == 0 {
		return
	}
	mdLine(b, expectationTally(ds))
	expectationSheet(ds).markdown(b)
	for i, reason := range expectationReasons(ds) {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + escapeMarkdown(reason) + "\n")
	}
}

// expectationCases are the cases of JUnit. Conditions are part of the name, since
// a field may have several.
func expectationCases(ds []Verdict) []Case {
	cases := make([]Case, 0, len(ds))
	for _, d := range ds {
		c := Case{Name: d.condition()}
		if name := d.about(); name != "" {
			c.Name = name + ": " + c.Name
		}
		if !d.Pass {
			c.Failure = d.Message()
		}
		cases = append(cases, c)
	}
	return cases
}

// FaultAt is where a file gives a service a fault. An empty Variant means all of
// them.
type FaultAt struct {
	Variant, Service string
	Line, Column     int
}

// Expect is what JudgeFaults asks; give it to [Repeat], and a fault counts as
// reached when it was in any run.
func (f FaultAt) Expect() Expect {
	return Expect{f.Variant, f.Service + ".requests", "> 0", f.Line, f.Column}
}

// JudgeFaults gives a failed verdict for each service whose fault no request came
// to, in any run: the usual reason why a test of resilience proves nothing. It
// judges by the requests that reached the service, so a fault that has a window, a
// chance or a route of its own may be missed without it being seen here.
func JudgeFaults(r Result, faults []FaultAt) []Verdict {
	var out []Verdict
	for _, fault := range faults {
		for _, v := range r.Variants {
			if fault.Variant != "" && fault.Variant != v.Name || reached(r, v, fault.Service) {
				continue
			}
			d := Verdict{
				Expect: fault.Expect(), Measured: int64(0), Shown: "0",
				Why: "the fault was never reached: no request came to " + label(fault.Service) + ", so this run says nothing about it; let the load or a fault before it reach it, or take the fault out",
			}
			d.Variant = v.Name
			if r.Engine == "both" {
				d.Engine = v.Engine
			}
			out = append(out, d)
		}
	}
	return out
}

func reached(r Result, v Variant, service string) bool {
	for _, l := range v.Layers {
		if l.Name == service && l.Requests > 0 {
			return true
		}
	}
	if r.Repeats == nil {
		return false
	}
	for _, g := range r.Repeats.Ranges { // where it differs, some run has more than none
		if g.ID == v.Name+"."+service+".requests" && g.Engine == v.Engine {
			return true
		}
	}
	return false
}
