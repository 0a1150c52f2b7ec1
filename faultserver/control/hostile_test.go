package control

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"labctl/faultserver/program"
)

// pipes is a network inside the process, whose waiting a bubble understands.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (n *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-n.accepted:
		return conn, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *pipes) Close() error {
	select {
	case <-n.closed:
	default:
		close(n.closed)
	}
	return nil
}

func (n *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (n *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	n.accepted <- server
	return client, nil
}

// bubble runs f with a server and its network, in a bubble.
func bubble(t *testing.T, c Config, f func(*testing.T, *Server, *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := newPipes()
		s := newHandler(t, c).Serve(n, nil)
		defer s.Close()
		f(t, s, n)
	})
}

// talk opens a connection, says something and reads until its end, and returns how long
// that took.
func talk(t *testing.T, n *pipes, say string) (answer string, took time.Duration) {
	t.Helper()
	start := time.Now()
	conn, _ := n.dial(t.Context(), "", "")
	defer conn.Close()
	go io.WriteString(conn, say)
	all, _ := io.ReadAll(conn)
	return string(all), time.Since(start)
}

// Who says nothing, or not all, is let go after a time.
func TestSlowClients(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nHost: tail\r\nContent-Length: 10\r\n"
	for what, tt := range map[string]struct {
		say    string
		hits   int
		answer string
		took   time.Duration
	}{
		"silence":       {"", 0, "", headTimeout},
		"half a head":   {head, 0, "", headTimeout},
		"half a body":   {head + "\r\nhalf", 1, "HTTP/1.1 503 ", bodyTimeout},
		"nothing after": {"GET / HTTP/1.1\r\nHost: tail\r\n\r\n", 1, "HTTP/1.1 503 ", idleTimeout},
		"a huge head":   {"GET / HTTP/1.1\r\nX: " + strings.Repeat("x", 1<<20), 0, "HTTP/1.1 431 ", 0},
	} {
		bubble(t, Config{Program: program.MustParse("503")}, func(t *testing.T, s *Server, n *pipes) {
			answer, took := talk(t, n, tt.say)
			if took > headTimeout && took < headTimeout+time.Second || took > 0 && took < time.Second {
				took = took.Truncate(time.Second) // net/http lingers half a second over an error
			}
			if !strings.HasPrefix(answer, tt.answer) || took != tt.took {
				t.Errorf("%s: %.40q after %v, want %q after %v", what, answer, took, tt.answer, tt.took)
			}
			same(t, what+": hits", s.Overview().Hits, tt.hits)
			if tt.took == bodyTimeout {
				a := s.tails.fixed[0].handler.Arrivals()[0]
				same(t, what+": bytes, complete", fmt.Sprint(a.Body, a.Complete), "4 false")
			}
			synctest.Wait()
			same(t, what+": connections open", s.Overview().Connections.Open, 0)
		})
	}
}

// A hang has an end, and it is the server's.
func TestHangsEnd(t *testing.T) {
	for _, text := range []string{"hang", "stall", "delay=exponential(1h)"} {
		bubble(t, Config{Program: program.MustParse(text), MaxHang: time.Minute}, func(t *testing.T, s *Server, n *pipes) {
			_, took := talk(t, n, "GET / HTTP/1.1\r\nHost: tail\r\n\r\n")
			same(t, text+" takes", took, time.Minute)
			same(t, text+": cut short", s.Tails()[0].CutShort, 0)
		})
	}
}

// Who does not read what it asked for is let go.
func TestDeafClients(t *testing.T) {
	bubble(t, Config{Program: program.MustParse("ok+body=1MiB"), MaxHang: time.Minute}, func(t *testing.T, s *Server, n *pipes) {
		conn, _ := n.dial(t.Context(), "", "")
		defer conn.Close()
		io.WriteString(conn, "GET / HTTP/1.1\r\nHost: tail\r\n\r\n")
		synctest.Wait()
		same(t, "open", s.Overview().Connections.Open, 1)
		time.Sleep(time.Minute + bodyTimeout + sendTimeout)
		synctest.Wait()
		same(t, "open in the end", s.Overview().Connections.Open, 0)
	})
}

