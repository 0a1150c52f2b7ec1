package live

import (
	"net/http"

	"labctl/topology/policy"
)

// request is one logical request as it travels down: what it is and where on
// the tree of attempts it stands.
type request struct {
	method string
	key    string      // idempotency key; empty: none
	path   string      // text of its policy.Path
	luck   policy.Luck // of the call; that of an attempt follows from its path
	traced bool        // its tree will be shown
	start  *start
}

const keyHeader = "Idempotency-Key"

// repeatable reports whether the request is safe to repeat: its method is
// idempotent (RFC 9110, section 9.2.2) or it carries an idempotency key.
func (r request) repeatable() bool {
	switch r.method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodPut, http.MethodDelete:
		return true
	}
	return r.key != ""
}

// attempt is the request as the nth attempt on an edge sends it. Only the
// first attempt of a client may wait at the gate.
func (r request) attempt(e *edge, n int) request {
	r.path = policy.ExtendPath(r.path, e.from, e.to, n)
	if n > 1 {
		r.start = nil
	}
	return r
}
