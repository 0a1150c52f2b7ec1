package faultserver_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tail is used from other modules without more than the standard library. The module is
// copied, because resolving it may write a go.sum.
func TestSecondModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds another module")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/secondmodule")); err != nil {
		t.Fatal(err)
	}
	module := ownModule(t)
	goCommand(t, dir, "mod", "edit", "-droprequire", "labctl", "-dropreplace", "labctl", "-require", module+"@v0.0.0", "-replace", module+"="+root)
	out := goCommand(t, dir, "test", "-v", "./...")
	for _, name := range []string{"TestGivesUpAfterThreeAttempts", "TestRecovers"} {
		if !strings.Contains(out, "--- PASS: "+name) {
			t.Errorf("%s did not pass:\n%s", name, out)
		}
	}
}

// The tail stands alone: no engine, no topology, no third party.
func TestImports(t *testing.T) {
	deps := goCommand(t, ".", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
	for path := range strings.FieldsSeq(deps) {
		switch strings.TrimPrefix(path, ownModule(t)+"/") {
		case "faultserver", "faultserver/program", "faultserver/idempotency", "internal/suggest":
		default:
			t.Errorf("depends on %s, which whoever imports the tail would have to take along", path)
		}
	}
	std := goCommand(t, ".", "list", "-deps", ".")
	for path := range strings.FieldsSeq(std) {
		if path == "testing" {
			t.Error("links package testing, whose flags would show up in programs")
		}
	}
}

// ownModule is the path of this module, which its publisher may change.
func ownModule(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(goCommand(t, ".", "list", "-m"))
}

// goCommand runs the go command without network and returns its output.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOSUMDB=off")
	if dir != "." {
		cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
