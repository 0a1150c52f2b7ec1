package trace

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits of what is read. A span with its attributes takes about a kilobyte in a file
// and half of that here.
const (
	MaxSpans = 1_000_000 // of all files together

	maxBytes = 4 << 30 // of one file, unpacked
	maxValue = 4 << 20 // of one span, or of anything else that is read as a whole
	maxDepth = 200     // of what is passed over
	maxText  = 256     // of a name or a value
)

// Read appends the spans of a file. It may hold one document or one per line, in OTLP
// JSON as collectors write it or in Jaeger's JSON, and may be packed with gzip.
func Read(to []Span, from io.Reader) ([]Span, error) {
	in := bufio.NewReader(from)
	if head, _ := in.Peek(2); string(head) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return to, fmt.Errorf("it looks packed but is not: %w", err)
		}
		in = bufio.NewReader(unpacked)
	}
	f := &fence{from: in, left: maxBytes, value: maxValue}
	r := &reader{dec: json.NewDecoder(f), fence: f, spans: to, names: map[string]string{}}
	err := r.documents()
	switch {
	case err == nil && !r.known:
		err = errors.New("no spans in it: say OTLP JSON (with resourceSpans) or Jaeger JSON (with data)")
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		err = errors.New("it ends in the middle of a document: it was cut, or is still being written")
	case err != nil:
		err = fmt.Errorf("near byte %d: %w", r.dec.InputOffset(), err)
	}
	return r.spans, err
}

// fence lets so much through and no more: JSON values are decoded as a whole, and a
// stranger's may be as long as the disk.
type fence struct {
	from        io.Reader
	left, value int64 // of the file, and of the value that is being read
}

func (f *fence) Read(p []byte) (int, error) {
	if f.left <= 0 {
		return 0, fmt.Errorf("it has more than %d GiB: split it", int64(maxBytes>>30))
	}
	if f.value <= 0 {
		return 0, fmt.Errorf("one value has more than %d MiB: no span is so long", maxValue>>20)
	}
	n, err := f.from.Read(p[:min(int64(len(p)), f.left, f.value)])
	f.left -= int64(n)
	f.value -= int64(n)
	return n, err
}

// reader walks down a document. Only single spans are ever in memory as JSON.
type reader struct {
	dec   *json.Decoder
	fence *fence
	spans []Span
	names map[string]string // each name once
	known bool              // something looked like a trace
}

func (r *reader) token() (json.Token, error) {
	r.fence.value = maxValue
	return r.dec.Token()
}

func (r *reader) decode(to any) error {
	r.fence.value = maxValue
	return r.dec.Decode(to)
}

func (r *reader) documents() error {
	for {
		t, err := r.token()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case t == json.Delim('['): // several documents in one list
			err = r.elements(func() error { return r.object(r.document) })
		case t == json.Delim('{'):
			err = r.fields(r.document)
		default:
			err = errors.New("this is no JSON object: say OTLP JSON or Jaeger JSON")
		}
		if err != nil {
			return err
		}
	}
}

// document reads a field of a document: where lists of spans begin.
func (r *reader) document(key string) error {
	switch key {
	case "resourceSpans", "batches":
		r.known = true
		return r.list(func() error { return r.resource() })
	case "data":
		r.known = true
		return r.list(func() error { return r.jaegerTrace() })
	case "trace", "result": // as the query APIs of some stores wrap it
		return r.object(func(key string) error {
			if key == "trace" || key == "result" {
				return r.skip()
			}
			return r.document(key)
		})
	}
	return r.skip()
}

// object reads a value that has to be an object, field by field.
func (r *reader) object(field func(key string) error) error {
	t, err := r.token()
	switch {
	case err != nil:
		return err
	case t == nil:
		return nil
	case t != json.Delim('{'):
		return fmt.Errorf("%s stands where an object belongs", shown(t))
	}
	return r.fields(field)
}

func (r *reader) fields(field func(key string) error) error {
	for r.dec.More() {
		key, err := r.token()
		if err != nil {
			return err
		}
		if err := field(key.(string)); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// list reads a value that has to be a list, element by element.
func (r *reader) list(element func() error) error {
	t, err := r.token()
	switch {
	case err != nil:
		return err
	case t == nil:
		return nil
	case t != json.Delim('['):
		return fmt.Errorf("%s stands where a list belongs", shown(t))
	}
	return r.elements(element)
}

func (r *reader) elements(element func() error) error {
	for r.dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// skip passes over a value without keeping it.
func (r *reader) skip() error {
	for depth := 0; ; {
		t, err := r.token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > maxDepth {
				return fmt.Errorf("it is nested more than %d deep", maxDepth)
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// add keeps a span.
func (r *reader) add(s Span) error {
	if len(r.spans) >= MaxSpans {
		return fmt.Errorf("more than %d spans: take a shorter time, or a sample of whole traces", MaxSpans)
	}
	r.spans = append(r.spans, s)
	return nil
}

// name is a text of which there are few, clipped and kept once.
func (r *reader) name(text string) string {
	text = clip(text)
	if known, is := r.names[text]; is {
		return known
	}
	const most = 10_000 // then they are no names
	if text = strings.Clone(text); len(r.names) < most {
		r.names[text] = text
	}
	return text
}

func clip(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}

func shown(t json.Token) string { return clip(fmt.Sprint(t)) }
