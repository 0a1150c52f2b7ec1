package subject

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// versionTime bounds each question of Version: some runtimes take a second to start.
const versionTime = 3 * time.Second

// shells answer for themselves and not for the line that they run.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "env", "timeout", "nice", "sudo", "xargs"}

// number is a version in a line such as "curl 7.88.1 (x86_64-pc-linux-gnu)".
var number = regexp.MustCompile(`\d+(\.\d+)+[-+~.\w]*`)

// Version asks the program of a command which version it is, and returns the number in
// the first line of its answer, or "".
//
// It asks only installed programs: a plain name that is found in PATH and is neither a
// shell (or another program that runs one more) nor a script. Somebody's own build or
// script may take --version for a word like any other and set to work.
func Version(ctx context.Context, args []string) string {
	if len(args) == 0 || !installed(args[0]) {
		return ""
	}
	for _, question := range []string{"--version", "-V", "version"} {
		r := Run(ctx, Command{Args: []string{args[0], question}}, nil, Limits{Time: versionTime, Output: 64 << 10})
		if r.Code == 0 {
			first, _, _ := strings.Cut(r.Output, " | ")
			if n := number.FindString(first); n != "" {
				return n
			}
		}
	}
	return ""
}

func installed(name string) bool {
	if strings.ContainsAny(name, `/\{`) || slices.Contains(shells, strings.TrimSuffix(name, ".exe")) {
		return false
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return false
	}
	return !isScript(path)
}

// isScript tells whether a file begins as scripts do.
func isScript(path string) bool {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 2)
	_, err = io.ReadFull(f, start)
	return err == nil && bytes.Equal(start, []byte("#!"))
}
