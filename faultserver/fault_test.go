package faultserver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// serveOne returns a server for one hit, and a channel that tells when the tail was done with it.
func serveOne(t *testing.T, h http.Handler) (*httptest.Server, <-chan struct{}) {
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server, ended
}

// A caller that leaves ends a delay and a hang, and is counted.
func TestCallerLeaves(t *testing.T) {
	for _, text := range []string{"hang", "delay=1h+503", "delay=uniform(1h..1h)"} {
		t.Run(text, func(t *testing.T) {
			h := handler(text)
			server, ended := serveOne(t, h)
			ctx, leave := context.WithCancel(t.Context())
			left := make(chan error)
			go func() {
				r, _ := http.NewRequestWithContext(ctx, "POST", server.URL, strings.NewReader("body"))
				_, err := newClient(t).Do(r)
				left <- err
			}()
			if err := h.Wait(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			leave()
			if err := <-left; !errors.Is(err, context.Canceled) {
				t.Errorf("client got %v", err)
			}
			<-ended
			equal(t, "cut short", h.CutShort(), 1)
			if a := h.Arrivals()[0]; !a.CutShort || a.Worked || !a.Complete || a.Body != 4 {
				t.Errorf("got %+v", a)
			}
		})
	}
}

// So does a caller that leaves in the middle of its body.
func TestCallerLeavesWithinBody(t *testing.T) {
	h := handler("hang")
	server, ended := serveOne(t, h)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, "POST / HTTP/1.1\r\nHost: tail\r\nContent-Length: 10\r\n\r\nfour")
	conn.Close()
	<-ended
	equal(t, "cut short", h.CutShort(), 1)
	if a := h.Arrivals()[0]; !a.CutShort || a.Complete || a.Body != 4 {
		t.Errorf("got %+v", a)
	}
}

func TestAnswers(t *testing.T) {
	now := func() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 1, time.UTC) }
	for _, tt := range []struct{ program, want string }{
		{"ok", "200 0 bytes"},
		{"204", "204 0 bytes"},
		{"503", "503 0 bytes"},
		{"503+body=100KiB", "503 102400 bytes, Content-Type: application/octet-stream"},
		{"ok+body=3B", "200 3 bytes, Content-Type: application/octet-stream"},
		{"429+retry-after=2", "429 0 bytes, Retry-After: 2"},
		{"429+retry-after=0", "429 0 bytes, Retry-After: 0"},
		{"429+retry-after=99999999999999999999", "429 0 bytes, Retry-After: 99999999999999999999"},
		{"429+raw-retry-after=soon", "429 0 bytes, Retry-After: soon"},
		{"slow+over=1ns+retry-after=3+close", "200 1024 bytes, Content-Type: application/octet-stream, Retry-After: 3, closed"},
		{"429+date-retry-after=2", "429 0 bytes, Retry-After: Sat, 01 Jan 2000 00:00:03 GMT"}, // rounded up
		{"429+date-retry-after=9223372036", "429 0 bytes, Retry-After: Sun, 10 Apr 2292 23:47:17 GMT"},
		{"503+close", "503 0 bytes, closed"},
	} {
		tail := faultserver.StartConfig(t, faultserver.Config{Program: program.MustParse(tt.program), Now: now})
		transport := &http.Transport{}
		res, body, err := get(&http.Client{Transport: transport}, tail.URL)
		if err != nil {
			t.Errorf("%s: %v", tt.program, err)
			continue
		}
		got := fmt.Sprintf("%d %d bytes", res.StatusCode, len(body))
		for _, name := range []string{"Content-Type", "Retry-After"} {
			if value := res.Header.Get(name); value != "" {
				got += ", " + name + ": " + value
			}
		}
		if res.Close {
			got += ", closed"
		}
		equal(t, tt.program, got, tt.want)
		transport.CloseIdleConnections()
	}
}

func TestHeadHasNoBody(t *testing.T) {
	tail := faultserver.Start(t, "ok+body=64KiB")
	res, err := newClient(t).Head(tail.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	equal(t, "length announced", res.ContentLength, 64<<10)
}

// Next answers for ok alone, after options of the step were applied.
func TestNext(t *testing.T) {
	h := faultserver.New(faultserver.Config{
		Program: program.MustParse("503,ok+retry-after=7"),
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusCreated)
			io.Copy(w, r.Body)
		}),
	})
	for _, want := range []string{`503 "" ""`, `201 "7" "order"`} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader("order")))
		equal(t, "answer", fmt.Sprintf("%d %q %q", w.Code, w.Header().Get("Retry-After"), w.Body), want)
	}
}

// The body is read up to a bound, and Next still gets all of it.
func TestDrain(t *testing.T) {
	for _, tt := range []struct {
		size, read int
		whole      bool
	}{
		{0, 0, true},
		{1, 1, true},
		{faultserver.MaxDrain, faultserver.MaxDrain, true},
		{faultserver.MaxDrain + 1, faultserver.MaxDrain, false},
		{faultserver.MaxDrain + 2, faultserver.MaxDrain, false},
	} {
		var passed int64
		h := faultserver.New(faultserver.Config{
			Program: program.MustParse("503,ok"),
			Next: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				passed, _ = io.Copy(io.Discard, r.Body)
			}),
		})
		for range 2 {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat("b", tt.size))))
		}
		for _, a := range h.Arrivals() {
			equal(t, fmt.Sprintf("%d bytes sent: read, whole", tt.size), fmt.Sprint(a.Body, a.Complete), fmt.Sprint(tt.read, tt.whole))
		}
		equal(t, "bytes passed to Next", passed, int64(tt.size))
	}
}

// Under TLS a reset must come from the connection below, or its farewell goes out first.
func TestResetUnderTLS(t *testing.T) {
	server := httptest.NewTLSServer(handler("reset"))
	defer server.Close()
	client := server.Client()
	client.Transport.(*http.Transport).DisableKeepAlives = true
	if _, _, err := get(client, server.URL); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("got %v, want %v", err, syscall.ECONNRESET)
	}
}

// Go's transport repeats a GET behind its caller's back when a reused connection dies. The
// tail tells: two calls, three hits.
func TestHiddenReplayShows(t *testing.T) {
	tail := faultserver.Start(t, "ok,reset")
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for range 2 {
		get(&http.Client{Transport: transport}, tail.URL)
	}
	equal(t, "hits", tail.Hits(), 3)
}
