package live

import (
	"net/http"
	"time"

	"labctl/faultserver"
	"labctl/topology/policy"
)

// request is one logical request as it travels down: what it is and where on
// the tree of attempts it stands. It does not change.
type request struct {
	method   string
	key      string      // idempotency key; empty: none
	path     string      // text of its policy.Path
	luck     policy.Luck // of the call; that of an attempt follows from its path
	route    uint8
	deadline policy.Deadline // that came in with it
	traced   bool            // its tree will be shown
	start    *start          // of a client's first request; nil: it waits for nothing
}

// start is how the first request of a client waits for the release.
type start struct {
	gate  *gate
	after time.Duration // of the request, after the release
	delay time.Duration // of its last byte: with the latency of the network
	wave  bool          // one of the first wave
	sent  bool          // an attempt was made before the release
}

const (
	keyHeader      = faultserver.KeyHeader
	degradedHeader = "Labctl-Degraded" // the answer is a fallback's
	droppedHeader  = "Labctl-Dropped"  // no worker turned to it: nobody waited any more
)

// repeatable reports whether the request is safe to repeat: its method is
// idempotent (RFC 9110, section 9.2.2) or it carries an idempotency key.
func (r *request) repeatable() bool {
	switch r.method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodPut, http.MethodDelete:
		return true
	}
	return r.key != ""
}
