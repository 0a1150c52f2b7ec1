package faultserver_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// wire is what a net/http client sees of a fault over TCP, and what the tail counts of it.
// Engines without a network go by program.Kind.Seen, which is held against it here.
var wire = []struct {
	program string
	status  int    // 0: no head
	body    int    // bytes that came
	err     error  // as errors.Is tells it
	text    string // else part of its text
	effects int
}{
	{"ok", 200, 0, nil, "", 1},
	{"ok+body=100KiB", 200, 100 << 10, nil, "", 1},
	{"503", 503, 0, nil, "", 0},
	{"503+body=100KiB", 503, 100 << 10, nil, "", 0},
	{"slow+over=20ms", 200, 1 << 10, nil, "", 1},
	{"slow+over=1ns+body=1B+close", 200, 1, nil, "", 1},
	{"throttle=1/m", 200, 0, nil, "", 1},
	{"reset", 0, 0, syscall.ECONNRESET, "", 0},
	{"delay=1ms+reset", 0, 0, syscall.ECONNRESET, "", 0},
	{"lost", 0, 0, syscall.ECONNRESET, "", 1},
	{"close", 0, 0, io.EOF, "", 0},
	{"truncate", 200, 512, io.ErrUnexpectedEOF, "", 1},
	{"truncate+body=1B", 200, 0, io.ErrUnexpectedEOF, "", 1},
	{"truncate+body=1MiB", 200, 1 << 19, io.ErrUnexpectedEOF, "", 1},
	{"halfreset", 200, 512, syscall.ECONNRESET, "", 1},
	{"halfreset+delay=empirical(1ms)", 200, 512, syscall.ECONNRESET, "", 1},
	{"malformed", 0, 0, nil, `malformed HTTP status code "two"`, 1},
	{"badchunk", 200, 4, nil, "malformed chunked encoding", 1},
}

func TestFaultsOverTCP(t *testing.T) {
	for _, tt := range wire {
		t.Run(tt.program, func(t *testing.T) {
			tail := faultserver.Start(t, tt.program)
			status, body, err := fetchAll(newClient(t), tail.URL)
			equal(t, "status, bytes", fmt.Sprint(status, body), fmt.Sprint(tt.status, tt.body))
			switch {
			case tt.text != "":
				if err == nil || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("got %v, want %s", err, tt.text)
				}
			case !errors.Is(err, tt.err):
				t.Errorf("got %v, want %v", err, tt.err)
			}
			equal(t, "hits, effects", fmt.Sprint(tail.Hits(), tail.Effects()), fmt.Sprint(1, tt.effects))
			tail.Close() // an answer may be with its client before its hit is over
			a := tail.Arrivals()[0]
			if a.End < a.At || a.CutShort || a.Worked != (tt.effects == 1) {
				t.Errorf("the hit is recorded as %+v", a)
			}
			equal(t, "what the table for engines says", a.Kind.Seen(), seen(err))
			equal(t, "and of the work", a.Kind.Works(), a.Worked)
		})
	}
}

// fetchAll returns as much of an answer as came.
func fetchAll(client *http.Client, url string) (status, body int, err error) {
	res, err := client.Get(url)
	if err != nil {
		return 0, 0, err
	}
	defer res.Body.Close()
	n, err := io.Copy(io.Discard, res.Body)
	return res.StatusCode, int(n), err
}

// seen sorts errors as a client does that looks at their kind and not at their story.
func seen(err error) program.Seen {
	switch {
	case err == nil:
		return program.SeenAnswer
	case errors.Is(err, syscall.ECONNREFUSED):
		return program.SeenRefused
	case strings.Contains(err.Error(), "malformed"):
		return program.SeenMalformed
	}
	return program.SeenReset
}

// Nobody can count what finds a closed port.
func TestRefusedIsNotCounted(t *testing.T) {
	tail := faultserver.Start(t, "refuse")
	_, _, err := get(newClient(t), tail.URL)
	equal(t, "what the client sees", seen(err), program.Refuse.Seen())
	equal(t, "hits, effects", fmt.Sprint(tail.Hits(), tail.Effects()), "0 0")
}

