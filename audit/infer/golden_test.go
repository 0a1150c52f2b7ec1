package infer_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"labctl/audit"
	"labctl/audit/infer"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestSubjects: policy and findings of clients as they were seen.
func TestSubjects(t *testing.T) {
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			v := infer.Infer(s.trials, measured)
			got, err := json.MarshalIndent(struct {
				Subject  string          `json:"subject"`
				Policy   audit.Policy    `json:"policy"`
				Findings []audit.Finding `json:"findings"`
			}{s.sentence, v.Policy, v.Findings}, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, s.name+".json", append(got, '\n'))
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; if that is meant, run go test ./audit/infer -update\ngot:\n%s", path, got)
	}
}
