package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

const testToken = "TESTTOKENTESTTOKENTESTTOKE"

// serve shows the page until the test ends, and returns its address.
func serve(t *testing.T) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(l, BuiltIn(), testToken)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return s
}

// ask sends a request and returns its answer and body.
func ask(t *testing.T, method, url string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	got, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got, string(body)
}

func TestOnlyWithTheTokenAndToThisMachine(t *testing.T) {
	s := serve(t)
	root := "http://" + s.at.String()
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	port := s.at.(*net.TCPAddr).Port
	foreign := func(r *http.Request) { r.Header.Set("Origin", "https://example.com") }
	for _, tt := range []struct {
		name, method, path string
		change             func(*http.Request)
		want               int
	}{
		{"page", "GET", "/" + testToken + "/", nil, 200},
		{"by name", "GET", "/" + testToken + "/", host(fmt.Sprintf("localhost:%d", port)), 200},
		{"without the slash", "GET", "/" + testToken, nil, 308},
		{"no token", "GET", "/", nil, 403},
		{"no token, api", "GET", "/api/labs", nil, 403},
		{"wrong token", "GET", "/" + strings.ToLower(testToken) + "/", nil, 403},
		{"part of the token", "GET", "/" + testToken[:8] + "/", nil, 403},
		{"longer token", "GET", "/" + testToken + "X/", nil, 403},
		{"token behind dots", "GET", "/x/../" + testToken + "/", nil, 403},
		{"no token, no such thing", "GET", "/favicon.ico", nil, 403},
		{"rebound name", "GET", "/" + testToken + "/", host(fmt.Sprintf("evil.example:%d", port)), 403},
		{"rebound name that looks like it", "GET", "/" + testToken + "/", host(fmt.Sprintf("127.0.0.1.evil.example:%d", port)), 403},
		{"other port", "GET", "/" + testToken + "/", host("127.0.0.1:1"), 403},
		{"no port", "GET", "/" + testToken + "/", host("127.0.0.1"), 403},
		{"foreign page starts a run", "POST", "/" + testToken + "/api/live?lab=jitter-herd", foreign, 403},
		{"foreign page stops a run", "DELETE", "/" + testToken + "/api/live", foreign, 403},
		{"wrong method", "POST", "/" + testToken + "/api/answer", nil, 405},
		{"wrong method of the page", "PUT", "/" + testToken + "/", nil, 405},
		{"no such file", "GET", "/" + testToken + "/secret", nil, 404},
		{"out of the folder", "GET", "/" + testToken + "/../../server.go", nil, 307}, // to where there is no token,
	} {
		got, _ := ask(t, tt.method, root+tt.path, tt.change)
		if got.StatusCode != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got.StatusCode, tt.want)
		}
		if csp := got.Header.Get("Content-Security-Policy"); csp != contentPolicy {
			t.Errorf("%s: policy %q", tt.name, csp)
		}
	}
}

func TestContentPolicyAllowsNothingInline(t *testing.T) {
	if !strings.HasPrefix(contentPolicy, "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';") || strings.Contains(contentPolicy, "unsafe") {
		t.Error(contentPolicy)
	}
	s := serve(t)
	for _, name := range []string{"", "app.js", "style.css", "icon.svg", "vendor/uPlot.iife.min.js", "vendor/uPlot.min.css"} {
		got, body := ask(t, "GET", s.URL()+name, nil)
		if got.StatusCode != 200 || len(body) == 0 {
			t.Errorf("%s: %d", name, got.StatusCode)
		}
		if name == "" && (strings.Contains(body, "<style") || strings.Contains(body, " style=") || strings.Contains(body, " on") && strings.Contains(body, "onclick")) {
			t.Error("the page has something inline")
		}
	}
}

func TestAPI(t *testing.T) {
	s := serve(t)
	query := "lab=jitter-herd&variant=jitter&clients=500"
	got, body := ask(t, "GET", s.URL()+"api/answer?seq=7&"+query, nil)
	var a Answer
	if err := json.Unmarshal([]byte(body), &a); err != nil || got.StatusCode != 200 || got.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v: %s", got.StatusCode, err, body)
	}
	if want := answer(t, query); a.Seq != "7" || a.Query != query || !reflect.DeepEqual(a.Variant, want.Variant) || a.YAML != want.YAML {
		t.Errorf("answer %s", body)
	}
	for path, want := range map[string]string{
		"api/answer?seq=8&lab=tidal":     `{"error":"there is no lab \"tidal\" here: choose one of the list, or start labctl ui with its file","seq":"8"}`,
		"api/answer?colour=red":          `{"error":"the address says \"colour\", which is no setting: leave it out","seq":""}`,
		"api/answer?seq=9&lab=%3Cscript": `{"error":"there is no lab \"\u003cscript\" here: choose one of the list, or start labctl ui with its file","seq":"9"}`,
	} {
		if got, body := ask(t, "GET", s.URL()+path, nil); got.StatusCode != 200 || strings.TrimSpace(body) != want {
			t.Errorf("%s: %d %s", path, got.StatusCode, body)
		}
	}
	if _, body := ask(t, "GET", s.URL()+"api/live", nil); !strings.HasPrefix(body, `{"phase":"none"`) {
		t.Errorf("live: %s", body)
	}
	if got, body := ask(t, "POST", s.URL()+"api/live?lab=jitter-herd&net=udp", nil); got.StatusCode != 422 {
		t.Errorf("live over udp: %d %s", got.StatusCode, body)
	}
	var choices []Choice
	if _, body := ask(t, "GET", s.URL()+"api/labs", nil); json.Unmarshal([]byte(body), &choices) != nil || len(choices) != len(BuiltIn()) {
		t.Errorf("labs: %s", body)
	}
}

// The end finds a browser with its connection open and a live run under way.
func TestServeLeavesNothing(t *testing.T) {
	s := serve(t) // waits for its end, and goleak looks for what is left
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL()+"api/live?lab=jitter-herd&rest=60s&net=pipe", nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Transport: &http.Transport{}}
	t.Cleanup(browser.CloseIdleConnections) // after the server has ended
	got, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(got.Body)
	got.Body.Close()
	if err != nil || got.StatusCode != 202 || !strings.HasPrefix(string(body), `{"phase":"running"`) {
		t.Errorf("%d %v: %s", got.StatusCode, err, body)
	}
}

func TestCheckListen(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:0": true, "127.0.0.2:80": true, "localhost:0": true, "[::1]:0": true,
		"0.0.0.0:0": false, ":8080": false, "[::]:0": false, "192.168.1.1:80": false, "example.com:80": false, "127.0.0.1": false, "": false,
	} {
		if err := CheckListen(address); (err == nil) != want {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A listener that others reach is refused, whatever it was asked for as.
func TestNewRefusesOtherListeners(t *testing.T) {
	if _, err := New(elsewhere{}, BuiltIn(), testToken); err == nil || !strings.Contains(err.Error(), "192.0.2.1:80 can be reached by others") {
		t.Error(err)
	}
}

type elsewhere struct{ net.Listener }

func (elsewhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }

func TestTokensDiffer(t *testing.T) {
	if a, b := NewToken(), NewToken(); a == b || len(a) < 26 {
		t.Errorf("%q, %q", a, b)
	}
}
