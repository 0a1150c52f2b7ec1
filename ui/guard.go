package ui

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// NewToken makes the secret part of a page's address.
func NewToken() string { return rand.Text() }

// CheckListen refuses an address that others could reach: what is on the page may start
// runs on this machine.
func CheckListen(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--listen %q: %w: write it as 127.0.0.1:8080, or 127.0.0.1:0 for a free port", address, err)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("--listen %s: others could reach that, and the page starts runs on this machine: listen on loopback, such as 127.0.0.1:0, and come from afar through ssh -L", address)
}

// contentPolicy is what a browser is to hold the page to: nothing from elsewhere, nothing
// inline, no frame around it.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard lets through what comes with the token, to a name of this machine, and takes
// the token off the path. Everything else hears of nothing but the refusal.
func guard(token string, port string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer") // the address is a secret
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		given, rest, whole := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case !isLocal(r.Host, port): // a foreign name that was made to lead here
			http.Error(w, "this page answers to 127.0.0.1 and localhost only", http.StatusForbidden)
		case !same(given, token):
			http.Error(w, "the address lacks the token: take the one that labctl ui printed", http.StatusForbidden)
		case !whole:
			http.Redirect(w, r, "/"+token+"/", http.StatusPermanentRedirect)
		default:
			inner := r.Clone(r.Context())
			inner.URL.Path, inner.URL.RawPath = "/"+rest, ""
			next.ServeHTTP(w, inner)
		}
	})
}

// isLocal reports whether a Host header is a name of this machine's own loopback, with
// the port of the page.
func isLocal(host, port string) bool {
	name, p, err := net.SplitHostPort(host)
	if err != nil {
		name, p = host, "80"
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return p == port && (name == "localhost" || ip != nil && ip.IsLoopback())
}

// same compares secrets in a time that says nothing about them, their length included.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
