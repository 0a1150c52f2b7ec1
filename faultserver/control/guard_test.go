package control_test

import (
	"testing"

	"labctl/faultserver/control"
)

// What changes something, and what tells of strangers, asks for the token.
func TestToken(t *testing.T) {
	h := handler(t, control.Config{Token: "s3cret"})
	status(h, "/p/a")
	for _, tt := range []struct {
		method, target string
		guarded        int
	}{
		{"GET", "/-/healthz", 200},
		{"GET", "/-/openapi.json", 200},
		{"GET", "/-/metrics", 200},
		{"GET", "/-/v1", 200},
		{"GET", "/-/v1/tails", 200},
		{"GET", "/-/v1/tails/a", 200},
		{"HEAD", "/-/v1/tails/a", 200},
		{"GET", "/-/v1/tails/a/arrivals", 401},
		{"HEAD", "/-/v1/tails/a/arrivals", 401},
		{"POST", "/-/v1/reset", 401},
		{"PUT", "/-/v1/tails/a", 401},
		{"DELETE", "/-/v1/tails/a", 401},
		{"DELETE", "/-/v1/tails/nobody", 401},
		{"POST", "/-/v1/tails/a/reset", 401},
		{"GET", "/p/a", 200},
	} {
		for _, wrong := range []string{"", "s3cret", "Basic s3cret", "Bearer", "Bearer ", "Bearer s3cre", "Bearer s3crett", "Bearer S3CRET", "Bearer s3cret s3cret"} {
			w := do(h, tt.method, tt.target, "", "Authorization", wrong)
			equal(t, tt.method+" "+tt.target+" with "+wrong, w.Code, tt.guarded)
			equal(t, "challenge", w.Header().Get("WWW-Authenticate") != "", tt.guarded == 401)
		}
	}
	equal(t, "hits are still there", tailNamed(t, h, "a").Hits, 10)
	for _, right := range []string{"Bearer s3cret", "bearer s3cret"} {
		equal(t, right, do(h, "POST", "/-/v1/reset", "", "Authorization", right).Code, 204)
	}
	equal(t, "hits are gone", tailNamed(t, h, "a").Hits, 0)
}

// A page from elsewhere cannot make a browser on this machine control the tail.
func TestBrowsers(t *testing.T) {
	h := handler(t, control.Config{})
	for _, tt := range []struct {
		method, name, value string
		want                int
	}{
		{"POST", "", "", 204},
		{"POST", "Sec-Fetch-Site", "cross-site", 403},
		{"POST", "Sec-Fetch-Site", "same-site", 403},
		{"POST", "Sec-Fetch-Site", "same-origin", 204},
		{"POST", "Origin", "http://evil.example", 403},
		{"POST", "Origin", "null", 403},
		{"POST", "Origin", "http://127.0.0.1:8425", 204},
		{"GET", "Sec-Fetch-Site", "cross-site", 405},
	} {
		header := []string{tt.name, tt.value}
		if tt.name == "" {
			header = nil
		}
		equal(t, tt.method+" "+tt.name+" "+tt.value, do(h, tt.method, "/-/v1/reset", "", header...).Code, tt.want)
	}
}

// A name that somebody points to 127.0.0.1 is not answered on loopback.
func TestHosts(t *testing.T) {
	near, anywhere := handler(t, control.Config{}), handler(t, control.Config{AnyHost: true})
	for host, loopback := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:8425": true, "127.9.9.9:1": true, "localhost": true, "LOCALHOST:8425": true, "localhost.": true,
		"tail.localhost:1": true, "[::1]": true, "[::1]:8425": true, "[::ffff:127.0.0.1]": true, "": true,
		"evil.example": false, "evil.example:8425": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false,
		"10.0.0.1:8425": false, "0.0.0.0:8425": false, "[::]:1": false, "notlocalhost": false, "127.1": false,
	} {
		for _, target := range []string{"/-/healthz", "/-/v1", "/-/nothing"} {
			equal(t, host+target+" is refused", hostStatus(near, host, target) == 403, !loopback)
			equal(t, host+target+" is refused by a server for all", hostStatus(anywhere, host, target) == 403, false)
		}
		equal(t, host+": a hit", hostStatus(near, host, "/"), 200)
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:0": true, "localhost:8425": true, "[::1]:1": true,
		":8425": false, "0.0.0.0:8425": false, "[::]:8425": false, "192.0.2.1:1": false, "example.com:1": false, "127.0.0.1": false,
	} {
		equal(t, address, control.Loopback(address), want)
	}
}
