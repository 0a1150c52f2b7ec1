package report

import (
	"encoding/xml"
	"io"
	"strings"
)

// Suite is what a CI system shows of one scenario.
type Suite struct {
	Name  string
	Cases []Case
}

// Case is one thing that held, failed or could not be judged.
type Case struct {
	Name    string
	Failure string // one line per failure; empty: it held
	Skipped string // why it was not judged
}

// FigureSuite has a case per published figure, and one per expectation of the file.
func FigureSuite(r Result) Suite {
	s := Suite{Name: r.Scenario}
	for _, f := range r.Figures {
		s.Cases = append(s.Cases, figureCase(f))
	}
	s.Cases = append(s.Cases, expectationCases(r.Expectations)...)
	return s
}

func figureCase(f Figure) Case {
	c := Case{Name: f.ID}
	switch f.Verdict {
	case Off:
		c.Failure = "measured " + valueText(f.Measured) + ", published " + valueText(f.Published)
		if f.Expected != nil {
			c.Failure += ", expected " + valueText(f.Expected)
		}
		c.Failure += " (" + f.Tolerance + ")"
		if f.Why != "" {
			c.Failure += ": " + f.Why
		}
	case NotComparable:
		c.Skipped = f.Why
		if c.Skipped == "" {
			c.Skipped = NotComparable
		}
	}
	return c
}

// CheckSuite has a case per variant and one for the figures, which fail by what
// Compare found, and one per expectation of the file.
func CheckSuite(baseline, now Result) Suite {
	s := Suite{Name: now.Scenario}
	failures := map[string][]string{}
	var others []string
	for _, d := range Compare(baseline, now) {
		if d.Variant == "" {
			others = append(others, d.Message)
		} else {
			failures[d.Variant] = append(failures[d.Variant], d.Message)
		}
	}
	seen := map[string]bool{}
	for _, vs := range [][]Variant{baseline.Variants, now.Variants} {
		for _, v := range vs {
			if !seen[v.Name] {
				seen[v.Name] = true
				s.Cases = append(s.Cases, Case{Name: v.Name, Failure: strings.Join(failures[v.Name], "\n")})
			}
		}
	}
	s.Cases = append(s.Cases, Case{Name: "scenario and figures", Failure: strings.Join(others, "\n")})
	s.Cases = append(s.Cases, expectationCases(now.Expectations)...)
	return s
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes suites as XML. Times are left out: the same result gives
// the same file.
func WriteJUnit(w io.Writer, suites ...Suite) error {
	var doc junitSuites
	for _, s := range suites {
		js := junitSuiteOf(s)
		doc.Tests += js.Tests
		doc.Failures += js.Failures
		doc.Suites = append(doc.Suites, js)
	}
	data, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

func junitSuiteOf(s Suite) junitSuite {
	js := junitSuite{Name: clean(s.Name), Tests: len(s.Cases)}
	for _, c := range s.Cases {
		jc := junitCase{Class: clean(s.Name), Name: clean(c.Name)}
		switch {
		case c.Failure != "":
			js.Failures++
			jc.Failure = message(c.Failure)
		case c.Skipped != "":
			js.Skipped++
			jc.Skipped = &junitMessage{Message: clean(c.Skipped)}
		}
		js.Cases = append(js.Cases, jc)
	}
	return js
}

// message shows the first line everywhere and the whole text where there is room.
func message(text string) *junitMessage {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return &junitMessage{Message: lines[0], Text: strings.Join(lines, "\n")}
}
