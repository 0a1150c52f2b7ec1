//go:build unix

package subject_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"labctl/audit/subject"
)

func TestRunToItsEnd(t *testing.T) {
	for _, tt := range []struct {
		name           string
		command        subject.Command
		code           int
		signal, output string
	}{
		{"says something", shell(`echo hello; echo world >&2`), 0, "", "hello | world"},
		{"fails", shell(`echo no >&2; exit 7`), 7, "", "no"},
		{"dies", acting("die"), -1, "SIGKILL", ""},
		{"dies in a shell", shell(`kill -SEGV $$`), -1, "SIGSEGV", ""},
		{"reads", acting("read"), 0, "", "read 0 bytes, error <nil>"},
		{"has no terminal", shell(`(cat </dev/tty) 2>/dev/null || echo none`), 0, "", "none"},
		{"is given values", shell(`echo $1 $2`, "{url}", "{x}-{method}"), 0, "", "http://t/ {x}-GET"},
		{"folder", subject.Command{Args: []string{"pwd"}, Dir: "/"}, 0, "", "/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := subject.Run(t.Context(), tt.command, map[string]string{"url": "http://t/", "method": "GET"}, subject.Limits{})
			if r.Err != nil || r.TimedOut || r.Stopped || r.Started.IsZero() || r.Elapsed <= 0 {
				t.Errorf("got %+v", r)
			}
			equal(t, "code", r.Code, tt.code)
			equal(t, "signal", r.Signal, tt.signal)
			equal(t, "output", r.Output, tt.output)
		})
	}
}

// shell is a line for sh, with words.
func shell(line string, words ...string) subject.Command {
	return subject.Command{Args: append([]string{"sh", "-c", line, "sh"}, words...)}
}

func TestTimeIsOver(t *testing.T) {
	r := subject.Run(t.Context(), shell(`echo started; sleep 1000; echo never`), nil, subject.Limits{Time: 300 * time.Millisecond})
	if !r.TimedOut || r.Stopped || r.Code != -1 || r.Signal != "" || r.Err != nil {
		t.Errorf("got %+v", r)
	}
}

// A command that hangs is ended when the context is, whatever it thinks of that.
func TestStopped(t *testing.T) {
	for _, tt := range []struct {
		role, output string
		grace        time.Duration
	}{
		{"hang", "", patience},
		{"polite", "good bye", patience},
		{"silent", "", patience},
		{"deaf", "", 20 * time.Millisecond},
	} {
		t.Run(tt.role, func(t *testing.T) {
			d := newDesk(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := start(ctx, acting(tt.role, "{url}"), d, subject.Limits{Grace: tt.grace})
			line := d.await()
			cancel()
			r := <-ended
			if !r.Stopped || r.TimedOut || r.Code != -1 || r.Signal != "" || r.Err != nil {
				t.Errorf("got %+v", r)
			}
			equal(t, "output", r.Output, tt.output)
			gone(t, tt.role, line)
		})
	}
}

// start runs a command that is told where to call in.
func start(ctx context.Context, c subject.Command, d desk, l subject.Limits) <-chan subject.Result {
	ended := make(chan subject.Result, 1)
	go func() { ended <- subject.Run(ctx, c, map[string]string{"url": d.addr()}, l) }()
	return ended
}

func TestContextEndedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := subject.Run(ctx, shell("exit 3"), nil, subject.Limits{}); !r.Stopped || r.Code != -1 || !r.Started.IsZero() {
		t.Errorf("got %+v", r)
	}
}

// What a command leaves behind is ended with it, however it left. In the lines $0 is a
// program that calls in at $1 and then hangs, and the command itself ends when the test
// closes its own call: nothing is left to chance.
func TestChildrenAreEnded(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		linux      bool // ended there only
	}{
		{"in the background", `"$0" "$1" &`, false},
		{"with its streams elsewhere", `"$0" "$1" >/dev/null 2>&1 &`, false},
		{"deaf", `trap '' TERM; "$0" "$1" &`, false},
		{"in a group of its own", `timeout 1000 "$0" "$1" &`, true},
		{"in a group of its own and without the mark", `env -u ` + subject.MarkVariable + ` timeout 1000 "$0" "$1" &`, true},
		{"in a session of its own", `setsid "$0" "$1" &`, true},
		{"a grandchild", `( ( setsid "$0" "$1" & ) & );`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.linux && runtime.GOOS != "linux" {
				t.Skip("who left the group is found on Linux only")
			}
			child, parent := newDesk(t), newDesk(t)
			hang := acting("hang", child.addr(), parent.addr())
			line := tt.line + ` ` + roleVariable + `=leave "$0" "$2"; exit 5`
			c := subject.Command{Args: append([]string{"sh", "-c", line}, hang.Args...), Env: hang.Env}
			ended := start(t.Context(), c, parent, subject.Limits{})
			left := child.await()
			if call := parent.await(); call != nil {
				call.Close()
			}
			r := <-ended
			if r.Code != 5 || r.Err != nil || r.TimedOut || r.Stopped {
				t.Errorf("got %+v", r)
			}
			gone(t, "the child", left)
		})
	}
}

