package subjects_test

import (
	"slices"
	"strings"
	"testing"

	"labctl/audit/subjects"
	"labctl/faultserver"
)

// The standard client repeats a request on a connection that was good once, if it may and
// can (golang/go#19943). Hits count the warm-up.
func TestStandardClientReplays(t *testing.T) {
	for _, tt := range []struct {
		method, key string
		warm        bool
		want        int
	}{
		{"GET", "", true, 3},
		{"POST", "", true, 2},
		{"PUT", "", true, 2},
		{"POST", "k", true, 3},
		{"GET", "", false, 1},
	} {
		for _, end := range []string{"close", "reset"} {
			s, c := built(t, "go-net-http"), subjects.Call{Method: tt.method, Key: tt.key}
			if tt.method != "GET" {
				c.Body = "hello, world!"
			}
			text := end
			if tt.warm {
				text = "ok," + end
			}
			tail := faultserver.Start(t, text)
			c.URL = tail.URL
			if tt.warm {
				c.Warm = tail.URL
			}
			if failure := call(t, s, c); failure == "" || tail.Hits() != tt.want {
				t.Errorf("%s key %q, %s: %d hits, want %d and a failure; %s", tt.method, tt.key, text, tail.Hits(), tt.want, failure)
			}
		}
	}
}

// go-retryablehttp v0.7.8 takes a wait of centuries for none: it comes to all its attempts
// (hashicorp/go-retryablehttp#297). The last value is no number to it, and it rests as it
// would without.
func TestHugeRetryAfterIsNone(t *testing.T) {
	for _, seconds := range []string{"9223372037", "9223372036854775807", "99999999999999999999"} {
		s := built(t, "go-retryablehttp")
		tail := faultserver.Start(t, "429+retry-after="+seconds)
		failure := call(t, s, subjects.Call{Method: "GET", URL: tail.URL})
		if failure == "" || tail.Hits() != 4 {
			t.Errorf("retry-after %s: %d hits, want 4 and a failure; %s", seconds, tail.Hits(), failure)
		}
	}
}

// The second attempt of the wrong loop has no body to send, and the transport knows it.
// On a kept connection it repairs that, so that only a fresh one shows the bug.
func TestBodyIsRewound(t *testing.T) {
	for _, tt := range []struct {
		name, program string
		want          []int64
		fails         bool
	}{
		{"go-rewind", "503,201", []int64{63, 63}, false},
		{"go-rewind", "503+close,201", []int64{63, 63}, false},
		{"go-no-rewind", "503,201", []int64{63, 63}, false},
		{"go-no-rewind", "503+close,201", []int64{63}, true},
	} {
		s, tail := built(t, tt.name), faultserver.Start(t, tt.program)
		failure := call(t, s, subjects.Call{Method: "PUT", Body: strings.Repeat("b", 63), URL: tail.URL})
		var complete []int64
		for _, a := range tail.Arrivals() {
			if a.Complete {
				complete = append(complete, a.Body)
			}
		}
		if !slices.Equal(complete, tt.want) || (failure != "") != tt.fails {
			t.Errorf("%s, %s: bodies %v, want %v; failure %q", tt.name, tt.program, complete, tt.want, failure)
		}
	}
}
