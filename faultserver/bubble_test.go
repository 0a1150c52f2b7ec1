package faultserver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// A slow body begins at once and ends when its time is over, whatever its size.
func TestSlowTakesItsTime(t *testing.T) {
	for _, text := range []string{"slow+over=2s+delay=60ms", "slow+over=2s+delay=60ms+body=1B", "slow+over=2s+delay=60ms+body=1MiB"} {
		synctest.Test(t, func(t *testing.T) {
			newPipes().serve(handler(text), func(client *http.Client) {
				start := time.Now()
				res, err := client.Get("http://tail/")
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				equal(t, text+": head", time.Since(start), 60*time.Millisecond)
				half, _ := io.CopyN(io.Discard, res.Body, res.ContentLength/2)
				if at := time.Since(start); half > 0 && (at < time.Second || at > 1100*time.Millisecond) {
					t.Errorf("%s: half of it came after %v", text, at)
				}
				rest, err := io.Copy(io.Discard, res.Body)
				equal(t, text+": bytes, error", fmt.Sprint(half+rest, err), fmt.Sprint(res.ContentLength, nil))
				equal(t, text+": end", time.Since(start), 2060*time.Millisecond)
			})
		})
	}
}

// Who leaves during a slow body had the work done, and cuts the body short.
func TestSlowIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler("slow+over=2s")
		newPipes().serve(h, func(client *http.Client) {
			client.Timeout = 310 * time.Millisecond
			if _, _, err := get(client, "http://tail/"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("client got %v", err)
			}
			synctest.Wait()
			a := h.Arrivals()[0]
			equal(t, "end, worked, cut short", fmt.Sprint(a.End, a.Worked, a.CutShort, h.CutShort()), "310ms true true 1")
		})
	})
}

// Every fault works over in-process connections, which have no buffers: nothing hangs.
func TestFaultsOverPipes(t *testing.T) {
	for _, tt := range wire {
		synctest.Test(t, func(t *testing.T) {
			h := handler(tt.program)
			newPipes().serve(h, func(client *http.Client) {
				status, body, err := fetchAll(client, "http://tail/")
				equal(t, tt.program+": status, bytes, failed", fmt.Sprint(status, body, err != nil), fmt.Sprint(tt.status, tt.body, tt.err != nil || tt.text != ""))
				synctest.Wait()
				equal(t, tt.program+": effects", h.Effects(), tt.effects)
				if a := h.Arrivals()[0]; a.End < a.At || a.CutShort {
					t.Errorf("%s: the hit is recorded as %+v", tt.program, a)
				}
			})
		})
	}
}
