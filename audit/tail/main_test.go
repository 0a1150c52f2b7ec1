package tail_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"labctl/audit/tail"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open opens a tail for the duration of a test.
func open(t *testing.T, p tail.Plan) *tail.Tail {
	t.Helper()
	tl, err := tail.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tl.Close(); err != nil {
			t.Error(err)
		}
	})
	return tl
}

// host is the place of a URL.
func host(url string) string { return strings.Trim(strings.TrimPrefix(url, "http://"), "/") }

// A caller sends requests on one connection, by hand: nothing is repeated behind a test's
// back.
type caller struct {
	t *testing.T
	net.Conn
	read *bufio.Reader
}

func dial(t *testing.T, url string) *caller {
	t.Helper()
	c, err := net.Dial("tcp4", host(url))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &caller{t, c, bufio.NewReader(c)}
}

// ask sends a request with header lines and a body, and returns the status, or 0 where
// there is no answer.
func (c *caller) ask(method, body string, headers ...string) int {
	c.t.Helper()
	headers = append(headers, "Host: tail", fmt.Sprintf("Content-Length: %d", len(body)))
	fmt.Fprintf(c, "%s / HTTP/1.1\r\n%s\r\n\r\n%s", method, strings.Join(headers, "\r\n"), body)
	res, err := http.ReadResponse(c.read, nil)
	if err != nil {
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// refused makes n attempts on a port that refuses.
func refused(t *testing.T, url string, n int) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", host(url))
		if err == nil {
			c.Close()
			t.Fatalf("%s is open", url)
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatalf("%s: %v", url, err)
		}
	}
}

// canCount skips a test where SYNs are not counted.
func canCount(t *testing.T, tl *tail.Tail) {
	t.Helper()
	if why := tl.Uncounted(); why != "" {
		t.Skip(why)
	}
}

// swallowed makes n attempts at a blackhole at the same time, all given up after a while:
// they can only end that way.
func swallowed(t *testing.T, url string, n int, patience time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	errs := make(chan error, n)
	for range n {
		go func() {
			c, err := new(net.Dialer).DialContext(ctx, "tcp4", host(url))
			if err == nil {
				c.Close()
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; !errors.Is(err, context.DeadlineExceeded) && !os.IsTimeout(err) {
			t.Errorf("%s: got %v, want no answer", url, err)
		}
	}
}
