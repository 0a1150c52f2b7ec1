package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"labctl/faultserver"
	"labctl/faultserver/control"
	"labctl/faultserver/program"
)

// retrier is a service that tries what it calls so often, and may say which attempt it is.
type retrier struct {
	to       func() string
	attempts int
	header   string
}

func (r retrier) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	status := http.StatusBadGateway
	for k := 1; k <= r.attempts && status >= 500; k++ {
		out, err := http.NewRequestWithContext(in.Context(), in.Method, r.to(), nil)
		if err != nil {
			panic(err)
		}
		if r.header != "" {
			out.Header.Set(r.header, strconv.Itoa(k))
		}
		status = http.StatusBadGateway
		if answer, err := http.DefaultTransport.RoundTrip(out); err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			status = answer.StatusCode
		}
	}
	w.WriteHeader(status)
}

// tailSaid is a stderr from which a system learns where the tail is, as a person would.
type tailSaid struct {
	mu  sync.Mutex
	all bytes.Buffer
	url atomic.Value
}

func (s *tailSaid) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.Write(p)
	if _, url, ok := strings.Cut(strings.TrimSpace(s.all.String()), "to the tail, "); ok {
		s.url.CompareAndSwap(nil, url)
	}
	return len(p), nil
}

func (s *tailSaid) where() string { return s.url.Load().(string) }

// system starts layers with these attempts, outermost first, and returns its front door.
func system(t *testing.T, to func() string, header string, attempts ...int) string {
	for i := len(attempts) - 1; i >= 0; i-- {
		s := httptest.NewServer(retrier{to, attempts[i], header})
		t.Cleanup(s.Close)
		url := s.URL
		to, header = func() string { return url }, ""
	}
	return to()
}

// probes runs labctl probe.
func probes(ctx context.Context, said *tailSaid, args ...string) (code int, stdout string) {
	var out bytes.Buffer
	code = run(ctx, append([]string{"probe", "--quiet-for", "50ms"}, args...), streams{in: strings.NewReader(""), out: &out, err: said})
	return code, out.String()
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func TestProbe(t *testing.T) {
	for _, tt := range []struct {
		name, header string
		attempts     []int
		args         []string
		code         int
		want, said   string // a part of stdout, and the end of stderr
	}{
		{"no retry", "", []int{1}, nil, 0, "nothing on the way retries on this fault", ""},
		{"no fault", "", []int{3, 3}, []string{"--fault", "ok"}, 0, "1 request → 1 hit at the tail; the answer was 200", ""},
		{"no rests", "", []int{3, 3}, nil, 0, "one request becomes 9, by 9, or 3 × 3", ""},
		{"numbered", "X-Envoy-Attempt-Count", []int{3, 3}, []string{"--method", "POST", "--body", "x"}, 0, "2 layers retry: 3 × 3 = 9: let one of them own the retries", ""},
		{"one layer", "", []int{1, 3}, nil, 0, "one layer retries, with 3 attempts", ""},
		{"within", "", []int{1, 3}, []string{"--max-amplification", "3"}, 0, "3 hits", ""},
		{"a fault that passes", "", []int{5, 3}, []string{"--fault", "503,ok"}, 0, "one request becomes at least 2\ndoubt: the count is a lower bound: the fault 503,ok passed", ""},
		{"a bound is no proof", "", []int{5, 3}, []string{"--fault", "503,ok", "--max-amplification", "3"}, 1, "at least 2", "labctl: one request became at least 2 hits, which does not show that 3 is the most: see the doubt"},
		{"a fault that would pass", "", []int{1, 3}, []string{"--fault", "503x5,ok"}, 0, "one layer retries, with 3 attempts", ""},
		{"nobody gave up", "", []int{5, 3}, []string{"--fault", "hang", "--timeout", "200ms"}, 0, "no retry within 200ms: whoever waits had not given up yet\n", ""},
		{"from 0", "X-Stainless-Retry-Count", []int{1, 1}, nil, 0, "nothing on the way retries", ""},
		{"too many", "", []int{2, 3}, []string{"--max-amplification", "3"}, 1, "6 hits", "labctl: one request became 6 hits, over the limit of 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var said tailSaid
			door := system(t, said.where, tt.header, tt.attempts...)
			code, out := probes(t.Context(), &said, append(tt.args, "--listen", "127.0.0.1:0", door)...)
			if code != tt.code || !strings.Contains(out, tt.want) || !strings.HasSuffix(lastLine(said.all.String()), tt.said) {
				t.Errorf("exit code %d, want %d\n%s\nwant %q\nstderr %s", code, tt.code, out, tt.want, said.all.String())
			}
		})
	}
}

// A system whose last hop points elsewhere is no system without retries.
func TestProbeNoHit(t *testing.T) {
	elsewhere := faultserver.Start(t, "503")
	var said tailSaid
	code, out := probes(t.Context(), &said, "--listen", "127.0.0.1:0", system(t, func() string { return elsewhere.URL }, "", 2))
	want := "point the last hop of the system to it, and see that it is not taken for down"
	if code != 1 || out != "" || !strings.HasSuffix(lastLine(said.all.String()), want) || elsewhere.Hits() != 2 {
		t.Errorf("exit code %d, %d hits elsewhere, stdout %q, stderr %s", code, elsewhere.Hits(), out, said.all.String())
	}
}

