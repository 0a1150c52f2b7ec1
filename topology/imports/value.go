package imports

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"labctl/topology"
	"labctl/topology/file"
)

// value is something in a file, or nothing: then every reading of it is zero, as
// products take what is not said for their default.
type value struct {
	s    *source
	n    *yaml.Node // nil: it is not there
	path string
}

func (v value) there() bool { return v.n != nil }

func (v value) place() Place { return Place{v.s.name, v.n.Line} }

// fail keeps the first error of the file.
func (v value) fail(format string, args ...any) {
	if v.s.err != nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	if v.path != "" {
		text = shortPath(v.path) + ": " + text
	}
	v.s.err = &file.Error{File: v.s.name, Line: v.n.Line, Column: v.n.Column, Text: text}
}

// note says what becomes of a value.
func (v value) note(format string, args ...any) { v.s.note(v.n, v.path, format, args...) }

// what names a value in an error.
func (v value) what() string {
	switch v.n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	return strconv.Quote(short(v.n.Value))
}

// list is the items of a list.
func (v value) list() []value {
	if !v.there() {
		return nil
	}
	if v.n.Kind != yaml.SequenceNode {
		v.fail("%s stands where a list is needed", v.what())
		return nil
	}
	items := make([]value, len(v.n.Content))
	for i, n := range v.n.Content {
		items[i] = value{v.s, n, v.path + "[" + strconv.Itoa(i) + "]"}
	}
	return items
}

// text is a single value.
func (v value) text() string {
	if !v.there() {
		return ""
	}
	if v.n.Kind != yaml.ScalarNode {
		v.fail("%s stands where one value is needed", v.what())
		return ""
	}
	return v.n.Value
}

// number is a whole number from least to most; otherwise where it is not said.
func (v value) number(least, most, otherwise int) int {
	if !v.there() {
		return otherwise
	}
	n, err := strconv.Atoi(v.text())
	if err != nil || n < least || n > most {
		v.fail("%s is not a whole number from %d to %d", v.what(), least, most)
		return otherwise
	}
	return n
}

// decimal is a number with a point, in thousandths. What is finer is cut off.
func (v value) decimal(least, most float64, otherwise int) int {
	if !v.there() {
		return otherwise
	}
	f, err := strconv.ParseFloat(v.text(), 64)
	if err != nil || !(f >= least && f <= most) {
		v.fail("%s is not a number from %v to %v", v.what(), least, most)
		return otherwise
	}
	return int(math.Floor(f*1000 + 1e-6)) // 0.29 is 0.28999… in binary
}

// duration is a time that is not negative; otherwise where it is not said.
func (v value) duration(otherwise time.Duration) time.Duration {
	if !v.there() {
		return otherwise
	}
	d, err := time.ParseDuration(v.text())
	switch {
	case err != nil:
		v.fail("%s is not a duration: write it like 0.25s", v.what())
	case d < 0:
		v.fail("%s is less than no time", v.what())
	case d > topology.MaxDuration:
		v.fail("%s is more than a year", v.what())
	default:
		return d
	}
	return otherwise
}

// truth is true or false; otherwise where it is not said.
func (v value) truth(otherwise bool) bool {
	if !v.there() {
		return otherwise
	}
	is, err := strconv.ParseBool(v.text())
	if err != nil {
		v.fail("%s is neither true nor false", v.what())
	}
	return is
}

// words is the parts between commas, or the items of a list.
func (v value) words() []string {
	if !v.there() {
		return nil
	}
	var out []string
	if v.n.Kind == yaml.SequenceNode {
		for _, item := range v.list() {
			out = append(out, item.text())
		}
		return out
	}
	for word := range strings.SplitSeq(v.text(), ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}
