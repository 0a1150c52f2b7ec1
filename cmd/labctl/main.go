// Command labctl is a lab bench for retries: it builds chains of services whose
// layers each retry, counts what arrives at the failing tail, and keeps the
// answer true in CI. See the README, or labctl help.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	s := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	if isTerminal(os.Stderr) && os.Getenv("TERM") != "dumb" {
		s.progress = os.Stderr
	}
	os.Exit(run(interruptible(context.Background()), os.Args[1:], s))
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out      io.Writer
	err      io.Writer
	progress io.Writer // a line that is written over and over; nil: none
}

// run is the whole program but for the process: it returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	return exitCode(root.ExecuteContext(ctx), s.err)
}

// interruptible returns a context that the first interrupt ends, so that the
// run stops and prints what was measured so far. The signals have their usual
// effect again before the context ends: a second one kills, however soon it
// comes.
func interruptible(parent context.Context) context.Context {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals)
		cancel()
	}()
	return ctx
}
