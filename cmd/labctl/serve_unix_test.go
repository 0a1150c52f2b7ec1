//go:build unix

package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

var servedURL = regexp.MustCompile(`curl -s --retry 2 (http://[\d.:]+)/p/mine/`)

// A signal is how a server is meant to end: it prints what it counted and exits 0.
func TestServeEndsBySignal(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			p := start(t, "labctl", "serve", "--listen", "127.0.0.1:0", "--fault", "503,ok", "--path", "/hangs=hang", "--log")
			p.reads("/-/v1/tails/mine\n")
			url := servedURL.FindStringSubmatch(string(p.said))[1]

			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			for _, path := range []string{"/p/a/", "/p/a/", "/", "/-/v1"} {
				res, err := client.Get(url + path)
				if err != nil {
					t.Fatal(err)
				}
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
			hanging := make(chan error)
			go func() {
				alone := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
				_, err := alone.Get(url + "/hangs")
				hanging <- err
			}()
			p.reads("default: GET / → 503 (reused connection, ") // logged when it is over
			for !strings.Contains(tail(t, client, url, "%2Fhangs"), `"hits": 1,`) {
			}
			p.interrupt(s)
			p.ends()
			p.exits(exitOK)
			if <-hanging == nil {
				t.Error("a hang got an answer")
			}
			want := url + `
tail     program  hits  fresh  reused  effects
──────────────────────────────────────────────
default  503,ok      1      0       1        0
/hangs   hang        1      1       0        0
a        503,ok      2      1       1        1
4 hits on 2 connections
`
			if got := p.stdout.String(); got != want {
				t.Errorf("stdout:\n%s\nwant\n%s", got, want)
			}
			if strings.Contains(string(p.said), "/-/v1 ") || strings.Count(string(p.said), " → ") != 4 {
				t.Errorf("the log has other lines than one for each hit:\n%s", p.said)
			}
		})
	}
}

// tail is what the API says of one.
func tail(t *testing.T, client *http.Client, url, name string) string {
	t.Helper()
	res, err := client.Get(url + "/-/v1/tails/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return string(body)
}

// A port that is taken is said, with where to go instead.
func TestServeOnATakenPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := start(t, "labctl", "serve", "--listen", l.Addr().String())
	last := p.ends()
	p.exits(exitEnvironment)
	if want := "labctl: cannot listen on " + l.Addr().String() + ": address already in use: choose another address with --listen, or a free port with --listen 127.0.0.1:0"; last != want {
		t.Errorf("the last line is %q, want %q", last, want)
	}
	if p.stdout.Len() > 0 {
		t.Errorf("stdout has %q", p.stdout.String())
	}
}
