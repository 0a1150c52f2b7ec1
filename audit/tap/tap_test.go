package tap

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"labctl/faultserver"
)

// open puts a tap in front of a hop for the duration of a test.
func open(t *testing.T, target string) *Tap {
	t.Helper()
	tap, err := Open(target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tap.Close)
	return tap
}

// before puts a tap in front of a tail with a fault program.
func before(t *testing.T, program string) (*Tap, *faultserver.Server) {
	t.Helper()
	tail := faultserver.Start(t, program)
	return open(t, strings.TrimPrefix(tail.URL, "http://")), tail
}

// client returns one with a Transport of its own.
func client(t *testing.T, keepAlive bool) *http.Client {
	transport := &http.Transport{DisableKeepAlives: !keepAlive}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// send makes one request and reads the answer to its end. The status is 0 without one.
func send(c *http.Client, method, url, body string) (status int, err error) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	res, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// story tells requests in a line each, without their times.
func story(requests []Request) string {
	var lines []string
	for _, r := range requests {
		line := fmt.Sprintf("%d.%d %s %s %d/%d → %d", r.Conn, r.Turn, r.Method, r.Target, r.Body, r.Length, r.Status)
		if r.Died {
			line += " died"
		}
		if r.Left {
			line += ", left"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, program string
		keepAlive     bool
		method, body  string
		times         int
		want          string
		connections   int
	}{
		{"reused", "503", true, "GET", "", 2, "1.1 GET /p 0/0 → 503\n1.2 GET /p 0/0 → 503", 1},
		{"fresh", "503", false, "GET", "", 2, "1.1 GET /p 0/0 → 503\n2.1 GET /p 0/0 → 503", 2},
		{"a body", "ok,201", true, "POST", "hello", 2, "1.1 POST /p 5/5 → 200\n1.2 POST /p 5/5 → 201", 1},
		{"a HEAD announces what it does not carry", "ok+body=9B", true, "HEAD", "", 2, "1.1 HEAD /p 0/0 → 200\n1.2 HEAD /p 0/0 → 200", 1},
		{"a long answer", "ok+body=1MiB", true, "GET", "", 2, "1.1 GET /p 0/0 → 200\n1.2 GET /p 0/0 → 200", 1},
		{"closed", "close", true, "GET", "", 1, "1.1 GET /p 0/0 → 0 died", 1},
		{"reset", "reset", true, "POST", "hello", 1, "1.1 POST /p 5/5 → 0 died", 1},
		{"truncated", "truncate", true, "GET", "", 1, "1.1 GET /p 0/0 → 200 died", 1},
		{"malformed", "malformed", true, "GET", "", 1, "1.1 GET /p 0/0 → 0 died", 1},
		{"replayed by the stack", "ok,close", true, "GET", "", 2, "1.1 GET /p 0/0 → 200\n1.2 GET /p 0/0 → 0 died\n2.1 GET /p 0/0 → 0 died", 2},
		{"not replayed by the stack", "ok,close", true, "POST", "hello", 2, "1.1 POST /p 5/5 → 200\n1.2 POST /p 5/5 → 0 died", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tap, tail := before(t, tt.program)
			c := client(t, tt.keepAlive)
			for range tt.times {
				send(c, tt.method, tap.URL()+"/p", tt.body)
			}
			tail.Close() // an answer may be with its client before its connection is over
			tap.Close()
			got := story(tap.Requests())
			if tt.program == "malformed" { // both sides close, and either may be first
				got = strings.TrimSuffix(got, ", left")
			}
			equal(t, "requests", got, tt.want)
			equal(t, "connections", tap.Connections(), tt.connections)
			equal(t, "hits", tail.Hits(), len(tap.Requests()))
		})
	}
}

// What a client sees through a tap is what it sees without one.
func TestEndsPassAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		program string
		want    error
	}{
		{"reset", syscall.ECONNRESET},
		{"close", io.EOF},
		{"truncate", io.ErrUnexpectedEOF},
		{"halfreset", syscall.ECONNRESET},
		{"refuse", syscall.ECONNRESET}, // the nearest thing: see the package documentation
	} {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			tap, _ := before(t, tt.program)
			if _, err := send(client(t, false), "GET", tap.URL(), ""); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			equal(t, "refused", tap.Refused() == 1, tt.program == "refuse")
		})
	}
}

// hop is a listener whose connections a test serves by hand.
func hop(t *testing.T) (*Tap, *net.TCPConn, *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tap := open(t, l.Addr().String())
	near, err := net.Dial("tcp4", tap.Addr)
	if err != nil {
		t.Fatal(err)
	}
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	return tap, near.(*net.TCPConn), far.(*net.TCPConn)
}

// read returns what one read gives.
func read(t *testing.T, c net.Conn) string {
	t.Helper()
	buffer := make([]byte, segment)
	n, err := c.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	return string(buffer[:n])
}

