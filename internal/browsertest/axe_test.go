package browsertest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// accessible has axe-core look for what keeps people out, and fails the test for each
// serious or critical fault.
func (tb *tab) accessible(what string) {
	tb.t.Helper()
	axe, err := os.ReadFile(filepath.Join(build, "axe.min.js"))
	if errors.Is(err, fs.ErrNotExist) {
		tb.t.Logf("%s: not looked at for accessibility, there is no axe-core: make browser-deps fetches it", what)
		return
	}
	if err != nil {
		tb.t.Fatal(err)
	}
	type faults struct {
		Passes     int
		Violations []struct{ ID, Impact, Help, First string }
	}
	found := eval[faults](tb, string(axe)+`;axe.run(document, { resultTypes: ["violations"] }).then((r) => ({ passes: r.passes.length, violations: r.violations.map((v) =>
		({ id: v.id, impact: v.impact, help: v.help, first: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + " " + n.failureSummary).join("\n") })) }))`)
	if found.Passes == 0 {
		tb.t.Errorf("%s: axe-core looked at nothing", what)
	}
	for _, v := range found.Violations {
		if v.Impact == "serious" || v.Impact == "critical" {
			tb.t.Errorf("%s: %s: %s (%s)\n%s", what, v.Impact, v.Help, v.ID, v.First)
		} else {
			tb.t.Logf("%s: %s: %s (%s)\n%s", what, v.Impact, v.Help, v.ID, v.First)
		}
	}
}
