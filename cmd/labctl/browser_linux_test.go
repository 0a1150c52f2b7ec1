package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The browser is given a file for the user alone, never the address itself, and the
// file goes when the page does.
func TestBrowserIsGivenAFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "seen")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	script := "#!/bin/sh\n{ echo \"$@\"; stat -c %a \"$1\"; cat \"$1\"; } > " + pipe + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	done := openBrowser("http://127.0.0.1:1/SECRET/")
	data, err := os.ReadFile(pipe) // until the script ends
	done()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(string(data), "\n", 3)
	if len(lines) != 3 || strings.Contains(lines[0], "SECRET") || lines[1] != "600" || !strings.Contains(lines[2], `url=http://127.0.0.1:1/SECRET/"`) {
		t.Errorf("the browser got %q", data)
	}
	if _, err := os.Stat(filepath.Dir(lines[0])); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", lines[0], err)
	}
}
