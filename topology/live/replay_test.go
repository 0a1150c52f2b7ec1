package live_test

import (
	"io"
	"net/http"
	"testing"

	"labctl/faultserver"
)

// Case A03: the standard Go HTTP client replays requests nobody asked it to
// retry (golang/go#48438, #19943), when a connection that had worked dies before
// the answer. The lab's own client must not: what the policy does not see, it
// cannot count.
func TestCaseA03TheLabNeverReplays(t *testing.T) {
	for _, tt := range []struct {
		fault    string
		attempts int
		hits     int64
	}{
		{"ok,close", 1, 2}, // FIN
		{"ok,reset", 1, 2}, // RST
		{"ok,close", 3, 4}, // every one of three attempts is the policy's own
		{"ok,reset", 3, 4},
	} {
		for _, method := range []string{"GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH"} {
			for net, n := range networks() {
				for _, key := range []string{"false", "true"} {
					o := run(t, lab(t, []int{tt.attempts}, "services.a.fault="+tt.fault, "load.herd.requests=2", "load.method="+method, "load.key="+key), n)
					what := text(tt.attempts) + " attempts of " + method + ", " + tt.fault + " over " + net
					equal(t, what+": hits", o.Hits, tt.hits)
					equal(t, what+": attempts", o.attempts(), tt.hits)
					equal(t, what+": success of the first request only", o.Outcomes.OK, 1)
					equal(t, what+": mismatch", o.warning("hits-differ-from-attempts"), "")
				}
			}
		}
	}
}

// The test above could fail: a stock transport makes three hits of two requests
// of the same tail, and two where the body cannot be had again.
func TestCaseA03AStockTransportReplays(t *testing.T) {
	for _, tt := range []struct {
		fault, method, key string
		hits               int
	}{
		{"ok,close", "GET", "", 3},
		{"ok,reset", "GET", "", 3},
		{"ok,close", "POST", "", 2},
		{"ok,close", "PUT", "", 2},
		{"ok,close", "POST", "k", 3},
	} {
		tail := faultserver.Start(t, tt.fault)
		transport := &http.Transport{}
		for range 2 {
			request, err := http.NewRequestWithContext(t.Context(), tt.method, tail.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.key != "" {
				request.Header.Set("Idempotency-Key", tt.key)
			}
			if response, err := transport.RoundTrip(request); err == nil {
				io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		}
		transport.CloseIdleConnections()
		equal(t, tt.method+" "+tt.fault+" "+tt.key, tail.Hits(), tt.hits)
	}
}