// Connections that wait for a request make place for one that has one, the quietest
// first; requests in progress do not.
func TestConnectionsAreBounded(t *testing.T) {
	bubble(t, Config{Program: program.MustParse("ok,hang"), Connections: 3}, func(t *testing.T, s *Server, n *pipes) {
		var quiet []net.Conn
		for range 3 {
			conn, _ := n.dial(t.Context(), "", "")
			quiet = append(quiet, conn)
			time.Sleep(time.Second)
		}
		const get = "GET / HTTP/1.1\r\nHost: tail\r\n\r\n"
		io.WriteString(quiet[0], get) // it is quiet again, but the last to be so
		res, err := http.ReadResponse(bufio.NewReader(quiet[0]), nil)
		if err != nil || res.StatusCode != 200 {
			t.Fatal(res, err)
		}
		synctest.Wait()

		gone := func(conn net.Conn) bool {
			conn.SetReadDeadline(time.Now().Add(time.Millisecond))
			_, err := conn.Read(make([]byte, 1))
			return err == io.EOF
		}
		for i, order := range []int{1, 2, 0} {
			conn, _ := n.dial(t.Context(), "", "")
			defer conn.Close()
			io.WriteString(conn, get) // hangs
			synctest.Wait()
			for _, j := range []int{1, 2, 0}[i+1:] {
				same(t, fmt.Sprint("after ", i, " is gone ", j), gone(quiet[j]), false)
			}
			same(t, fmt.Sprint("after ", i, " is gone ", order), gone(quiet[order]), true)
		}
		late, _ := n.dial(t.Context(), "", "")
		same(t, "one too many is gone", gone(late), true)
		c := s.Overview().Connections
		same(t, "accepted, open, evicted, refused", fmt.Sprint(c.Accepted, c.Open, c.Evicted, c.Refused), "6 3 3 1")
		for _, conn := range quiet {
			conn.Close()
		}
	})
}

// poor is a network without descriptors for a while.
type poor struct {
	*pipes
	failures int
}

func (n *poor) Accept() (net.Conn, error) {
	conn, err := n.pipes.Accept()
	if err == nil && n.failures > 0 {
		n.failures--
		conn.Close()
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return conn, err
}

// Where descriptors run out first, a quiet connection gives its own back.
func TestDescriptorsRunOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &poor{pipes: newPipes()}
		s := newHandler(t, Config{}).Serve(n, nil)
		defer s.Close()
		quiet, _ := n.dial(t.Context(), "", "")
		defer quiet.Close()
		synctest.Wait()
		n.failures = 1
		n.dial(t.Context(), "", "")
		_, err := quiet.Read(make([]byte, 1))
		same(t, "the quiet one", err, io.EOF)
		answer, _ := talk(t, n.pipes, "GET / HTTP/1.0\r\n\r\n")
		same(t, "the next", strings.HasPrefix(answer, "HTTP/1.0 200 "), true)
		same(t, "evicted", s.Overview().Connections.Evicted, 1)
	})
}

// Close ends whatever is in progress.
func TestCloseEndsHangs(t *testing.T) {
	bubble(t, Config{Program: program.MustParse("hang")}, func(t *testing.T, s *Server, n *pipes) {
		ended := make(chan string)
		go func() {
			_, took := talk(t, n, "GET / HTTP/1.1\r\nHost: tail\r\n\r\n")
			ended <- took.String()
		}()
		synctest.Wait()
		time.Sleep(time.Second)
		s.Close()
		same(t, "took", <-ended, "1s")
		if err := s.Wait(t.Context()); err == nil {
			t.Error("a server that is closed waits")
		}
		same(t, "hits, cut short", fmt.Sprint(s.Tails()[0].Hits, s.Tails()[0].CutShort), "1 0")
	})
}
