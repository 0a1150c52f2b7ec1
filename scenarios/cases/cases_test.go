package cases_test

import (
	"io/fs"
	"strings"
	"testing"

	"labctl/scenarios"
	"labctl/scenarios/cases"
	"labctl/topology/file"
)

// verdicts runs a file in virtual time. What does not hold comes with its line.
func verdicts(t *testing.T, name string, data []byte) (failed []string, all int) {
	t.Helper()
	lab, err := file.Read(name, data)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.FromFile(name, lab)
	if err != nil {
		t.Fatal(err)
	}
	p, err := scenarios.NewPlan(s, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Repeat(t.Context(), max(lab.Repeats, 1), scenarios.Sim(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Expectations {
		if !v.Pass {
			failed = append(failed, v.Message())
		}
	}
	return failed, len(r.Expectations)
}

// Every expectation of every case holds.
func TestCases(t *testing.T) {
	names, err := fs.Glob(cases.Files, "*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
			t.Parallel()
			data, err := cases.Files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			failed, all := verdicts(t, name, data)
			for _, why := range failed {
				t.Error(why)
			}
			if all == 0 {
				t.Error("it expects nothing")
			}
		})
	}
}

// A number that is off fails, or the test above would show nothing: 1 × 3 × 3 is
// not 8, nor is a variant right whose base is.
func TestWrongNumbersFail(t *testing.T) {
	data, err := cases.Files.ReadFile("a01-mesh-multiplies.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for right, wrong := range map[string]string{"hits: 9,": "hits: 8,", "hits: 27,": "hits: 9,"} {
		changed := strings.Replace(string(data), right, wrong, 1)
		failed, _ := verdicts(t, "changed.yaml", []byte(changed))
		if changed == string(data) || len(failed) != 1 || !strings.Contains(failed[0], "instead of") {
			t.Errorf("%s for %s: failed %q", wrong, right, failed)
		}
	}
}
