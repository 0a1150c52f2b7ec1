package control

import (
	"net/http"
	"strings"
)

// Guard protects a handler of another server as the API is protected: from browsers
// that were led here, see [Config.AnyHost], and if it is guarded from who does not
// know [Config.Token].
func Guard(c Config, guarded bool, next http.Handler) http.Handler {
	g := newGuard(c)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := g.checkBrowser(r)
		if err == nil {
			err = g.checkToken(r, guarded)
		}
		if err != nil {
			answer(w, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsAPI reports whether a path is one of those that no tail sees.
func IsAPI(path string) bool { return strings.HasPrefix(path, apiPrefix) }
