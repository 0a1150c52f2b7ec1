package proxy

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"labctl/faultserver"
	"labctl/faultserver/program"
)

// start runs a recipe in front of upstreams for the duration of a test, where it is
// installed.
func start(t *testing.T, text string, upstreams ...string) *Running {
	t.Helper()
	r, options, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := Installed(r); !ok {
		t.Skipf("%s is not installed", r.Title)
	}
	p, err := Start(t.Context(), r, Setup{Upstreams: upstreams, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}

// send makes one request on a connection of its own and returns the status, or 0.
func send(t *testing.T, method, url string) int {
	t.Helper()
	body := ""
	if method == "POST" {
		body = "hello"
	}
	req, err := http.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

func address(tail *faultserver.Server) string { return strings.TrimPrefix(tail.URL, "http://") }

// counts are the hits that one request makes through a proxy. Requests of a line meet
// their faults in order, in front of one proxy, as some proxies remember.
var counts = []struct{ recipe, requests string }{
	// Errors and timeouts go on to the next server, once around. Statuses do not.
	{"nginx", "GET 503+close 1, POST 503+close 1, GET malformed 1, GET close 2"},
	{"nginx:max-fails=0", "GET close 2, POST close 1, GET reset 2, POST reset 1"},
	{"nginx:statuses,max-fails=0", "GET 503+close 2, POST 503+close 1, GET 429+close 2, GET 404+close 1, GET close 2"},
	{"nginx:statuses", "GET 503+close 2, GET 503+close 1, GET 503+close 0"}, // taken out as failed
	{"nginx:statuses,non-idempotent,max-fails=0", "POST 503+close 2, POST close 2"},
	{"nginx:statuses,servers=5,max-fails=0", "GET 503+close 5"},
	{"nginx:statuses,servers=5,max-fails=0,retries=2", "GET 503+close 3"},
	{"nginx:on=error+503,max-fails=0", "GET 503+close 2, GET 500+close 1"},
	{"nginx:keep-alive,max-fails=0", "GET ok 1, GET close 2, GET ok 1, POST close 1"},
	{"nginx:max-fails=0,read-timeout=300ms", "GET hang 2, POST hang 1"},

	{"haproxy", "GET 503+close 1, POST 503+close 1, GET close 1"},
	{"haproxy:statuses", "GET 503+close 4, POST 503+close 4, GET 429+close 1, GET 404+close 1, GET close 4, POST close 4, GET malformed 4"},
	{"haproxy:statuses,buffer-request", "POST 503+close 4, POST close 4"},
	{"haproxy:statuses,idempotent-only", "GET 503+close 4, POST 503+close 1"},
	{"haproxy:on=error+503,retries=1", "GET 503+close 2, GET close 2, GET 500+close 1, GET malformed 1"},
	{"haproxy:statuses,read-timeout=300ms", "GET hang 4"},

	{"caddy", "GET 503+close 1, GET close 1, POST close 1"},
	{"caddy:retries=3", "GET 503+close 1, GET close 4, POST close 1, GET reset 4, GET malformed 4, GET ok 1, GET close 5"}, // one hidden,
	{"caddy:retries=3,read-timeout=300ms", "GET hang 4, POST hang 1"},

	// Only a member that cannot be reached is left for the next one.
	{"apache", "GET ok 1, GET close 1, GET 503+close 1, POST 503+close 1, GET close 1, GET reset 1, GET malformed 1"},

	{"squid", "GET 503+close 1, GET 502+close 2, GET 504+close 2, POST 502+close 1, GET close 2, POST close 1"},
	{"squid:statuses", "GET 403+close 2, GET 500+close 2, GET 501+close 2, GET 503+close 2, POST 503+close 1, GET 404+close 1, GET 429+close 1"},
	{"squid:statuses,servers=5,retries=2", "GET 503+close 3"},

	// By itself it repeats what was lost on a used connection, here the one of ok.
	{"varnish", "GET 503+close 1, GET close 1, GET ok 1, GET close 2"},
	{"varnish:retries=2", "GET 503+close 3, GET close 3, POST 503+close 1"},
	{"varnish:retries=2,buffer-request", "POST 503+close 3, POST close 3"},
	{"varnish:on=error", "GET 503+close 1, GET close 5"},
	{"varnish:on=503", "GET 503+close 5, GET 500+close 1, GET close 1"},

	{"envoy", "GET 503+close 1, GET close 1"},
	{"envoy:retries=3", "GET 503+close 4, GET close 4"},
}

func TestHitsOfOneRequest(t *testing.T) {
	for _, tt := range counts {
		t.Run(tt.recipe, func(t *testing.T) {
			t.Parallel()
			tail := faultserver.Start(t, "ok")
			p := start(t, tt.recipe, address(tail))
			if tail.Hits() != 0 {
				t.Errorf("%d hits before the first request", tail.Hits())
			}
			var got []string
			for request := range strings.SplitSeq(tt.requests, ", ") {
				words := strings.Fields(request)
				tail.SetProgram(program.MustParse(words[1]))
				before := tail.Hits()
				send(t, words[0], p.URL+"/")
				got = append(got, fmt.Sprint(words[0], " ", words[1], " ", tail.Hits()-before))
			}
			if story := strings.Join(got, ", "); story != tt.requests {
				t.Errorf("%s\ngot  %s\nwant %s", tt.recipe, story, tt.requests)
			}
		})
	}
}

// A proxy that balances goes on to the next server where one refuses, also for a
// POST, of which nothing was sent. Caddy picks servers at random, so it gets many tries.
func TestARefusalGoesToTheNextServer(t *testing.T) {
	for recipe, method := range map[string]string{
		"nginx": "POST", "haproxy:redispatch": "POST", "apache": "POST", "squid": "POST",
		"caddy:retries=40": "GET", // it tries a POST too, but has closed its body by then
	} {
		t.Run(recipe, func(t *testing.T) {
			t.Parallel()
			tail := faultserver.Start(t, "ok")
			p := start(t, recipe, address(faultserver.Start(t, "refuse")), address(tail))
			for range 2 {
				if status := send(t, method, p.URL+"/"); status != 200 {
					t.Errorf("got %d, want 200", status)
				}
			}
			if tail.Hits() != 2 {
				t.Errorf("got %d hits, want 2", tail.Hits())
			}
		})
	}
}
