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
	// The first interrupt ends the run and prints what was measured so far; with
	// the handler gone, a second one kills.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are where a command reads and writes.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// run is the whole program but for the process: it returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	return exitCode(root.ExecuteContext(ctx), s.err)
}
