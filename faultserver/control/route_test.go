package control

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"labctl/faultserver/program"
)

// Whatever the path, a request belongs to one tail, to the API, or is refused; ids are
// plain and bounded in number; and a hit is counted once.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"/", "", "*", "/p/a/x", "/p//", "/p/..", "/orders", "/orders/x", "/ordersx", "/-/v1", "/-/v1/tails/%2Forders", "/%2D/v1", "//-/v1", "/p%2Fa/x", "/p/\x00", "/p/a\x1b[2J", "/-/../p/a", "/-/v1/reset/../tails"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		h, err := New(Config{IDs: 2, Paths: []PathProgram{{"/orders", program.Program{}}}})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "http://127.0.0.1/", nil)
		r.URL = &url.URL{Path: path}
		r.RequestURI = path
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)

		hits := h.Overview().Hits
		switch {
		case strings.HasPrefix(path, apiPrefix):
			if hits != 0 {
				t.Errorf("%q of the API is a hit", path)
			}
		case w.Code == http.StatusOK:
			if hits != 1 {
				t.Errorf("%q: %d hits", path, hits)
			}
		case w.Code != http.StatusBadRequest || hits != 0 || !strings.HasPrefix(path, idPrefix):
			t.Errorf("%q: %d and %d hits", path, w.Code, hits)
		}
		for _, tail := range h.Tails() {
			plain := strings.Trim(tail.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-") == ""
			if tail.Name != "/orders" && (!plain || len(tail.Name) > MaxID) {
				t.Errorf("%q made the id %q", path, tail.Name)
			}
			if tail.Name == "/orders" && (tail.Hits == 1) != (path == "/orders" || strings.HasPrefix(path, "/orders/")) {
				t.Errorf("%q: %d hits of /orders", path, tail.Hits)
			}
		}
	})
}
