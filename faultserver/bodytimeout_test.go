package faultserver_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// dribble is how long a request takes to send its body of five bytes, the last at the end.
type dribble time.Duration

func (d dribble) send(w io.Writer) {
	io.WriteString(w, "POST / HTTP/1.1\r\nHost: tail\r\nContent-Length: 5\r\n\r\nfour")
	time.Sleep(time.Duration(d))
	io.WriteString(w, "5")
}

// A body has its time. One that takes longer is incomplete, the hit goes on, and with its
// answer the connection ends; one in time leaves the connection as it was.
func TestBodyTimeout(t *testing.T) {
	for _, tt := range []struct {
		what     string
		limit    time.Duration
		takes    dribble
		end      time.Duration
		body     int64
		complete bool
		closes   bool
	}{
		{"no limit", 0, dribble(time.Hour), time.Hour, 5, true, false},
		{"in time", 2 * time.Second, dribble(time.Second), time.Second, 5, true, false},
		{"too slow", 2 * time.Second, dribble(3 * time.Second), 2 * time.Second, 4, false, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			n, h := newPipes(), faultserver.New(faultserver.Config{Program: program.MustParse("503"), BodyTimeout: tt.limit})
			n.serve(h, func(*http.Client) {
				conn, _ := n.dial(t.Context(), "", "")
				defer conn.Close()
				var sending sync.WaitGroup
				defer sending.Wait()
				sending.Go(func() { tt.takes.send(conn) })
				res, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(tt.what, err)
				}
				equal(t, tt.what+": status, closes", fmt.Sprint(res.StatusCode, res.Close), fmt.Sprint(503, tt.closes))
				a := h.Arrivals()[0]
				equal(t, tt.what+": body, complete", fmt.Sprint(a.Body, a.Complete), fmt.Sprint(tt.body, tt.complete))
				equal(t, tt.what+": end", a.End, tt.end)
			})
		})
	}
}

// A hang that lasts longer than a body may take is not a caller that left: the limit is
// over with the body.
func TestBodyTimeoutIsLifted(t *testing.T) {
	for _, text := range []string{"hang", "delay=10s", "stall"} {
		synctest.Test(t, func(t *testing.T) {
			h := faultserver.New(faultserver.Config{Program: program.MustParse(text), BodyTimeout: time.Second})
			newPipes().serve(h, func(client *http.Client) {
				client.Timeout = 5 * time.Second
				if res, err := client.Post("http://tail/", "text/plain", strings.NewReader("order")); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				synctest.Wait()
				a := h.Arrivals()[0]
				equal(t, text+": end, complete, cut short", fmt.Sprint(a.End, a.Complete, a.CutShort), "5s true true")
			})
		})
	}
}

// What comes after the part that the tail reads is Next's to wait for.
func TestBodyTimeoutIsNotForNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := ""
		h := faultserver.New(faultserver.Config{BodyTimeout: time.Second, Next: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			n, err := io.Copy(io.Discard, r.Body)
			got = fmt.Sprint(n, err)
		})})
		newPipes().serve(h, func(client *http.Client) {
			body, send := io.Pipe()
			go func() {
				send.Write(make([]byte, faultserver.MaxDrain+1))
				time.Sleep(time.Minute)
				send.Write(make([]byte, 9))
				send.Close()
			}()
			res, err := client.Post("http://tail/", "text/plain", body)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
		})
		equal(t, "bytes, error", got, fmt.Sprint(faultserver.MaxDrain+10, nil))
	})
}

// A connection whose body came in time takes the next request, however late.
func TestBodyTimeoutLeavesConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c faultserver.Connections
		n, h := newPipes(), faultserver.New(faultserver.Config{BodyTimeout: time.Second})
		server := &http.Server{Handler: h, ConnContext: c.Context}
		go server.Serve(n)
		defer server.Close()
		transport := &http.Transport{DialContext: n.dial}
		defer transport.CloseIdleConnections()
		for range 2 {
			res, err := (&http.Client{Transport: transport}).Post("http://tail/", "text/plain", strings.NewReader("order"))
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			time.Sleep(time.Minute)
		}
		equal(t, "hits by connection", came(h), "1.1 1.2")
	})
}
