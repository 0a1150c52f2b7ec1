//go:build unix && !linux

package subject

import (
	"os/exec"
	"syscall"
)

// isolate gives the command a session, and with it a process group, of its own.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// untilEnd returns when the command itself has ended.
func untilEnd(cmd *exec.Cmd) { cmd.Wait() }

// endAll ends what the command left in its group. Here nobody can say what left it.
func endAll(cmd *exec.Cmd, _ string) { kill(cmd) }
