package file_test

import (
	"flag"
	"os"
	"testing"

	_ "pgregory.net/rapid"

	"labctl/topology/file"
)

// TestMain makes properties try the same cases every time; make fuzz tries others.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// read wants the text to be a lab.
func read(t *testing.T, text string) file.Lab {
	t.Helper()
	lab, err := file.Read("checkout.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return lab
}

// said is what a lab says, without where.
func said(l file.Lab) file.Lab {
	out := file.Lab{Name: l.Name, Title: l.Title, Text: l.Text, Topology: l.Topology, Repeats: l.Repeats, Expect: bare(l.Expect)}
	for _, v := range l.Variants {
		v.Expect = bare(v.Expect)
		out.Variants = append(out.Variants, v)
	}
	return out
}

func bare(in []file.Expectation) (out []file.Expectation) {
	for _, e := range in {
		out = append(out, file.Expectation{Field: e.Field, Condition: e.Condition})
	}
	return out
}

// message is the text of an error, empty for none.
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}
