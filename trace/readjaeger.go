package trace

import (
	"fmt"
	"math"
)

// jaegerSpan is a span as Jaeger's query API and its UI write it, as far as it is read.
type jaegerSpan struct {
	TraceID      string `json:"traceID"`
	SpanID       string `json:"spanID"`
	ParentSpanID string `json:"parentSpanID"` // of old versions
	Name         string `json:"operationName"`
	References   []struct {
		Type    string `json:"refType"`
		TraceID string `json:"traceID"`
		SpanID  string `json:"spanID"`
	} `json:"references"`
	Start     number `json:"startTime"` // microseconds
	Duration  number `json:"duration"`
	ProcessID string `json:"processID"`
	Process   struct {
		Service string `json:"serviceName"`
	} `json:"process"`
	Tags []struct {
		Key   string `json:"key"`
		Value any    `json:"value"`
	} `json:"tags"`
}

var jaegerKinds = map[string]Kind{"internal": Internal, "server": Server, "client": Client, "producer": Producer, "consumer": Consumer}

// jaegerTrace reads one trace. Its spans name processes that mostly come after them.
func (r *reader) jaegerTrace() error {
	first := len(r.spans)
	processes := map[string]struct {
		Service string `json:"serviceName"`
	}{}
	err := r.object(func(key string) error {
		switch key {
		case "spans":
			return r.list(r.jaegerSpan)
		case "processes":
			return r.decode(&processes)
		}
		return r.skip()
	})
	for i := range r.spans[first:] {
		s := &r.spans[first+i]
		if p, is := processes[s.Service]; is {
			s.Service = r.name(p.Service)
		}
	}
	return err
}

func (r *reader) jaegerSpan() error {
	var from jaegerSpan
	if err := r.decode(&from); err != nil {
		return err
	}
	s := Span{Name: r.name(from.Name), Service: r.name(from.ProcessID)}
	if from.Process.Service != "" {
		s.Service = r.name(from.Process.Service)
	}
	const most = math.MaxInt64 / 1000 / 2
	if from.Start < 0 || from.Duration < 0 || from.Start > most || from.Duration > most {
		return fmt.Errorf("span %q begins %d µs after 1970 and lasts %d µs: no clock says so", clip(from.SpanID), from.Start, from.Duration)
	}
	s.Start = int64(from.Start) * 1000
	s.End = s.Start + int64(from.Duration)*1000
	parent := from.ParentSpanID
	for _, ref := range from.References {
		if ref.Type == "CHILD_OF" && ref.TraceID == from.TraceID {
			parent = ref.SpanID
			break
		}
	}
	if err := s.identify(from.TraceID, from.SpanID, parent); err != nil {
		return err
	}
	for _, tag := range from.Tags {
		r.tag(&s, tag.Key, tag.Value)
	}
	return r.add(s)
}

// tag reads a tag: Jaeger has no fields for kind and status.
func (r *reader) tag(s *Span, key string, value any) {
	text, _ := value.(string)
	switch key {
	case "span.kind":
		s.Kind = jaegerKinds[text]
	case "error":
		if value == true || text == "true" {
			s.Status = Error
		}
	case "otel.status_code":
		switch text {
		case "ERROR":
			s.Status = Error
		case "OK":
			s.Status = OK
		}
	}
	if f, is := value.(float64); is && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		value = int64(f)
	}
	switch value.(type) {
	case string, int64, float64, bool:
		r.keep(s, key, value)
	}
}
