package trace

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// otlpSpan is a span as the protobuf-JSON form of OTLP has it, as far as it is read.
type otlpSpan struct {
	TraceID      string     `json:"traceId"`
	SpanID       string     `json:"spanId"`
	ParentSpanID string     `json:"parentSpanId"`
	Name         string     `json:"name"`
	Kind         enum       `json:"kind"`
	Start        number     `json:"startTimeUnixNano"`
	End          number     `json:"endTimeUnixNano"`
	Attributes   []otlpAttr `json:"attributes"`
	Status       struct {
		Code enum `json:"code"`
	} `json:"status"`
}

type otlpAttr struct {
	Key   string `json:"key"`
	Value struct {
		String *string  `json:"stringValue"`
		Int    *number  `json:"intValue"`
		Double *float64 `json:"doubleValue"`
		Bool   *bool    `json:"boolValue"`
	} `json:"value"`
}

func (a *otlpAttr) value() any {
	switch v := a.Value; {
	case v.String != nil:
		return *v.String
	case v.Int != nil:
		return int64(*v.Int)
	case v.Double != nil:
		return *v.Double
	case v.Bool != nil:
		return *v.Bool
	}
	return nil
}

// number is an integer: 64-bit ones stand in JSON as text, others as numbers.
type number int64

func (n *number) UnmarshalJSON(data []byte) error {
	text := string(bytes.Trim(data, `"`))
	if text == "" || text == "null" {
		return nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no integer of 64 bits", clip(text))
	}
	*n = number(v)
	return nil
}

// enum is a number or, as some exporters write it, its name.
type enum uint8

var enumNames = map[string]enum{
	"SPAN_KIND_INTERNAL": enum(Internal), "SPAN_KIND_SERVER": enum(Server), "SPAN_KIND_CLIENT": enum(Client),
	"SPAN_KIND_PRODUCER": enum(Producer), "SPAN_KIND_CONSUMER": enum(Consumer),
	"STATUS_CODE_OK": enum(OK), "STATUS_CODE_ERROR": enum(Error),
}

func (e *enum) UnmarshalJSON(data []byte) error {
	text := string(bytes.Trim(data, `"`))
	if v, err := strconv.ParseUint(text, 10, 8); err == nil {
		*e = enum(v)
	} else {
		*e = enumNames[text] // what is unknown is unspecified
	}
	return nil
}

// resource reads the spans of one resource. Its name may come after them.
func (r *reader) resource() error {
	first, service := len(r.spans), ""
	err := r.object(func(key string) error {
		switch key {
		case "resource":
			var of struct{ Attributes []otlpAttr }
			err := r.decode(&of)
			for _, a := range of.Attributes {
				if name, is := a.value().(string); is && a.Key == "service.name" {
					service = r.name(name)
				}
			}
			return err
		case "scopeSpans", "instrumentationLibrarySpans":
			return r.list(func() error {
				return r.object(func(key string) error {
					if key == "spans" {
						return r.list(r.otlpSpan)
					}
					return r.skip()
				})
			})
		}
		return r.skip()
	})
	for i := range r.spans[first:] {
		r.spans[first+i].Service = service
	}
	return err
}

func (r *reader) otlpSpan() error {
	var from otlpSpan
	if err := r.decode(&from); err != nil {
		return err
	}
	s := Span{Name: r.name(from.Name), Kind: Kind(from.Kind), Status: Status(from.Status.Code), Start: int64(from.Start), End: int64(from.End)}
	if err := s.identify(from.TraceID, from.SpanID, from.ParentSpanID); err != nil {
		return err
	}
	for i := range from.Attributes {
		r.keep(&s, from.Attributes[i].Key, from.Attributes[i].value())
	}
	return r.add(s)
}

// keep keeps an attribute that something is read off.
func (r *reader) keep(s *Span, key string, value any) {
	if !kept[key] || value == nil {
		return
	}
	if text, is := value.(string); is {
		value = r.name(text)
	}
	s.Attributes = append(s.Attributes, Attribute{r.name(key), value})
}

// identify reads the ids of a span.
func (s *Span) identify(trace, id, parent string) error {
	if !readID(s.Trace[:], trace) || s.Trace == (TraceID{}) {
		return fmt.Errorf("trace id %q: it is 32 hex digits and not all zero", clip(trace))
	}
	if !readID(s.ID[:], id) || s.ID == (SpanID{}) {
		return fmt.Errorf("span id %q: it is 16 hex digits and not all zero", clip(id))
	}
	if parent != "" && !readID(s.Parent[:], parent) {
		return fmt.Errorf("parent span id %q: it is 16 hex digits", clip(parent))
	}
	return nil
}

// readID reads an id in hex, whose leading zeros Jaeger leaves out, or in the base64 of
// plain protobuf JSON, which cannot be taken for it: it ends in =.
func readID(to []byte, text string) bool {
	if strings.HasSuffix(text, "=") {
		data, err := base64.StdEncoding.DecodeString(text)
		return err == nil && len(data) == len(to) && copy(to, data) == len(to)
	}
	if text == "" || len(text) > 2*len(to) {
		return false
	}
	text = strings.Repeat("0", 2*len(to)-len(text)) + text
	_, err := hex.Decode(to, []byte(text))
	return err == nil
}