// Who has left the session and wears no mark is out of reach, and Run does not wait for it,
// though it has the streams. What cannot be ended here, the test ends.
func TestOneGetsAway(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid here")
	}
	child, parent := newDesk(t), newDesk(t)
	hang := acting("leave", child.addr(), parent.addr())
	line := `env -u ` + subject.MarkVariable + ` setsid "$0" "$1" & ` + roleVariable + `=leave "$0" "$2"`
	ended := start(t.Context(), subject.Command{Args: append([]string{"sh", "-c", line}, hang.Args...), Env: hang.Env}, parent, subject.Limits{})
	left := child.await()
	if call := parent.await(); call != nil {
		call.Close()
	}
	if r := <-ended; r.Code != 0 || r.Err != nil {
		t.Errorf("got %+v", r)
	}
	if left != nil {
		left.Close() // which ends it
	}
}

func TestOutputIsBounded(t *testing.T) {
	r := subject.Run(t.Context(), acting("flood", "65536"), nil, subject.Limits{Output: 100}) // 64 MiB
	equal(t, "code", r.Code, 0)
	equal(t, "output", r.Output, strings.Repeat("x", 100-len("\nthe end\n"))+" | the end")
}

func TestEnvironment(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://192.0.2.1/")
	t.Setenv("https_proxy", "http://192.0.2.1/")
	t.Setenv("no_proxy", "example.org")
	t.Setenv("SUBJECT_TEST_OWN", "kept")
	c := acting("getenv", "HTTP_PROXY", "https_proxy", "no_proxy", "SUBJECT_TEST_OWN", "ALL_PROXY")
	c.Env = append(c.Env, "ALL_PROXY=asked for")
	r := subject.Run(t.Context(), c, nil, subject.Limits{})
	equal(t, "output", r.Output, "HTTP_PROXY false | https_proxy false | no_proxy false | SUBJECT_TEST_OWN true kept | ALL_PROXY true asked for")
}

// Trials run side by side, and none may end another's processes.
func TestSideBySide(t *testing.T) {
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			r := subject.Run(t.Context(), shell(`sh -c "exit $1"`, "{body}"), map[string]string{"body": strconv.Itoa(i)}, subject.Limits{})
			if r.Code != i || r.Signal != "" {
				t.Errorf("run %d: got %+v", i, r)
			}
		})
	}
	all.Wait()
}

func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct {
		command subject.Command
		is      error
		want    string
	}{
		{subject.Command{Args: []string{"no-such-program"}}, exec.ErrNotFound, "cannot start 'no-such-program': no such program in PATH: install it, or write its path"},
		{subject.Command{Args: []string{dir + "/none"}}, fs.ErrNotExist, "cannot start '" + dir + "/none': there is no such file"},
		{subject.Command{Args: []string{write("plain", "text", 0o600)}}, fs.ErrPermission, "it is not executable: chmod +x it"},
		{subject.Command{Args: []string{write("noise", "text", 0o700)}}, nil, "it is no program of this machine; a script needs a first line such as #!/bin/sh"},
		{subject.Command{Args: []string{write("script", "#!/no/such\n", 0o700)}}, fs.ErrNotExist, "or no such interpreter as its first line names"},
		{subject.Command{Args: []string{"sh"}, Dir: dir + "/none"}, fs.ErrNotExist, "cannot start 'sh' in '" + dir + "/none': no such folder"},
	} {
		r := subject.Run(t.Context(), tt.command, nil, subject.Limits{})
		if r.Err == nil || !strings.Contains(r.Err.Error(), tt.want) || r.Code != -1 || strings.Contains(r.Err.Error(), "\n") {
			t.Errorf("%q: got %+v, want %q", tt.command.Args, r, tt.want)
		}
		if tt.is != nil && !errors.Is(r.Err, tt.is) {
			t.Errorf("%q: %v is no %v", tt.command.Args, r.Err, tt.is)
		}
	}
}
