//go:build unix

package subject_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"labctl/audit/subject"
)

// Only programs that are installed are asked: a script could take the question for work.
func TestVersion(t *testing.T) {
	dir := t.TempDir()
	worked := filepath.Join(dir, "worked")
	if err := os.WriteFile(filepath.Join(dir, "worker"), []byte("#!/bin/sh\ntouch "+worked+"\necho 1.2.3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, args := range [][]string{nil, {"worker"}, {dir + "/worker"}, {"sh", "-c", "worker"}, {"no-such-program"}, {"{url}"}} {
		if got := subject.Version(t.Context(), args); got != "" {
			t.Errorf("%q: got %q", args, got)
		}
	}
	if _, err := os.Stat(worked); err == nil {
		t.Error("the script was run")
	}
}

func TestVersionOfCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("no curl here")
	}
	if text, _ := os.ReadFile(curl); len(text) < 2 || string(text[:2]) == "#!" {
		t.Skip("curl is a script here")
	}
	if got := subject.Version(t.Context(), []string{"curl", "-s", "{url}"}); len(got) < 3 || got[1] != '.' {
		t.Errorf("got %q, want a number such as 8.5.0", got)
	}
}
