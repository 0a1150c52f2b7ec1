package report

import (
	"fmt"
	"io"
	"strings"
)

// Levels of an annotation.
const (
	AnnotateError   = "error"
	AnnotateWarning = "warning"
)

// Annotation is one remark that GitHub shows at a line of a file.
type Annotation struct {
	Level        string // error or warning
	File         string // as the repository has it; empty: of no file
	Line, Column int    // from 1; 0: unknown
	Title        string
	Message      string // may have several lines
}

// ExpectationAnnotations has an error for each expectation of the file that fails.
func ExpectationAnnotations(file string, ds []Verdict) []Annotation {
	var out []Annotation
	for _, d := range Failed(ds) {
		out = append(out, Annotation{AnnotateError, file, d.Line, d.Column, "expected " + d.condition(), d.Message()})
	}
	return out
}

// DifferenceAnnotations has an error for each difference from the baseline that
// fails a check.
func DifferenceAnnotations(file string, ds []Difference) []Annotation {
	var out []Annotation
	for _, d := range ds {
		if !d.Informational {
			out = append(out, Annotation{Level: AnnotateError, File: file, Title: "differs from the baseline", Message: d.Message})
		}
	}
	return out
}

// WarningAnnotations has the doubts about the numbers.
func WarningAnnotations(file string, ws []Warning) []Annotation {
	var out []Annotation
	for _, text := range Doubts(ws) {
		out = append(out, Annotation{Level: AnnotateWarning, File: file, Title: "labctl warning", Message: text})
	}
	return out
}

// WriteGitHub writes annotations as workflow commands of GitHub Actions, one a
// line, for the log of a step. GitHub shows the first ten errors and the first ten
// warnings of a step at their lines and leaves the others in the log, so put first
// what matters most.
func WriteGitHub(w io.Writer, annotations ...Annotation) error {
	var b strings.Builder
	for _, a := range annotations {
		b.WriteString(a.command() + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// command leaves out what is not known; GitHub has no column without a line, and
// no line without a file.
func (a Annotation) command() string {
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+githubProperty.Replace(clean(value)))
	}
	if a.File != "" {
		add("file", a.File)
		if a.Line > 0 {
			add("line", fmt.Sprint(a.Line))
			if a.Column > 0 {
				add("col", fmt.Sprint(a.Column))
			}
		}
	}
	if a.Title != "" {
		add("title", a.Title)
	}
	head := "::" + a.Level
	if len(properties) > 0 {
		head += " " + strings.Join(properties, ",")
	}
	lines := strings.Split(strings.ReplaceAll(a.Message, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return head + "::" + githubData.Replace(strings.Join(lines, "\n"))
}

// What GitHub reads back in messages, and in the properties before them.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
