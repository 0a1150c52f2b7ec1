package topology

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"labctl/topology/policy"
)

// field is one settable field of a T. What get returns, set reads back into the
// same value; empty is a zero value that has no text.
type field[T any] struct {
	name  string
	set   func(*T, string) error
	get   func(*T) string
	shape Shape
	of    string // the field that it is another name for; empty: none
	quiet bool   // not in lists of what there is
}

// Shape says what texts a field takes, for editors and completion.
type Shape struct {
	Of    Texts
	Words []string // words that it takes as well; of a Text: all that there are, unless Open
	Open  bool     // takes more than its Words
	Many  bool     // takes several with commas between them, which a file may write as a list
}

// Texts is a kind of text.
type Texts uint8

// The kinds of text.
const (
	Text     Texts = iota
	Whole          // 3
	Boolean        // true
	Duration       // 50ms
	Times          // 50ms or exponential:5ms
	Percent        // 50%
)

// valueOf is a field that is read by one function and written by another.
func valueOf[T, V any](name string, at func(*T) *V, parse func(string) (V, error), text func(V) string, shape Shape) field[T] {
	return field[T]{
		name: name,
		set: func(t *T, v string) error {
			value, err := parse(v)
			if err == nil {
				*at(t) = value
			}
			return err
		},
		get:   func(t *T) string { return text(*at(t)) },
		shape: shape,
	}
}

// sameAs makes a field another name for one, in which it is not written.
func sameAs[T any](of string, f field[T]) field[T] {
	f.of, f.get = of, func(*T) string { return "" }
	return f
}

// unlisted keeps a field out of errors, where another name of it stands.
func unlisted[T any](f field[T]) field[T] {
	f.quiet = true
	return f
}

func textOf[T any](name string, at func(*T) *string) field[T] {
	return valueOf(name, at, func(v string) (string, error) { return v, nil }, sameText, Shape{Of: Text})
}

func intOf[T any](name string, at func(*T) *int) field[T] {
	return valueOf(name, at, parseInt, strconv.Itoa, Shape{Of: Whole})
}

// countOf is a number for which 0 would stand for a default that one does not see.
func countOf[T any](name string, at func(*T) *int) field[T] {
	parse := func(v string) (int, error) {
		n, err := parseInt(v)
		if err == nil && n == 0 {
			err = fmt.Errorf("0 would stand for the default: say 1 or more, or leave it out")
		}
		return n, err
	}
	return valueOf(name, at, parse, strconv.Itoa, Shape{Of: Whole})
}

// spanOf is likewise a time.
func spanOf[T any](name string, at func(*T) *time.Duration) field[T] {
	parse := func(v string) (time.Duration, error) {
		d, err := parseDuration(v)
		if err == nil && d == 0 {
			err = fmt.Errorf("0 would stand for the default: say how long, or leave it out")
		}
		return d, err
	}
	return valueOf(name, at, parse, durationText, Shape{Of: Duration})
}

// intOrNoneOf is a number for which none is one that is no number of anything.
func intOrNoneOf[T any](name string, at func(*T) *int, none int) field[T] {
	parse := func(v string) (int, error) {
		if v == "none" {
			return none, nil
		}
		return parseInt(v)
	}
	text := func(n int) string {
		if n == none {
			return "none"
		}
		return strconv.Itoa(n)
	}
	return valueOf(name, at, parse, text, Shape{Of: Whole, Words: []string{"none"}})
}

func boolOf[T any](name string, at func(*T) *bool) field[T] {
	return valueOf(name, at, parseBool, strconv.FormatBool, Shape{Of: Boolean})
}

func durationOf[T any](name string, at func(*T) *time.Duration) field[T] {
	return valueOf(name, at, parseDuration, durationText, Shape{Of: Duration})
}

func percentOf[T any](name string, at func(*T) *int) field[T] {
	return valueOf(name, at, parsePercent, percentText, Shape{Of: Percent})
}

func timesOf[T any](name string, at func(*T) *Distribution) field[T] {
	text := func(d Distribution) string {
		if d.Shape == Constant {
			return durationText(d.A)
		}
		return d.String()
	}
	return valueOf(name, at, ParseDistribution, text, Shape{Of: Times})
}

func filterOf[T any](name string, at func(*T) *policy.Filter) field[T] {
	return valueOf(name, at, parseFilter, filterText, Shape{Of: Text, Many: true})
}

// choiceOf is a field that has one of a few words.
func choiceOf[T any, V comparable](name string, at func(*T) *V, from map[string]V) field[T] {
	words := slices.Sorted(maps.Keys(from))
	parse := func(v string) (V, error) {
		value, ok := from[v]
		if !ok {
			return value, fmt.Errorf("%q: choose %s", v, strings.Join(words, " or "))
		}
		return value, nil
	}
	text := func(value V) string {
		for _, w := range words {
			if from[w] == value {
				return w
			}
		}
		return ""
	}
	return valueOf(name, at, parse, text, Shape{Of: Text, Words: words})
}

// setField sets the field of that name, or says which there are. A value that
// cannot be read leaves the target as it was.
func setField[T any](target *T, fields []field[T], name, value string) error {
	for _, f := range fields {
		if f.name == name {
			return f.set(target, value)
		}
	}
	if name == "" {
		return fmt.Errorf("which field? there are %s", fieldNames(fields))
	}
	return fmt.Errorf("no field %q: there are %s", name, fieldNames(fields))
}

func fieldNamed[T any](fields []field[T], name string) bool {
	return slices.ContainsFunc(fields, func(f field[T]) bool { return f.name == name })
}

func fieldNames[T any](fields []field[T]) string {
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		if !f.quiet {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, ", ")
}
