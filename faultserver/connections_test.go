package faultserver_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// came says on which connection each hit came, and as which of its requests.
func came(h *faultserver.Handler) string {
	var got []string
	for _, a := range h.Arrivals() {
		got = append(got, fmt.Sprintf("%d.%d", a.Conn, a.Turn))
	}
	return strings.Join(got, " ")
}

// Connections, requests on a fresh one and requests on a reused one are three numbers.
func TestConnectionsAndTurns(t *testing.T) {
	tail := faultserver.Start(t, "ok")
	silent, err := net.Dial("tcp", strings.TrimPrefix(tail.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	reuses := &http.Client{Transport: transport}
	for _, client := range []*http.Client{reuses, newClient(t), reuses, reuses, newClient(t)} {
		if _, _, err := get(client, tail.URL); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "hits by connection", came(tail.Handler), "2.1 3.1 2.2 2.3 4.1")
	equal(t, "connections, the silent one too", tail.Connections(), 4)

	tail.Reset()
	if _, _, err := get(reuses, tail.URL); err != nil {
		t.Fatal(err)
	}
	equal(t, "a connection that stays open over a Reset goes on", came(tail.Handler), "2.4")
	equal(t, "connections since Listen", tail.Connections(), 4)
}

// A server that does not tell connections apart still counts hits, and under conn: gives
// them one position.
func TestConnectionsUnknown(t *testing.T) {
	h := handler("conn:503,ok")
	got := fmt.Sprint(hit(h, "a"), hit(h, "b"))
	equal(t, "statuses, connections", got+" "+came(h), "503 200 0.0 0.0")
}

// counted serves a handler over TLS, with HTTP/2 or without, by a server of its own.
func counted(t *testing.T, h http.Handler, http2 bool) (*httptest.Server, *faultserver.Connections) {
	var c faultserver.Connections
	server := httptest.NewUnstartedServer(h)
	server.Config.ConnContext = c.Context
	server.EnableHTTP2 = http2
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, &c
}

// The streams of HTTP/2 are requests of one connection, and steps under conn: are theirs.
func TestConnectionsOverTLS(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		h := handler("conn:200,201,202")
		server, c := counted(t, h, http2)
		var got []int
		for range 3 {
			res, _, err := get(server.Client(), server.URL)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, res.StatusCode)
			equal(t, "protocol", res.ProtoMajor == 2, http2)
		}
		equal(t, "statuses", fmt.Sprint(got), "[200 201 202]")
		equal(t, "connections, hits", fmt.Sprint(c.Accepted(), " ", came(h)), "1 1.1 1.2 1.3")
	}
}

// However many streams come at once, every turn is given out once.
func TestTurnsOfStreams(t *testing.T) {
	const streams = 50
	h := handler("conn:503x7,ok")
	server, _ := counted(t, h, true)
	if _, _, err := get(server.Client(), server.URL); err != nil { // so that there is one connection
		t.Fatal(err)
	}
	answers := make(chan error)
	for range streams {
		go func() {
			_, _, err := get(server.Client(), server.URL)
			answers <- err
		}()
	}
	for range streams {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
	var turns []int
	for _, a := range h.Arrivals() {
		equal(t, "failed, by turn", a.Status == 503, a.Turn <= 7)
		turns = append(turns, a.Turn)
	}
	slices.Sort(turns)
	equal(t, "turns", fmt.Sprint(turns[0], turns[streams], len(slices.Compact(turns))), fmt.Sprint(1, streams+1, streams+1))
}

// Every connection takes its own steps, and takes them anew after a Reset and in another
// program. Behind a mux it has a position with each Handler.
func TestConnPrograms(t *testing.T) {
	a, b := handler("conn:200,201"), handler("conn:400,401")
	mux := http.NewServeMux()
	mux.Handle("/a", a)
	mux.Handle("/b", b)
	server, _ := counted(t, mux, false)
	ask := func(path string) int {
		res, _, err := get(server.Client(), server.URL+path)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode
	}
	equal(t, "two handlers", fmt.Sprint(ask("/a"), ask("/b"), ask("/a"), ask("/b")), "200 400 201 401")
	a.Reset()
	equal(t, "after a Reset", fmt.Sprint(ask("/a"), ask("/b"), ask("/a")), "200 401 201")
	a.SetProgram(program.MustParse("conn:503,ok"))
	equal(t, "another program", fmt.Sprint(ask("/a"), ask("/a")), "503 200")
	server.Client().CloseIdleConnections()
	equal(t, "another connection", fmt.Sprint(ask("/a"), ask("/a"), ask("/b")), "503 200 400")
}

// The first values of the headers that were asked for are kept, in that order.
func TestHeadersAreKept(t *testing.T) {
	h := faultserver.New(faultserver.Config{Headers: []string{"User-Agent", "X-Attempt", "X-None"}})
	r := httptest.NewRequest("GET", "/", nil)
	r.Header = http.Header{"X-Attempt": {"2", "3"}, "User-Agent": {strings.Repeat("u", faultserver.MaxText+1)}, "X-Other": {"no"}}
	h.ServeHTTP(httptest.NewRecorder(), r)
	got := h.Arrivals()[0].Headers
	equal(t, "headers", fmt.Sprintf("%d %d %q", len(got), len(got[0]), got[1:]), fmt.Sprintf(`3 %d ["2" ""]`, faultserver.MaxText))

	plain := handler("ok")
	hit(plain, "a")
	equal(t, "none are kept unasked", plain.Arrivals()[0].Headers == nil, true)
}

// A connection that a Handler takes over is not lost to the count.
func TestConnectionsAfterHijack(t *testing.T) {
	tail := faultserver.Start(t, "conn:reset")
	for range 2 {
		if _, _, err := get(newClient(t), tail.URL); err == nil {
			t.Error("got an answer")
		}
	}
	equal(t, "hits by connection", came(tail.Handler), "1.1 2.1")
}
