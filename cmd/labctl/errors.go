package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

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

// written is the error of printing to a stream: a full disk is no bad usage.
func written(err error) error {
	if err == nil {
		return nil
	}
	return environment(fmt.Errorf("cannot write: %w", unwrapPath(err)))
}

func isInterrupt(err error) bool { return errors.Is(err, live.ErrInterrupted) }

// unwrapPath drops the name from an error about a file: the user's name for it
// stands in the message already.
func unwrapPath(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}

// exitCode prints an error as one line and says how the process ends.
func exitCode(err error, w io.Writer) int {
	if err == nil {
		return exitOK
	}
	code := exitUsage
	var coded codedError
	switch {
	case isInterrupt(err):
		code = exitInterrupted
	case errors.As(err, &coded):
		code = coded.code
	}
	fmt.Fprintf(w, "labctl: %s\n", oneLine(err.Error()))
	return code
}

// oneLine keeps a message on its line and harmless on a terminal: it may quote
// what was typed, or what stands in a file.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
