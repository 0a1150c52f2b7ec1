//go:build unix

package subject

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// terminate asks the command's process group to end.
func terminate(cmd *exec.Cmd) { unix.Kill(-cmd.Process.Pid, unix.SIGTERM) }

// kill ends the command's process group.
func kill(cmd *exec.Cmd) { unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }

// signalName is the name of the signal that ended a process, or "".
func signalName(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}

// notAProgram tells that the system does not know the format of a file.
func notAProgram(err error) bool { return errors.Is(err, unix.ENOEXEC) }