// Faults within a body leave a HEAD no answer either: there is no body to break.
func TestFaultsOnHead(t *testing.T) {
	for text, want := range map[string]program.Seen{
		"truncate": program.SeenReset, "halfreset": program.SeenReset, "badchunk": program.SeenMalformed, "slow+over=1h": program.SeenAnswer,
	} {
		tail := faultserver.Start(t, text)
		res, err := newClient(t).Head(tail.URL)
		if err == nil {
			res.Body.Close()
		}
		equal(t, text, seen(err), want)
		equal(t, text+": effects", tail.Effects(), 1)
	}
}

// A connection that worked before breaks in the same way.
func TestFaultsOnAReusedConnection(t *testing.T) {
	for _, text := range []string{"truncate", "halfreset", "malformed", "badchunk"} {
		tail := faultserver.Start(t, "ok,"+text)
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		client := &http.Client{Transport: transport}
		if _, _, err := fetchAll(client, tail.URL); err != nil {
			t.Fatal(err)
		}
		_, _, err := fetchAll(client, tail.URL)
		equal(t, text, seen(err), program.MustParse(text).Steps[0].Kind.Seen())
		equal(t, text+": hits", tail.Hits(), 2)
	}
}

// HTTP/2 has streams instead of connections: every fault aborts one, after its work.
func TestFaultsOverHTTP2(t *testing.T) {
	for text, effects := range map[string]int{"reset": 0, "lost": 1, "truncate": 1, "halfreset": 1, "malformed": 1, "badchunk": 1} {
		h := handler(text)
		server := httptest.NewUnstartedServer(h)
		server.EnableHTTP2 = true
		server.StartTLS()
		if _, _, err := fetchAll(server.Client(), server.URL); err == nil {
			t.Errorf("%s: got a whole answer", text)
		}
		server.Close()
		equal(t, text+": hits, effects", fmt.Sprint(h.Hits(), h.Effects()), fmt.Sprint(1, effects))
	}
}

// Where a service stands behind the fault, the work is its own. What it answers goes out
// for ok alone; a slow answer has its status.
func TestNextWorksWhereTheAnswerFails(t *testing.T) {
	for text, want := range map[string]struct {
		asked  bool
		status int
	}{
		"ok": {true, 201}, "slow+over=1ns": {true, 201}, "truncate": {true, 200}, "halfreset": {true, 200}, "badchunk": {true, 200},
		"lost": {true, 0}, "malformed": {true, 0}, "503": {false, 503}, "reset": {false, 0}, "close": {false, 0},
	} {
		asked := false
		tail := faultserver.StartConfig(t, faultserver.Config{
			Program: program.MustParse(text),
			Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				asked = bytes.Equal(body, []byte("order"))
				w.WriteHeader(http.StatusCreated)
				w.Write(body)
			}),
		})
		status := 0
		if res, err := newClient(t).Post(tail.URL, "text/plain", strings.NewReader("order")); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
			status = res.StatusCode
		}
		tail.Close()
		equal(t, text+": Next was asked, status", fmt.Sprint(asked, status), fmt.Sprint(want.asked, want.status))
		equal(t, text+": worked", tail.Arrivals()[0].Worked, want.asked)
	}
}

// A service behind the fault that panics did not work, and its hit is over.
func TestNextPanics(t *testing.T) {
	for _, text := range []string{"ok", "lost", "slow"} {
		h := faultserver.New(faultserver.Config{
			Program: program.MustParse(text),
			Next:    http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		})
		func() {
			defer func() { recover() }()
			hit(h, "")
		}()
		a := h.Arrivals()[0]
		if a.Worked || a.End < a.At || h.Effects() != 0 {
			t.Errorf("%s: got %+v", text, a)
		}
	}
}

// A throttle says when to come again.
func TestThrottleOverTCP(t *testing.T) {
	tail := faultserver.Start(t, "throttle=1/m")
	for _, want := range []string{`200 ""`, `429 "60"`} {
		res, _, err := get(newClient(t), tail.URL)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "answer", fmt.Sprintf("%d %q", res.StatusCode, res.Header.Get("Retry-After")), want)
	}
	equal(t, "hits, effects", fmt.Sprint(tail.Hits(), tail.Effects()), "2 1")
}
