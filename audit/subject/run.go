package subject

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Run runs the command with the values in place of its placeholders, and returns when
// it has ended, by itself or by its limits, and what it started was ended. See the package
// for what it finds, and for what is out of reach on which system.
func Run(ctx context.Context, c Command, values map[string]string, l Limits) Result {
	l = l.orDefaults()
	if ctx.Err() != nil {
		return Result{Code: -1, Stopped: true}
	}
	runtime.LockOSThread() // see isolate: the death of the thread that starts it is the command's
	defer runtime.UnlockOSThread()

	mark := newMark()
	cmd := command(c, values, mark)
	isolate(cmd)
	output, err := capture(cmd, l.Output)
	if err != nil {
		return Result{Code: -1, Err: err}
	}
	started := time.Now()
	if err := cmd.Start(); err != nil {
		output.end()
		return Result{Code: -1, Err: cannotStart(cmd, err)}
	}
	output.begin()
	r := Result{Started: started}
	watch(ctx, cmd, l, &r)
	endAll(cmd, mark)
	cmd.Wait() // its error is the state of the process
	r.Output = output.end()
	r.Code, r.Signal = verdict(cmd.ProcessState, r)
	return r
}

// command is the process to be, with nothing on its input.
func command(c Command, values map[string]string, mark string) *exec.Cmd {
	words := c.With(values)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = environment(os.Environ(), append(c.Env[:len(c.Env):len(c.Env)], mark))
	return cmd
}

// watch returns when the process has ended, and sees to it that it does.
func watch(ctx context.Context, cmd *exec.Cmd, l Limits, r *Result) {
	ended := make(chan time.Time, 1)
	go func() {
		untilEnd(cmd)
		ended <- time.Now()
	}()
	end := func(at time.Time) { r.Elapsed = at.Sub(r.Started) }

	var over <-chan time.Time
	if l.Time > 0 {
		timer := time.NewTimer(l.Time)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case at := <-ended:
		end(at)
		return
	case <-over:
		r.TimedOut = true
	case <-ctx.Done():
		r.Stopped = true
	}
	select {
	case at := <-ended: // in the same instant: it ended by itself
		r.TimedOut, r.Stopped = false, false
		end(at)
		return
	default:
	}
	terminate(cmd)
	grace := time.NewTimer(l.Grace)
	defer grace.Stop()
	select {
	case at := <-ended:
		end(at)
	case <-grace.C:
		kill(cmd)
		end(<-ended)
	}
}

// verdict is the exit code and the signal, where they are the command's own.
func verdict(state *os.ProcessState, r Result) (code int, signal string) {
	if r.TimedOut || r.Stopped || state == nil {
		return -1, ""
	}
	return state.ExitCode(), signalName(state)
}
