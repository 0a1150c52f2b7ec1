package live

import (
	"context"
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
	begin <-chan struct{} // closed at the release
	after time.Duration   // of the request, after the release
	wave  bool            // one of the first wave
}

// held is the start of an attempt that is sent but for its last byte.
type held struct {
	*start
	delay time.Duration // of that, after the release: with the latency of the network
}

// await waits until the request is due. One without a start is.
func (s *start) await(ctx context.Context) bool {
	if s == nil {
		return true
	}
	select {
	case <-s.begin:
		return pause(ctx, s.after-s.gate.clock.since())
	case <-ctx.Done():
		return false
	}
}

// leave lets the herd go without those of so many requests that are not made.
func (s *start) leave(all, made int) {
	if made == 0 {
		s.gate.absent() // with the client's place
		made = 1
	}
	if all > made {
		s.gate.without(all - made)
	}
}

// later is the request for a call that is made after others: so much of what it had
// left is gone.
func (r *request) later(by time.Duration) *request {
	next := *r
	next.start = nil
	if next.deadline.Mode == policy.Remaining {
		next.deadline.Value -= int64(by)
	}
	return &next
}

const (
	keyHeader      = faultserver.KeyHeader
	degradedHeader = "Labctl-Degraded" // the answer is a fallback's
	droppedHeader  = "Labctl-Dropped"  // no worker turned to it, for one of these reasons

	whyGone = "gone" // nobody waited any more
	whyLate = "late" // it could not be done in time
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
