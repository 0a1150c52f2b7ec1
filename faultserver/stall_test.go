package faultserver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// A stall is a hang inside the body: the work is done, half of the body comes, and then
// there is silence until the client has enough. A HEAD has it before the answer.
func TestStall(t *testing.T) {
	for _, tt := range []struct {
		program, method string
		status, body    int
		end             time.Duration
	}{
		{"stall", "GET", 200, 512, 310 * time.Millisecond},
		{"stall+delay=60ms+body=3B", "GET", 200, 1, 310 * time.Millisecond},
		{"stall+body=1B", "POST", 200, 0, 310 * time.Millisecond},
		{"stall", "HEAD", 0, 0, 310 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := handler(tt.program)
			newPipes().serve(h, func(client *http.Client) {
				client.Timeout = tt.end
				status, body, err := ask(client, tt.method, "http://tail/")
				equal(t, tt.program+": status, bytes", fmt.Sprint(status, body), fmt.Sprint(tt.status, tt.body))
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s: the client got %v", tt.program, err)
				}
				synctest.Wait()
				a := h.Arrivals()[0]
				equal(t, tt.program+": end, worked, cut short", fmt.Sprint(a.End, a.Worked, a.CutShort), fmt.Sprint(tt.end, true, true))
			})
		})
	}
}

// ask returns as much of an answer as came.
func ask(client *http.Client, method, url string) (status, body int, err error) {
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		return 0, 0, err
	}
	res, err := client.Do(r)
	if err != nil {
		return 0, 0, err
	}
	defer res.Body.Close()
	n, err := io.Copy(io.Discard, res.Body)
	return res.StatusCode, int(n), err
}

// What the table for engines calls silence is silence on the wire: nothing more comes, and
// the one who ends it is the client. A hang is silent from the start.
func TestSilenceOverTCP(t *testing.T) {
	for text, want := range map[string]struct{ comes, effects int }{"hang": {0, 0}, "stall": {512, 1}} {
		tail := faultserver.Start(t, text)
		ctx, leave := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, "GET", tail.URL, nil)
		var body io.Reader
		if want.comes == 0 {
			go func() { tail.Wait(ctx, 1); leave() }()
			_, err := newClient(t).Do(r)
			equal(t, text+": ended by the client", errors.Is(err, context.Canceled), true)
		} else {
			res, err := newClient(t).Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body = res.Body
			n, err := io.CopyN(io.Discard, body, int64(want.comes))
			equal(t, text+": bytes, error", fmt.Sprint(n, err), fmt.Sprint(want.comes, nil))
			leave()
			_, err = body.Read(make([]byte, 1))
			equal(t, text+": ended by the client", errors.Is(err, context.Canceled), true)
		}
		tail.Close()
		equal(t, text+": effects", tail.Effects(), want.effects)
		equal(t, text+": what the table for engines says", tail.Arrivals()[0].Kind.Seen(), program.SeenNothing)
		equal(t, text+": and of the work", tail.Arrivals()[0].Kind.Works(), want.effects == 1)
	}
}

// Close ends a stall, and not as a caller that left.
func TestCloseEndsStalls(t *testing.T) {
	tail := faultserver.Start(t, "stall")
	res, err := newClient(t).Get(tail.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := tail.Close(); err != nil {
		t.Error(err)
	}
	equal(t, "cut short, effects", fmt.Sprint(tail.CutShort(), tail.Effects()), "0 1")
}

// Over HTTP/2 it is the stream that stalls; others on the connection do not.
func TestStallOverHTTP2(t *testing.T) {
	h := handler("stall,ok")
	server := httptest.NewUnstartedServer(h)
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r, _ := http.NewRequestWithContext(ctx, "GET", server.URL, nil)
	stalled, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stalled.Body.Close()
	if _, err := io.CopyN(io.Discard, stalled.Body, 512); err != nil {
		t.Error(err)
	}
	status, _, err := ask(server.Client(), "GET", server.URL)
	equal(t, "the next stream", fmt.Sprint(status, err), fmt.Sprint(200, nil))
}

// A client that follows redirects goes round until it has enough: net/http after ten.
func TestRedirectLoop(t *testing.T) {
	tail := faultserver.Start(t, "302+location=again")
	if _, _, err := get(newClient(t), tail.URL+"/orders/7"); err == nil {
		t.Error("the loop ended")
	}
	equal(t, "hits", tail.Hits(), 10)
	a := tail.Arrivals()
	equal(t, "targets, status", fmt.Sprint(a[0].Target, a[1].Target, a[9].Target, a[9].Status), fmt.Sprint("/orders/7", "/orders/again", "/orders/again", 302))
}
