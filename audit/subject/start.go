package subject

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// cannotStart is one line that says why the system would not start the command, with
// the cure. The cause stays in reach of errors.Is.
func cannotStart(cmd *exec.Cmd, err error) error {
	name := quoted(cmd.Args[0])
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return because(err, "cannot start %s: no such program in PATH: install it, or write its path", name)
	case errors.Is(err, exec.ErrDot):
		return because(err, "cannot start %s: it is only in the current folder: write .%c%s", name, filepath.Separator, cmd.Args[0])
	case cmd.Dir != "" && !isFolder(cmd.Dir):
		return because(err, "cannot start %s in %s: no such folder", name, quoted(cmd.Dir))
	case errors.Is(err, fs.ErrNotExist):
		return because(err, "cannot start %s: there is no such file, or no such interpreter as its first line names", name)
	case errors.Is(err, fs.ErrPermission):
		return because(err, "cannot start %s: it is not executable: chmod +x it, or write its interpreter in front", name)
	case notAProgram(err):
		return because(err, "cannot start %s: it is no program of this machine; a script needs a first line such as #!/bin/sh", name)
	}
	return because(err, "cannot start %s: %v", name, cause(err))
}

// A startError has a message of its own and keeps the system's.
type startError struct {
	text  string
	cause error
}

func (e *startError) Error() string { return e.text }
func (e *startError) Unwrap() error { return e.cause }

func because(err error, format string, args ...any) error {
	return &startError{text: fmt.Sprintf(format, args...), cause: err}
}

// cause leaves out the names of calls that a user never made.
func cause(err error) error {
	for {
		var path *fs.PathError
		var lookup *exec.Error
		switch {
		case errors.As(err, &path):
			err = path.Err
		case errors.As(err, &lookup):
			err = lookup.Err
		default:
			return errors.New(strings.TrimPrefix(err.Error(), "exec: "))
		}
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
