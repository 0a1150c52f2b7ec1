package main

import (
	"errors"
	"fmt"
	"io"

	"labctl/topology/live"
)

// Exit codes, as the README lists them.
const (
	exitOK          = 0
	exitFailed      = 1   // an expectation or a check failed
	exitUsage       = 2   // bad usage or input
	exitEnvironment = 3   // the machine refused: a port, descriptors, memory, a file
	exitInterrupted = 130 // what was measured so far was printed
)

// codedError is an error with an exit code. One without is bad usage, since that
// is what cobra's own errors are.
type codedError struct {
	code int
	err  error
}

func (e codedError) Error() string { return e.err.Error() }
func (e codedError) Unwrap() error { return e.err }

func failed(format string, args ...any) error {
	return codedError{exitFailed, fmt.Errorf(format, args...)}
}

func environment(err error) error { return codedError{exitEnvironment, err} }

// exitCode prints an error as one line and says how the process ends.
func exitCode(err error, w io.Writer) int {
	if err == nil {
		return exitOK
	}
	code := exitUsage
	var coded codedError
	switch {
	case errors.As(err, &coded):
		code = coded.code
	case errors.Is(err, live.ErrInterrupted):
		code = exitInterrupted
	}
	fmt.Fprintf(w, "labctl: %v\n", err)
	return code
}
