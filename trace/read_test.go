package trace

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

const oneSpan = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"x","kind":%}]}],"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]}}]}`

// Exporters differ in details; all of these are one client span of service a, or none.
func TestFormsOfAFile(t *testing.T) {
	plain := strings.Replace(oneSpan, "%", "3", 1)
	for what, tt := range map[string]struct {
		text string
		want int
	}{
		"kind as a number":         {plain, 1},
		"kind as a name":           {strings.Replace(oneSpan, "%", `"SPAN_KIND_CLIENT"`, 1), 1},
		"ids in base64":            {strings.NewReplacer("0af7651916cd43dd8448eb211c80319c", "CvdlGRbNQ92ESOshHIAxnA==", "b7ad6b7169203331", "t61rcWkgMzE=").Replace(plain), 1},
		"two lines":                {plain + "\n" + plain + "\n", 2},
		"a list of documents":      {"[" + plain + "," + plain + "]", 2},
		"wrapped by an API":        {`{"trace":` + plain + `}`, 1},
		"batches of a store":       {strings.Replace(plain, "resourceSpans", "batches", 1), 1},
		"what nobody asked for":    {strings.Replace(plain, `{"resourceSpans"`, `{"x":[[{"y":null}],1,"z"],"resourceSpans"`, 1), 1},
		"no spans in it":           {`{"resourceSpans":[]}`, 0},
		"lists that are null":      {`{"resourceSpans":[{"scopeSpans":null,"resource":null}]}`, 0},
		"no traces in Jaeger JSON": {`{"data":null}`, 0},
	} {
		spans, err := Read(nil, strings.NewReader(tt.text))
		if err != nil || len(spans) != tt.want {
			t.Errorf("%s: %d spans, want %d; %v", what, len(spans), tt.want, err)
			continue
		}
		for _, s := range spans {
			if s.Service != "a" || s.Kind != Client || s.Trace.String() != "0af7651916cd43dd8448eb211c80319c" || s.ID.String() != "b7ad6b7169203331" {
				t.Errorf("%s: %+v", what, s)
			}
		}
	}
}

// What cannot be read is refused in one clear line.
func TestBadFiles(t *testing.T) {
	plain := strings.Replace(oneSpan, "%", "3", 1)
	for _, tt := range []struct{ text, want string }{
		{"", "no spans in it: say OTLP JSON (with resourceSpans) or Jaeger JSON (with data)"},
		{`{"resourceMetrics":[]}`, "no spans in it: say OTLP JSON (with resourceSpans) or Jaeger JSON (with data)"},
		{"17", "near byte 2: this is no JSON object: say OTLP JSON or Jaeger JSON"},
		{plain[:150], "it ends in the middle of a document: it was cut, or is still being written"},
		{`{"resourceSpans":7}`, "near byte 18: 7 stands where a list belongs"},
		{`{"resourceSpans":["x"]}`, "near byte 21: x stands where an object belongs"},
		{strings.Replace(plain, "b7ad6b7169203331", "no", 1), `near byte 123: span id "no": it is 16 hex digits and not all zero`},
		{strings.Replace(plain, "0af7651916cd43dd8448eb211c80319c", strings.Repeat("0", 32), 1), `near byte 137: trace id "00000000000000000000000000000000": it is 32 hex digits and not all zero`},
		{strings.Replace(plain, `"kind":3`, `"startTimeUnixNano":"1e99"`, 1), `near byte 155: "1e99" is no integer of 64 bits`},
		{`{"data":[{"spans":[{"traceID":"1","spanID":"1","startTime":-1}]}]}`, `near byte 62: span "1" begins -1 µs after 1970 and lasts 0 µs: no clock says so`},
		{"\x1f\x8bnot gzip at all", "it looks packed but is not: gzip: invalid header"},
		{`{"x":` + strings.Repeat("[", 300), "near byte 206: it is nested more than 200 deep"},
		{`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"` + strings.Repeat("x", maxValue+1000), "near byte 43: one value has more than 4 MiB: no span is so long"},
	} {
		_, err := Read(nil, strings.NewReader(tt.text))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%.60s: got %v, want %s", tt.text, err, tt.want)
		}
	}
}

// endless is a hostile file: it goes on for as long as it is read.
type endless struct{ head, body string }

func (e *endless) Read(p []byte) (int, error) {
	if e.head != "" {
		n := copy(p, e.head)
		e.head = e.head[n:]
		return n, nil
	}
	return copy(p, e.body), nil
}

func TestEndlessFiles(t *testing.T) {
	for _, e := range []*endless{{`{"x":"`, "aaaa"}, {`{"x":[`, "["}, {`{"data":[{"processes":{"`, "p"}} {
		if _, err := Read(nil, e); err == nil || err == io.EOF {
			t.Errorf("%q and on: %v", e.body, err)
		}
	}
}

func TestTooManySpans(t *testing.T) {
	plain := strings.Replace(oneSpan, "%", "3", 1)
	_, err := Read(make([]Span, MaxSpans), strings.NewReader(plain))
	if err == nil || !strings.Contains(err.Error(), "more than 1000000 spans: take a shorter time, or a sample of whole traces") {
		t.Error(err)
	}
}

// Whatever a file holds: no panic, and a report that adds up.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"shop.otlp.jsonl", "search.jaeger.json"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(strings.Replace(oneSpan, "%", "3", 1)))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, data []byte) {
		spans, err := Read(nil, bytes.NewReader(data))
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("an error of several lines: %q", err)
		}
		r := Analyze(spans)
		var attempts, calls int64
		for _, l := range r.Layers {
			attempts += l.Attempts
			calls += l.Calls
		}
		if int(r.Spans) > len(spans) || calls > attempts || attempts > r.Spans {
			t.Errorf("%d calls, %d attempts, %d of %d spans", calls, attempts, r.Spans, len(spans))
		}
	})
}
