package imports_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labctl/topology/file"
	"labctl/topology/imports"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain makes properties try the same cases every time; make fuzz tries others.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// sample reads a file of testdata.
func sample(t *testing.T, format, name string) imports.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := imports.Read(format, name, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// build makes a lab, and reads its text again as labctl does.
func build(t *testing.T, chain string, files ...imports.File) (file.Lab, string) {
	t.Helper()
	var hosts []string
	if chain != "" {
		hosts = strings.Split(chain, ",")
	}
	lab, notes, err := imports.Build(files, hosts)
	if err != nil {
		t.Fatal(err)
	}
	text := imports.Write(lab, notes)
	back, err := file.Read("lab.yaml", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return back, string(text)
}

// message is what an error says, or nothing.
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
