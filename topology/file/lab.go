// Package file reads and writes a lab as YAML: the topology of one's own system,
// its variants, and what is expected of them.
//
// Use [Read] for a file that somebody wrote: it is strict, and every error is one
// line with the line and column, the field and the cure. [Write] gives the
// canonical form of a lab, [Format] that of a file with its comments, [Example] a
// file to start from, and [Schema] what editors want to know. Conditions are kept
// as text: another package judges them. [ReadPolicies] and [WritePolicies] do the same
// for a policy file, which is the policies of one call.
package file

import (
	"fmt"
	"strings"

	"labctl/topology"
)

// Lab is what a file says.
type Lab struct {
	Name     string // of the file, without its ending
	Title    string // one sentence: what it shows
	Text     string // what the reader should see
	Topology topology.Topology
	Variants []Variant
	Expect   []Expectation // of every variant
	Repeats  int           // runs, each with a seed of its own; 0: not said

	where map[string]position
}

// Variant is a lab that differs in some fields.
type Variant struct {
	Name     string
	Services []topology.Service // replace the lab's; nil: they do not
	Set      []topology.Setting // then these fields are set, in this order
	Expect   []Expectation      // of this variant
}

// Expectation is a condition on a field of the result.
type Expectation struct {
	Field     string // tail.amplification
	Condition string // <= 27
	Line      int    // of the condition in the file
	Column    int
}

// Variant returns the topology of a variant, which shares nothing with the lab's.
// Its error begins with the path of a field.
func (l *Lab) Variant(v Variant) (topology.Topology, error) {
	t := l.Topology.Clone()
	if v.Services != nil {
		t.Services = topology.Topology{Services: v.Services}.Clone().Services
	}
	for _, s := range v.Set {
		if err := t.Set(s); err != nil {
			return t, err
		}
	}
	return t, t.Validate()
}

// Position is where a path such as services.b.calls.c.retry stands in the file,
// from 1; where the file does not say the field, it is what holds it. A lab that
// was not read has no positions: 0, 0.
func (l *Lab) Position(path string) (line, column int) {
	for {
		if at, ok := l.where[path]; ok || path == "" {
			return at.line, at.column
		}
		path = path[:max(strings.LastIndexByte(path, '.'), 0)]
	}
}

// At puts the place and name of the file in front of an error that begins with a
// path, as those of topology do.
func (l *Lab) At(err error) error {
	if err == nil {
		return nil
	}
	path, _, _ := strings.Cut(err.Error(), ": ")
	line, column := l.Position(path)
	return &Error{File: l.Name, Line: line, Column: column, Text: clip(err.Error())}
}

// Error is what is wrong with a file, on one line.
type Error struct {
	File         string
	Line, Column int    // from 1; 0: of the file as a whole
	Text         string // the path, what is wrong there, and the cure
}

// Error is FILE:LINE:COLUMN: TEXT, which editors jump to.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// clip keeps an error on one line that a terminal can show, with the cure that
// stands at its end.
func clip(text string) string {
	const head, tail = 300, 200
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }), " ")
	if runes := []rune(text); len(runes) > head+tail {
		text = string(runes[:head]) + " … " + string(runes[len(runes)-tail:])
	}
	return text
}

type position struct{ line, column int }
