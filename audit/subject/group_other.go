//go:build !unix

package subject

import (
	"os"
	"os/exec"
)

// Here a command is ended by itself: there is no process group to end with it.

func isolate(*exec.Cmd) {}

func untilEnd(cmd *exec.Cmd) { cmd.Wait() }

// terminate does nothing: there is no way to ask.
func terminate(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { cmd.Process.Kill() }

func endAll(*exec.Cmd, string) {}

func signalName(*os.ProcessState) string { return "" }

func notAProgram(error) bool { return false }
