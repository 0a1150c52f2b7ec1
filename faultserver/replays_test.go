package faultserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// Go's net/http sends a request again that no policy asked it to, when a connection that
// was good once dies before the answer (golang/go#48438, #19943, #22158, #15723). What it
// needs for that is a reused connection, a request that may be repeated (GET, HEAD,
// OPTIONS, TRACE, or one with an idempotency key) and a body that can be had again. It
// goes on while it finds idle connections and ends with a fresh one, which it never
// retries.
//
// The program has each request of the warming answered and drops what comes after: on
// every connection under conn:, where the fresh one then has an answer, and for ever
// without, where it has none. The client sees no difference in how often it was sent.
var replays = []struct {
	what      string
	warm      int // idle connections, each of which was good once
	keepAlive bool
	method    string
	key       string
	body      func() io.Reader
	turns     string // of the hits of one logical request: which request on its connection each was
}{
	{what: "GET", warm: 1, keepAlive: true, method: "GET", turns: "2 1"},
	{what: "HEAD", warm: 1, keepAlive: true, method: "HEAD", turns: "2 1"},
	{what: "POST", warm: 1, keepAlive: true, method: "POST", body: inMemory, turns: "2"},
	{what: "POST without a body", warm: 1, keepAlive: true, method: "POST", turns: "2"},
	{what: "PUT", warm: 1, keepAlive: true, method: "PUT", body: inMemory, turns: "2"},
	{what: "DELETE", warm: 1, keepAlive: true, method: "DELETE", turns: "2"},
	{what: "POST with a key", warm: 1, keepAlive: true, method: "POST", key: "k1", body: inMemory, turns: "2 1"},
	{what: "POST with a key, and a body that is gone", warm: 1, keepAlive: true, method: "POST", key: "k1", body: inPassing, turns: "2"},
	{what: "GET as the first request", warm: 0, keepAlive: true, method: "GET", turns: "1"},
	{what: "GET with keep-alives off", warm: 1, keepAlive: false, method: "GET", turns: "1"},
	{what: "GET with two idle connections", warm: 2, keepAlive: true, method: "GET", turns: "2 2 1"},
	{what: "POST with two idle connections", warm: 2, keepAlive: true, method: "POST", body: inMemory, turns: "2"},
}

func inMemory() io.Reader  { return strings.NewReader("order") }
func inPassing() io.Reader { return io.MultiReader(strings.NewReader("order")) }

func TestReplaysOfNetHTTP(t *testing.T) {
	for _, end := range []string{"close", "reset"} {
		for _, tt := range replays {
			for _, prefix := range []string{"", "conn:"} {
				text := dropping(prefix, tt.warm, end)
				t.Run(tt.what+" "+text, func(t *testing.T) {
					replay(t, text, tt.warm, tt.keepAlive, func(url string) *http.Request {
						var body io.Reader
						if tt.body != nil {
							body = tt.body()
						}
						r, err := http.NewRequest(tt.method, url, body)
						if err != nil {
							t.Fatal(err)
						}
						if tt.key != "" {
							r.Header.Set(faultserver.KeyHeader, tt.key)
						}
						return r
					}, tt.turns)
				})
			}
		}
	}
}

// dropping is a program that is good once on each of so many connections.
func dropping(prefix string, warm int, end string) string {
	switch {
	case warm == 0:
		return prefix + end
	case prefix == "":
		return fmt.Sprintf("okx%d,%s", warm, end)
	}
	return prefix + "ok," + end
}

// replay warms connections, sends one more request and looks at its hits alone.
func replay(t *testing.T, text string, warm int, keepAlive bool, request func(url string) *http.Request, turns string) {
	tail := faultserver.StartConfig(t, faultserver.Config{Program: program.MustParse(text), Next: together(warm)})
	transport := &http.Transport{DisableKeepAlives: !keepAlive} // two idle connections, as by default
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	warmUp(client, tail.URL, warm)

	r := request(tail.URL)
	r.Header.Set("X-Request-Id", "the one")
	res, err := client.Do(r)
	if err == nil {
		res.Body.Close()
	}
	var got []string
	for _, a := range tail.Arrivals() {
		if a.ID == "the one" {
			got = append(got, fmt.Sprint(a.Turn))
		}
	}
	equal(t, "hits, by their turn on the connection", strings.Join(got, " "), turns)
	equal(t, "answered", err == nil, strings.HasPrefix(text, "conn:ok") && strings.HasSuffix(turns, "1"))
}

// warmUp has n connections answer a request each, and leaves them idle.
func warmUp(client *http.Client, url string, n int) {
	var group sync.WaitGroup
	for range n {
		group.Go(func() { get(client, url) })
	}
	group.Wait()
}

// together answers the first n requests when all of them have come, so that no two of
// them share a connection.
func together(n int) http.Handler {
	ctx, all := context.WithCancel(context.Background())
	var mu sync.Mutex
	came := 0
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if came++; came >= n {
			all()
		}
		mu.Unlock()
		<-ctx.Done()
	})
}
