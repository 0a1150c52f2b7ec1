package report

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// value is a figure's number, list of numbers or string, in one form for
// values made by a run and values read from JSON.
type value struct {
	kind    valueKind
	text    string
	numbers []float64 // one for a number
}

type valueKind int

const (
	unknownValue valueKind = iota
	numberValue
	listValue
	textValue
)

func (k valueKind) String() string {
	return [...]string{"an unknown value", "a number", "a list", "a text"}[k]
}

func newValue(v any) value {
	if s, ok := v.(string); ok {
		return value{kind: textValue, text: s}
	}
	if f, ok := toNumber(v); ok {
		return value{kind: numberValue, numbers: []float64{f}}
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		return value{}
	}
	list := value{kind: listValue, numbers: make([]float64, rv.Len())}
	for i := range rv.Len() {
		f, ok := toNumber(rv.Index(i).Interface())
		if !ok {
			return value{}
		}
		list.numbers[i] = f
	}
	return list
}

func toNumber(v any) (float64, bool) {
	if n, ok := v.(json.Number); ok {
		f, err := n.Float64()
		return f, err == nil
	}
	rv := reflect.ValueOf(v)
	switch {
	case rv.CanInt():
		return float64(rv.Int()), true
	case rv.CanUint():
		return float64(rv.Uint()), true
	case rv.CanFloat():
		return rv.Float(), true
	}
	return 0, false
}

// String prints the value for people.
func (v value) String() string {
	switch v.kind {
	case textValue:
		return v.text
	case numberValue:
		return number(v.numbers[0])
	case listValue:
		words := make([]string, len(v.numbers))
		for i, f := range v.numbers {
			words[i] = number(f)
		}
		if len(words) > maxList {
			words = append(words[:maxList], fmt.Sprintf("… (%d in all)", len(words)))
		}
		return strings.Join(words, " ")
	}
	return ""
}

// valueText prints what a figure holds; rows of several runs are lists of lists,
// which are shown and not judged.
func valueText(v any) string {
	if v == nil {
		return ""
	}
	if val := newValue(v); val.kind != unknownValue {
		return clean(val.String())
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice {
		return clean(fmt.Sprint(v))
	}
	rows := make([]string, rv.Len())
	for i := range rows {
		rows[i] = "[" + valueText(rv.Index(i).Interface()) + "]"
	}
	return strings.Join(rows, " ")
}