// serves starts a labctl serve with a token.
func serves(t *testing.T, fault string) (url string) {
	t.Helper()
	p, err := program.Parse(fault)
	if err != nil {
		t.Fatal(err)
	}
	h, err := control.New(control.Config{Program: p, Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := h.Serve(l, nil)
	t.Cleanup(func() { server.Close() })
	return "http://" + l.Addr().String()
}

// A labctl serve elsewhere counts as well, and keeps the program that it has.
func TestProbeRemoteTail(t *testing.T) {
	base := serves(t, "503x2,ok")
	for _, tt := range []struct {
		path string
		args []string
		hits int
	}{
		{"", nil, 3},        // two faults, then ok
		{"/p/mine", nil, 4}, // a new id, with the default of --fault
		{"", nil, 3},        // its turns begin anew
		{"/p/mine", []string{"--fault", "503x1,ok"}, 2},
	} {
		var said tailSaid
		door := system(t, func() string { return base + tt.path + "/orders" }, "", 4)
		args := append(tt.args, "--tail", base+tt.path, "--token", "secret", "--format", "json", door)
		code, out := probes(t.Context(), &said, args...)
		var r probeResult
		if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || r.Hits != tt.hits || len(r.GapsMS) != tt.hits-1 || r.Schema != probeSchema {
			t.Errorf("%s: exit code %d, %v, want %d hits: %s %s", tt.path, code, err, tt.hits, out, said.all.String())
		}
	}
	var said tailSaid
	code, _ := probes(t.Context(), &said, "--tail", base, base)
	if code != exitUsage || !strings.Contains(said.all.String(), "labctl: --tail "+base+": ") {
		t.Errorf("without the token: exit code %d, %s", code, said.all.String())
	}
}

// An interrupt prints what was counted so far.
func TestProbeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var said tailSaid
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		retrier{said.where, 2, ""}.ServeHTTP(httptest.NewRecorder(), r)
		cancel()
		<-r.Context().Done() // it never answers
	}))
	defer door.Close()
	code, out := probes(ctx, &said, "--listen", "127.0.0.1:0", "--format", "json", door.URL)
	var r probeResult
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitInterrupted || !r.Partial || r.Hits != 2 {
		t.Errorf("exit code %d, %v: %s %s", code, err, out, said.all.String())
	}
}

// The request is sent once, whatever becomes of its connection.
func TestSendOnce(t *testing.T) {
	for _, fault := range []string{"503", "reset", "close", "truncate", "malformed", "302+location=again"} {
		for _, body := range []string{"", "x"} {
			tail := faultserver.Start(t, fault)
			sendOnce(t.Context(), http.MethodPut, tail.URL+"/here", body, time.Minute)
			if n := tail.Hits(); n != 1 {
				t.Errorf("%s, body %q: %d hits", fault, body, n)
			}
		}
	}
}

func TestProbeRefuses(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "probe takes one URL, that of the system's front door: labctl probe http://localhost:8080/"},
		{[]string{"localhost:8080"}, `"localhost:8080" is no URL: write it like http://localhost:8080/orders`},
		{[]string{"http://x/", "--timeout", "0s"}, "--timeout: 0s would wait for nothing: say a time, such as 60s"},
		{[]string{"http://x/", "--quiet-for", "-1s"}, "--quiet-for: -1s would not wait for retries: say more than the longest rest, such as 3s"},
		{[]string{"http://x/", "--max-amplification", "0"}, "--max-amplification: 0: say 1 for no retry at all, or more"},
		{[]string{"http://x/", "--format", "xml"}, `--format "xml": choose table, json`},
		{[]string{"http://x/", "--method", "G T"}, `--method "G T": write it like GET or POST`},
		{[]string{"http://x/", "--tail", "http://y", "--listen", ":1"}, "--tail is in place of --listen: leave one of them out"},
		{[]string{"http://x/", "--token", "y"}, "--token: only a labctl serve asks for one: say --tail URL"},
		{[]string{"http://x/", "--tail", "tail.test"}, `--tail "tail.test": write it like http://tail.test:8425, or http://tail.test:8425/p/ID for one id`},
		{[]string{"http://x/", "--tail", "http://tail.test/orders"}, "--tail http://tail.test/orders: the path is /p/ID, or none for the default tail"},
		{[]string{"http://x/", "--fault", "refuse"}, "--fault: refused connections cannot be counted: write reset for connections that die"},
	} {
		var said tailSaid
		code, out := probes(t.Context(), &said, tt.args...)
		if got := said.all.String(); code != exitUsage || out != "" || got != "labctl: "+tt.want+"\n" {
			t.Errorf("%v: exit code %d\n got %s\nwant %s", tt.args, code, got, tt.want)
		}
	}
}
