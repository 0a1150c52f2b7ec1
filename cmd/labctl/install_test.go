package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// makefile runs a target in the checkout, with a binary that is none of it.
func makefile(t *testing.T, dest string, target ...string) {
	t.Helper()
	args := append([]string{"--no-print-directory", "-C", checkout, "DESTDIR=" + dest, "PREFIX=/opt", "BINARY=" + filepath.Join(t.TempDir(), "labctl")}, target...)
	if out, err := exec.Command("make", args...).CombinedOutput(); err != nil {
		t.Fatalf("make %v: %v\n%s", target, err, out)
	}
}

// installed lists the files below a folder.
func installed(t *testing.T, dest string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dest, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, strings.TrimPrefix(path, dest))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestInstall(t *testing.T) {
	if underRace || testing.Short() || runtime.GOOS == "windows" {
		t.Skip("builds the program: make test does it")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}
	dest := t.TempDir()
	makefile(t, dest, "install")
	found := strings.Join(installed(t, dest), "\n") + "\n"
	for _, want := range []string{
		"/opt/bin/labctl", "/opt/share/man/man1/labctl.1", "/opt/share/man/man1/labctl-run.1",
		"/opt/share/bash-completion/completions/labctl", "/opt/share/zsh/site-functions/_labctl",
		"/opt/share/fish/vendor_completions.d/labctl.fish",
	} {
		if !strings.Contains(found, want+"\n") {
			t.Errorf("%s is not there: %s", want, found)
		}
	}
	makefile(t, dest, "uninstall")
	if left := installed(t, dest); len(left) > 0 {
		t.Errorf("make uninstall leaves %v", left)
	}
}

// groff says what is wrong with a page, where there is groff.
func TestManPagesAreWellFormed(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("there is no groff")
	}
	root := newRoot(streams{})
	for _, c := range append(subcommands(root), root) {
		cmd := exec.Command("groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z")
		cmd.Stdin = strings.NewReader(manPage(c))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", manName(c), err, out)
		}
	}
}

// What begins a line with a dot, a quote or a backslash is text and no request.
func TestRoff(t *testing.T) {
	if got, want := roff(".x\n'y\n a\\b --c"), "\\&.x\n\\&'y\n a\\eb \\-\\-c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
