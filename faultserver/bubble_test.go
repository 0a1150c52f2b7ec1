package faultserver_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"labctl/faultserver/program"
)

// pipes is a network of one address inside the process: a bubble's clock moves on when all
// wait on pipes, not when they wait on sockets.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	resets   atomic.Int64
}

func newPipes() *pipes {
	return &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

func (n *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-n.accepted:
		return conn, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *pipes) Close() error   { close(n.closed); return nil }
func (n *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (n *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	n.accepted <- resettable{server, n}
	return client, nil
}

// A resettable pipe offers the Reset that the tail looks for.
type resettable struct {
	net.Conn
	network *pipes
}

func (c resettable) Reset() error { c.network.resets.Add(1); return c.Close() }

// serve runs f with a client of the handler, under the fake time of a bubble.
func (n *pipes) serve(h http.Handler, f func(*http.Client)) {
	server := &http.Server{Handler: h}
	go server.Serve(n)
	defer server.Close()
	transport := &http.Transport{DialContext: n.dial}
	defer transport.CloseIdleConnections()
	f(&http.Client{Transport: transport})
}

// In a bubble every instant is exact: windows, delays, ends.
func TestInstantsAreExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler("503@0s..1s,delay=60ms")
		newPipes().serve(h, func(client *http.Client) {
			for range 3 {
				get(client, "http://tail/")
				time.Sleep(500 * time.Millisecond)
			}
			var got []string
			for _, a := range h.Arrivals() {
				got = append(got, fmt.Sprint(a.Status, " ", a.At, "..", a.End))
			}
			equal(t, "hits", fmt.Sprint(got), "[503 0s..0s 503 500ms..500ms 200 1s..1.06s]")

			h.Reset() // the outage begins anew
			res, _, err := get(client, "http://tail/")
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "status after a reset", res.StatusCode, 503)
			equal(t, "its instant", h.Arrivals()[0].At, 0)
		})
	})
}

func TestCutShortAtTheInstantOfLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler("hang")
		newPipes().serve(h, func(client *http.Client) {
			client.Timeout = 310 * time.Millisecond
			if _, _, err := get(client, "http://tail/"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("client got %v", err)
			}
			synctest.Wait()
			a := h.Arrivals()[0]
			equal(t, "end", a.End, 310*time.Millisecond)
			equal(t, "cut short", fmt.Sprint(a.CutShort, h.CutShort()), "true 1")
		})
	})
}

// A hit in progress is listed with what is known, and a Reset keeps its end out of the new run.
func TestInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler("hang,ok")
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer func() { recover() }() // there is no connection to drop
			r, _ := http.NewRequestWithContext(ctx, "GET", "http://tail/", nil)
			h.ServeHTTP(httptest.NewRecorder(), r)
		}()
		synctest.Wait()
		a := h.Arrivals()[0]
		equal(t, "end, kind", fmt.Sprint(a.End, a.Kind), fmt.Sprint(time.Duration(-1), program.Hang))
		h.Reset()
		leave()
		<-ended
		equal(t, "hits, cut short", fmt.Sprint(h.Hits(), h.CutShort()), "0 0")
	})
}

// Dates start in the year 2000 here, and so does Retry-After.
func TestRetryAfterDateInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		newPipes().serve(handler("delay=3s+429+date-retry-after=2"), func(client *http.Client) {
			res, _, err := get(client, "http://tail/")
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "Retry-After", res.Header.Get("Retry-After"), "Sat, 01 Jan 2000 00:00:05 GMT")
		})
	})
}

// An in-process connection is reset in its own way.
func TestResetOverPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newPipes()
		n.serve(handler("reset"), func(client *http.Client) {
			if _, _, err := get(client, "http://tail/"); err == nil {
				t.Error("got an answer")
			}
		})
		equal(t, "resets", n.resets.Load(), 1)
	})
}
