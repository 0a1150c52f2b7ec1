package tap

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"labctl/audit/proxy"
	"labctl/faultserver"
)

// attempts is a policy with four of them, on one client as libraries have.
const attempts = 4

// launch runs a recipe in front of an address, where it is installed.
func launch(t *testing.T, text, upstream string) *proxy.Running {
	t.Helper()
	recipe, options, err := proxy.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := proxy.Installed(recipe); !ok {
		t.Skipf("%s is not installed", recipe.Title)
	}
	t.Logf("%s %s", recipe.Title, proxy.Version(t.Context(), recipe))
	running, err := proxy.Start(t.Context(), recipe, proxy.Setup{Upstreams: []string{upstream}, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Stop)
	return running
}

// persist tries until an answer is well or there are no attempts left. It rests between
// them as little as possible, which makes it hardest to tell from a hidden replay.
func persist(c *http.Client, method, url, body string) {
	for range attempts {
		if status, _ := send(c, method, url, body); status != 0 && status < 500 {
			return
		}
	}
}

// A policy of 4 and one of 4 make 28 hits and not 16: HAProxy closes the client's
// connection without an answer where that has carried one before, as if it had only been
// idle for too long, and net/http sends the request again on a new one. Only a tap
// between the two can tell these three requests from the policy's four.
func TestWhoMultiplies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault, method, body      string
		keepAlive                bool
		front, hidden, back, hit int
	}{
		{"close", "GET", "", true, 7, 3, 28, 28},
		{"close", "GET", "", false, 4, 0, 16, 16},
		{"close", "POST", "hello", true, 4, 1, 16, 16}, // net/http replays none: the one is the policy's, which did not rest
		{"503", "GET", "", true, 4, 0, 16, 16},
		{"503", "POST", "hello", true, 4, 0, 16, 16}, // in one segment, with a tap as without
		{"404", "GET", "", true, 1, 0, 1, 1},
	} {
		t.Run(fmt.Sprintf("%s %s keep-alive=%t", tt.fault, tt.method, tt.keepAlive), func(t *testing.T) {
			t.Parallel()
			tail := faultserver.Start(t, tt.fault)
			back := open(t, strings.TrimPrefix(tail.URL, "http://"))
			front := open(t, launch(t, "haproxy:statuses", back.Addr).Addr)

			persist(client(t, tt.keepAlive), tt.method, front.URL(), tt.body)
			requests := front.Requests()
			equal(t, "requests of the client", len(requests), tt.front)
			equal(t, "of them hidden", len(Hidden(requests, time.Second)), tt.hidden)
			equal(t, "requests of the proxy", len(back.Requests()), tt.back)
			equal(t, "of them hidden", len(Hidden(back.Requests(), time.Second)), 0)
			equal(t, "hits", tail.Hits(), tt.hit)
			if t.Failed() {
				t.Log("in front:\n" + story(requests))
			}
		})
	}
}

// A proxy has an HTTP stack too. What it sends again by itself is on its far side.
func TestAProxyReplaysBehindItsPolicy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		recipe       string
		sent, hidden int
	}{
		{"caddy", 2, 1},           // no policy at all
		{"caddy:retries=3", 5, 1}, // four attempts and one replay
		{"varnish", 2, 1},
		{"nginx:keep-alive,servers=1", 2, 1},
		{"apache", 1, 0},
	} {
		t.Run(tt.recipe, func(t *testing.T) {
			t.Parallel()
			tap, _ := before(t, "ok,close")
			url := launch(t, tt.recipe, tap.Addr).URL
			for range 2 {
				send(client(t, false), "GET", url, "")
			}
			requests := tap.Requests()[1:] // the first was well
			equal(t, "requests", len(requests), tt.sent)
			equal(t, "of them hidden", len(Hidden(requests, time.Second)), tt.hidden)
		})
	}
}
