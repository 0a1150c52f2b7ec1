package trace

import (
	"encoding/json"
	"io"
	"strconv"
)

// batch is how many spans a line of a file has, at most.
const batch = 5000

// Writer writes spans as OTLP JSON: a document per line, as the file exporters of
// collectors do, and one document as long as there are few. It keeps no more than a
// line in memory. It is not safe for concurrent use.
type Writer struct {
	Resource []Attribute // of every resource, beside its service.name
	Scope    string      // who recorded the spans

	to       *json.Encoder
	services []string // in the order of their first spans
	spans    map[string][]outSpan
	waiting  int
}

// NewWriter returns a writer without resource attributes and scope.
func NewWriter(w io.Writer) *Writer {
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	return &Writer{to: to, spans: map[string][]outSpan{}}
}

// The form of OTLP JSON, in the order in which people read it.
type (
	outDocument struct {
		Resources []outResource `json:"resourceSpans"`
	}
	outResource struct {
		Resource struct {
			Attributes []outAttr `json:"attributes"`
		} `json:"resource"`
		Scopes []outScope `json:"scopeSpans"`
	}
	outScope struct {
		Scope struct {
			Name string `json:"name,omitempty"`
		} `json:"scope"`
		Spans []outSpan `json:"spans"`
	}
	outSpan struct {
		TraceID    string    `json:"traceId"`
		SpanID     string    `json:"spanId"`
		Parent     string    `json:"parentSpanId,omitempty"`
		Name       string    `json:"name"`
		Kind       Kind      `json:"kind"`
		Start      string    `json:"startTimeUnixNano"`
		End        string    `json:"endTimeUnixNano"`
		Attributes []outAttr `json:"attributes,omitempty"`
		Status     struct {
			Code Status `json:"code,omitempty"`
		} `json:"status"`
	}
	outAttr struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// Write takes a span. It is in the file after [Writer.Flush] at the latest.
func (w *Writer) Write(s Span) error {
	out := outSpan{
		TraceID: s.Trace.String(), SpanID: s.ID.String(), Name: s.Name, Kind: s.Kind,
		Start: strconv.FormatInt(s.Start, 10), End: strconv.FormatInt(s.End, 10), Attributes: outAttrs(s.Attributes),
	}
	out.Status.Code = s.Status
	if s.Parent != (SpanID{}) {
		out.Parent = s.Parent.String()
	}
	if _, known := w.spans[s.Service]; !known {
		w.services = append(w.services, s.Service)
	}
	w.spans[s.Service] = append(w.spans[s.Service], out)
	if w.waiting++; w.waiting < batch {
		return nil
	}
	return w.Flush()
}

// Flush writes what waits as one line.
func (w *Writer) Flush() error {
	if w.waiting == 0 {
		return nil
	}
	var doc outDocument
	for _, name := range w.services {
		of := outResource{Scopes: []outScope{{Spans: w.spans[name]}}}
		of.Scopes[0].Scope.Name = w.Scope
		of.Resource.Attributes = outAttrs(append([]Attribute{{"service.name", name}}, w.Resource...))
		doc.Resources = append(doc.Resources, of)
	}
	w.services, w.waiting = nil, 0
	clear(w.spans)
	return w.to.Encode(doc)
}

func outAttrs(list []Attribute) []outAttr {
	var out []outAttr
	for _, a := range list {
		switch v := a.Value.(type) {
		case string:
			out = append(out, outAttr{a.Key, map[string]any{"stringValue": v}})
		case int64:
			out = append(out, outAttr{a.Key, map[string]any{"intValue": strconv.FormatInt(v, 10)}})
		case float64:
			out = append(out, outAttr{a.Key, map[string]any{"doubleValue": v}})
		case bool:
			out = append(out, outAttr{a.Key, map[string]any{"boolValue": v}})
		}
	}
	return out
}