// A head and a body that came together leave together, and those that came apart, apart.
func TestSegmentsAreKept(t *testing.T) {
	t.Parallel()
	_, near, far := hop(t)
	for _, piece := range []string{
		"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
		"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n", "abc",
	} {
		io.WriteString(near, piece)
		equal(t, "a read", read(t, far), piece)
	}
}

func TestHalfACloseIsHalfAClose(t *testing.T) {
	t.Parallel()
	tap, near, far := hop(t)
	io.WriteString(near, "GET / HTTP/1.1\r\n\r\n")
	near.CloseWrite()
	asked, err := io.ReadAll(far)
	equal(t, "asked", fmt.Sprint(string(asked), err), "GET / HTTP/1.1\r\n\r\n<nil>")
	io.WriteString(far, "HTTP/1.1 200 OK\r\n\r\nlate")
	far.Close()
	told, err := io.ReadAll(near)
	equal(t, "told", fmt.Sprint(string(told), err), "HTTP/1.1 200 OK\r\n\r\nlate<nil>")
	equal(t, "requests", story(tap.Requests()), "1.1 GET / 0/0 → 200")
}

func TestAClientThatLeavesIsNamed(t *testing.T) {
	t.Parallel()
	for _, reset := range []bool{false, true} {
		tap, near, far := hop(t)
		io.WriteString(near, "GET / HTTP/1.1\r\n\r\n")
		read(t, far)
		if reset {
			near.SetLinger(0)
		}
		near.Close()
		_, err := far.Read(make([]byte, 1))
		equal(t, "the hop sees a reset", errors.Is(err, syscall.ECONNRESET), reset)
		far.Close()
		tap.Close()
		equal(t, "requests", story(tap.Requests()), "1.1 GET / 0/0 → 0 died, left")
	}
}

// A 100 Continue is no answer yet.
func TestAnInterimAnswerIsNotTheAnswer(t *testing.T) {
	t.Parallel()
	tap, near, far := hop(t)
	io.WriteString(near, "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
	read(t, far)
	io.WriteString(far, "HTTP/1.1 100 Continue\r\n\r\n")
	read(t, near)
	equal(t, "before", story(tap.Requests()), "1.1 POST / 0/3 → 0")
	io.WriteString(near, "abc")
	read(t, far)
	io.WriteString(far, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
	read(t, near)
	far.Close()
	tap.Close()
	equal(t, "after", story(tap.Requests()), "1.1 POST / 3/3 → 503")
}

// Bytes that are no HTTP pass all the same.
func TestWhatCannotBeReadPasses(t *testing.T) {
	t.Parallel()
	tap, near, far := hop(t)
	io.WriteString(near, "\x16\x03\x01\n\n")
	equal(t, "there", read(t, far), "\x16\x03\x01\n\n")
	io.WriteString(far, "\x15\x03\n\n")
	equal(t, "back", read(t, near), "\x15\x03\n\n")
	equal(t, "requests", len(tap.Requests()), 0)
	equal(t, "doubts", strings.Join(tap.Doubts(), "; "), "connection 1: a request does not begin as in HTTP/1.1; it is not counted from there on")
}

// After a switch of protocols nothing is taken for a request.
func TestAnotherProtocolIsNotRead(t *testing.T) {
	t.Parallel()
	tap, near, far := hop(t)
	io.WriteString(near, "GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n")
	read(t, far)
	io.WriteString(far, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
	line, err := bufio.NewReader(near).ReadString('\n')
	equal(t, "answer", fmt.Sprint(line, err), "HTTP/1.1 101 Switching Protocols\r\n<nil>")
	io.WriteString(near, "GET / HTTP/1.1\r\n\r\n")
	read(t, far)
	equal(t, "requests", story(tap.Requests()), "1.1 GET /chat 0/0 → 101")
	equal(t, "doubts", len(tap.Doubts()), 0)
}

// Memory has a bound, and what is beyond it passes uncounted.
func TestAFullTapSaysSo(t *testing.T) {
	t.Parallel()
	tap, tail := before(t, "503")
	tap.requests = make([]Request, maxRequests)
	send(client(t, false), "GET", tap.URL(), "")
	equal(t, "hits", tail.Hits(), 1)
	equal(t, "requests", len(tap.Requests()), maxRequests)
	equal(t, "doubts", strings.Join(tap.Doubts(), "; "), "connection 1: the tap has seen more requests than it keeps; it is not counted from there on")
}

func TestOpenWantsAHop(t *testing.T) {
	_, err := Open("localhost")
	equal(t, "error", fmt.Sprint(err), "tap: the hop must be host:port: address localhost: missing port in address")
}

func TestCloseEndsWhatRuns(t *testing.T) {
	tap, near, _ := hop(t)
	tap.Close()
	tap.Close()
	if _, err := near.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is still open")
	}
}
