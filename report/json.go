package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// WriteJSON writes one result as a document of its own and any other number as
// a set.
func WriteJSON(w io.Writer, results ...Result) error {
	var doc any
	if len(results) == 1 {
		doc = complete(results[0])
	} else {
		set := Set{Schema: SetSchema, Results: make([]Result, len(results))}
		for i, r := range results {
			set.Results[i] = complete(r)
		}
		doc = set
	}
	return WriteDocument(w, doc)
}

// WriteDocument writes any document as every JSON of the program is written: indented,
// invisible marks as escapes, and a line break at its end.
func WriteDocument(w io.Writer, doc any) error {
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("this result cannot be written as JSON: %w: every number in it must be finite", err)
	}
	_, err = w.Write(append(escapeInvisible(data), '\n'))
	return err
}

// complete fills in what the schema requires, so that a reader finds an empty
// list where there is nothing and never null.
func complete(r Result) Result {
	r.Schema = Schema
	r.Variants = full(r.Variants)
	r.Figures, r.Findings, r.Warnings = full(r.Figures), full(r.Findings), full(r.Warnings)
	r.Grids, r.Readings = slices.Clone(r.Grids), slices.Clone(r.Readings)
	for i := range r.Variants {
		v := &r.Variants[i]
		v.Layers, v.Bins, v.RetryBins, v.Waves = full(v.Layers), full(v.Bins), full(v.RetryBins), full(v.Waves)
		if v.LatencyMS.Kind == "" {
			v.LatencyMS.Kind = Exact
		}
	}
	for i := range r.Grids {
		g := &r.Grids[i]
		g.Rows, g.Cols, g.Cells = full(g.Rows), full(g.Cols), full(g.Cells)
		for k := range g.Cells {
			g.Cells[k] = full(g.Cells[k])
		}
	}
	for i := range r.Readings {
		r.Readings[i].Factors = full(r.Readings[i].Factors)
	}
	return r
}

// full copies, and is never nil.
func full[T any](s []T) []T { return append(make([]T, 0, len(s)), s...) }

// escapeInvisible writes marks that a terminal would obey (writing direction,
// C1 controls) as \u escapes: the data stays the same and can be looked at.
// Such runes can only stand inside strings.
func escapeInvisible(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r > unicode.MaxASCII && r <= 0xFFFF && unicode.In(r, unicode.Cc, unicode.Cf) || r == 0x7f {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, data[:size]...)
		}
		data = data[size:]
	}
	return out
}

// ReadJSON reads a result or a set. Unknown fields are passed over, since
// version 1 may grow by them; anything else that is not as the schema says is
// an error.
func ReadJSON(r io.Reader) ([]Result, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading a result: %w", err)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := decode(data, &head); err != nil {
		return nil, err
	}
	var results []Result
	switch head.Schema {
	case Schema:
		results = make([]Result, 1)
		err = decode(data, &results[0])
	case SetSchema:
		var set Set
		err = decode(data, &set)
		results = set.Results
	case "":
		return nil, errors.New(`this JSON has no "schema": pass a file written by labctl run --format json`)
	default:
		return nil, fmt.Errorf("schema %q is not known: this labctl reads %s and %s, so use the version that wrote the file", head.Schema, Schema, SetSchema)
	}
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		if err := validate(r); err != nil {
			return nil, fmt.Errorf("result %d: %w", i+1, err)
		}
		results[i] = complete(r)
	}
	return results, nil
}

// decode words the errors of encoding/json for people who edit or cut files.
func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	err := d.Decode(into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the result is empty: pass a file written by labctl run --format json")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the result ends in the middle: write it again with labctl run --format json")
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d is not JSON: %w", line(data, syntax.Offset), err)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %s must be %s but is %s", line(data, kind.Offset), fieldName(kind.Field), kindName(kind.Type), kind.Value)
	case err != nil:
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: there is more after the result: keep one JSON document in a file", line(data, d.InputOffset()))
	}
	return nil
}

func fieldName(path string) string {
	if path == "" {
		return "the document"
	}
	return path
}

// kindName says in JSON's words what a Go type expects.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Pointer, reflect.Map:
		return "an object"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	default:
		return "a whole number in range"
	}
}

func line(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte{'\n'})
}

// validate holds what comparing and rendering rely on.
func validate(r Result) error {
	switch {
	case r.Schema != Schema:
		return fmt.Errorf("its schema is %q and must be %q", r.Schema, Schema)
	case r.Scenario == "":
		return errors.New(`it has no "scenario": name the scenario or file that ran`)
	case !slices.Contains([]string{"live", "sim", "both"}, r.Engine):
		return fmt.Errorf("its engine is %q and must be live, sim or both", r.Engine)
	}
	seen := map[variantKey]bool{}
	for _, v := range r.Variants {
		switch {
		case v.Name == "":
			return errors.New("a variant has no name: give each one")
		case v.Engine != "live" && v.Engine != "sim":
			return fmt.Errorf("variant %s has engine %q and must have live or sim", strconv.Quote(v.Name), v.Engine)
		case seen[keyOf(v)]:
			return fmt.Errorf("variant %s is there twice: give each a name of its own", strconv.Quote(v.Name))
		case len(v.RetryBins) > len(v.Bins):
			return fmt.Errorf("variant %s has more retry bins than bins: they must be the same bins", strconv.Quote(v.Name))
		}
		seen[keyOf(v)] = true
	}
	return nil
}
