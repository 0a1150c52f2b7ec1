package file_test

import (
	"reflect"
	"strings"
	"testing"

	"labctl/topology/file"
)

// Whatever is in a file: no panic, one line for an error, and what is read can be
// written and read again, with its comments and without.
func FuzzRead(f *testing.F) {
	for _, text := range []string{everything, small, string(file.Example()), call("policies: [{retry: 3}]"),
		"version: 1\nload: {rate: {at: [0s, 1s]}}\nservices: {client: {calls: {a: {retry: {attempts: 3}}}}, a: {fault: 503}}\n",
		small + "# a comment\n\n  # another\n", small + "text: |2\n   x # no\n # yes\nrun: {bin: 'it''s'} # yes\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lab, err := file.Read("x.yaml", []byte(text))
		if err != nil {
			if msg := err.Error(); len(msg) > 3000 || strings.ContainsAny(msg, "\n\r") || !strings.HasPrefix(msg, "x.yaml:") {
				t.Errorf("an error that is not one line of a file: %q", msg)
			}
			return
		}
		out := file.Write(lab)
		again, err := file.Read("x.yaml", out)
		if err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		if !reflect.DeepEqual(said(again), said(lab)) {
			t.Errorf("\n got %+v\nwant %+v", said(again), said(lab))
		}
		once, err := file.Format("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := file.Format("x.yaml", once); err != nil || string(twice) != string(once) {
			t.Errorf("formatted again (%v):\n%s\nnot\n%s", err, twice, once)
		}
	})
}
