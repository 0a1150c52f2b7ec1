package subject

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolate gives the command a session, and with it a process group, of its own. It dies
// with the thread that starts it, lest a killed audit leave commands that hang: Run holds
// on to that thread.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// untilEnd returns when the command itself has ended. It is not reaped: as long as it
// keeps its number, no stranger can get that of the group or the session.
func untilEnd(cmd *exec.Cmd) {
	for unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// endAll ends what the command left: its group, and then those that left the group. Each
// round may find children that were born in the one before.
func endAll(cmd *exec.Cmd, mark string) {
	kill(cmd)
	ended := map[int]bool{}
	for again := true; again; {
		again = false
		for _, pid := range strays(cmd.Process.Pid, mark) {
			if !ended[pid] {
				again, ended[pid] = true, true
				unix.Kill(pid, unix.SIGKILL)
			}
		}
	}
}

// strays lists the living processes of a session, and those with a mark. Session 0 is
// nobody's: much that a machine lives on is in it.
func strays(session int, mark string) []int {
	if session <= 0 {
		return nil
	}
	folders, _ := filepath.Glob("/proc/[1-9]*")
	var found []int
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err == nil && (inSession(folder, session) || marked(folder, mark)) {
			found = append(found, pid)
		}
	}
	return found
}

// inSession reads /proc/PID/stat: behind the name, which may hold anything, come the
// state, the parent, the group and the session.
func inSession(folder string, session int) bool {
	stat, _ := os.ReadFile(folder + "/stat")
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 4 || bytes.ContainsAny(fields[0], "ZX") { // ended, and not reaped
		return false
	}
	return string(fields[3]) == strconv.Itoa(session)
}

// marked reads the environment that a process began with. That of a stranger's cannot
// be read, and is not marked.
func marked(folder, mark string) bool {
	environ, _ := os.ReadFile(folder + "/environ")
	return bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+mark+"\x00"))
}
