package trace

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"labctl/report"
)

// The samples were made by hand: a shop in OTLP JSON, over two lines, whose gateway
// retries without saying so, whose checkout says so, and one of whose requests something
// in between sends twice; and a search in Jaeger JSON, with a hedge and a caller that
// left no spans.
func TestReports(t *testing.T) {
	for _, sample := range []string{"shop.otlp.jsonl", "search.jaeger.json"} {
		r := Analyze(readSample(t, sample))
		for ending, write := range map[string]func(*bytes.Buffer) error{
			".txt":  func(b *bytes.Buffer) error { return Table(b, r, report.Options{Width: 100}) },
			".md":   func(b *bytes.Buffer) error { return Markdown(b, r) },
			".json": func(b *bytes.Buffer) error { return report.WriteDocument(b, r) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			golden(t, sample+".report"+ending, b.Bytes())
		}
	}
}

func readSample(t testing.TB, name string) []Span {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	spans, err := Read(nil, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return spans
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s (-update rewrites it):\n%s", name, got)
	}
}

// A report depends on the spans and not on their order, nor on how often they are there.
func TestOrderDoesNotMatter(t *testing.T) {
	for _, sample := range []string{"shop.otlp.jsonl", "search.jaeger.json"} {
		spans := readSample(t, sample)
		want := Analyze(spans)
		rapid.Check(t, func(t *rapid.T) {
			if got := Analyze(rapid.Permutation(spans).Draw(t, "order")); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
		twice := Analyze(append(spans[:len(spans):len(spans)], spans...))
		if n := len(twice.Notes); twice.Notes[n-1] != (Note{"duplicates", int64(len(spans)), twice.Notes[n-1].Message}) || !reflect.DeepEqual(twice.Paths, want.Paths) {
			t.Errorf("twice: %+v", twice)
		}
	}
}

// What is written is read back as it was, packed or not.
func TestRoundTrip(t *testing.T) {
	want := readSample(t, "shop.otlp.jsonl")
	var plain, packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	for _, w := range []*Writer{NewWriter(&plain), NewWriter(zip)} {
		for _, s := range want {
			if err := w.Write(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	zip.Close()
	for _, b := range []*bytes.Buffer{&plain, &packed} {
		got, err := Read(nil, b)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, want %+v", err, got, want)
		}
	}
}
