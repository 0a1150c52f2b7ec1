//go:build unix

package subject_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"labctl/audit/subject"
)

// The test binary is also the stranger that the tests run: with this variable it does
// what a role says.
const roleVariable = "SUBJECT_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		roles[role](os.Args[1:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

var roles = map[string]func(words []string){
	// hang calls in and never ends.
	"hang": func(words []string) { callIn(words[0]); forever() },
	// deaf does not even end when it is asked to.
	"deaf": func(words []string) {
		signal.Ignore(syscall.SIGTERM)
		callIn(words[0])
		forever()
	},
	// polite ends when it is asked to, and says so.
	"polite": func(words []string) {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		callIn(words[0])
		<-asked
		fmt.Println("good bye")
	},
	// silent closes its streams and goes on.
	"silent": func(words []string) {
		os.Stdout.Close()
		os.Stderr.Close()
		callIn(words[0])
		forever()
	},
	// leave ends when the other side does.
	"leave": func(words []string) { callIn(words[0]).Read(make([]byte, 1)) },
	// flood prints so many lines and a last one.
	"flood": func(words []string) {
		n, _ := strconv.Atoi(words[0])
		w := bufio.NewWriterSize(os.Stdout, 1<<20)
		for range n {
			fmt.Fprintln(w, strings.Repeat("x", 1023))
		}
		w.Flush()
		fmt.Fprintln(os.Stderr, "the end")
	},
	// read prints what is on its input.
	"read": func([]string) {
		all, err := io.ReadAll(os.Stdin)
		fmt.Printf("read %d bytes, error %v\n", len(all), err)
	},
	// getenv prints variables, one a line.
	"getenv": func(words []string) {
		for _, name := range words {
			value, ok := os.LookupEnv(name)
			fmt.Println(name, ok, value)
		}
	},
	// die ends by a signal.
	"die": func([]string) {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		forever()
	},
}

// forever ends with the process only. Waiting for a signal is no deadlock to the runtime.
func forever() {
	never := make(chan os.Signal, 1)
	signal.Notify(never, syscall.SIGUSR2)
	<-never
}

// callIn connects to a test, which then knows that the process has come this far. The
// connection lives as long as the process does.
func callIn(addr string) net.Conn {
	c, err := net.Dial("tcp4", addr)
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	return c
}

// acting is a command that is this binary in a role.
func acting(role string, words ...string) subject.Command {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return subject.Command{Args: append([]string{self}, words...), Env: []string{roleVariable + "=" + role, "GORACE=atexit_sleep_ms=0"}}
}

// patience bounds tests that fail.
const patience = 20 * time.Second

// A desk is where processes call in.
type desk struct {
	t *testing.T
	net.Listener
}

func newDesk(t *testing.T) desk {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return desk{t, l}
}

func (d desk) addr() string { return d.Addr().String() }

// await returns once a process has called in, with the line to it.
func (d desk) await() net.Conn {
	d.Listener.(*net.TCPListener).SetDeadline(time.Now().Add(patience))
	c, err := d.Accept()
	if err != nil {
		d.t.Error("nobody called in:", err)
		return nil
	}
	d.t.Cleanup(func() { c.Close() })
	return c
}

// gone fails the test when the process at the other end of the line is still alive.
func gone(t *testing.T, what string, line net.Conn) {
	t.Helper()
	if line == nil {
		return
	}
	line.SetReadDeadline(time.Now().Add(patience))
	if _, err := line.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
		t.Errorf("%s is still alive: %v", what, err)
	}
}

// equal is for values that say enough when printed.
func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
