package subjects_test

import (
	"slices"
	"strings"
	"testing"

	"labctl/audit"
	"labctl/audit/subjects"
	"labctl/faultserver/program"
)

func truth(t *testing.T) []subjects.Cell {
	t.Helper()
	cells, err := subjects.Truth()
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func TestTruthCells(t *testing.T) {
	cells := truth(t)
	if len(cells) != 906 {
		t.Errorf("%d cells, want 906", len(cells))
	}
	for _, want := range []subjects.Cell{
		{Subject: "curl --retry 3", Version: "7.88.1", Fault: "503", Method: "GET", Hits: []int{4}},
		{Subject: "go net/http", Version: "go1.26.8", Fault: "reuse_rst", Method: "POST", Hits: []int{2}},
		{Subject: "wget --tries=3", Version: "1.21.3", Fault: "rst_accept", Method: "GET", Hits: []int{3}, Racy: true},
	} {
		if !slices.ContainsFunc(cells, func(c subjects.Cell) bool {
			return c.Subject == want.Subject && c.Version == want.Version && c.Fault == want.Fault && c.Method == want.Method &&
				slices.Equal(c.Hits, want.Hits) && c.Racy == want.Racy
		}) {
			t.Errorf("no cell %+v", want)
		}
	}
}

// Whoever asks for a cell finds its subject and its fault, and the other way round.
func TestTruthIsLinked(t *testing.T) {
	measured := map[string]bool{}
	for _, c := range truth(t) {
		measured[c.Subject] = true
		if _, ok := subjects.FaultOf(c.Fault); !ok && !c.Racy {
			t.Errorf("no fault for %q", c.Fault)
		}
	}
	for _, s := range subjects.All("build") {
		if s.Truth != "" && !measured[s.Truth] {
			t.Errorf("%s: nothing was measured of %q", s.Name, s.Truth)
		}
		delete(measured, s.Truth)
	}
	for name := range measured {
		if !strings.HasPrefix(name, "NESTED ") {
			t.Errorf("no subject for %q", name)
		}
	}
}

func TestFaultsAreReal(t *testing.T) {
	for _, f := range subjects.Faults() {
		if f.Program != "" {
			if _, err := program.Parse(f.Program); err != nil {
				t.Errorf("%s: %v", f.Truth, err)
			}
		}
		if _, ok := audit.FaultNamed(f.Audit); f.Audit != "" && !ok {
			t.Errorf("%s: the audit has no fault %q", f.Truth, f.Audit)
		}
	}
}
