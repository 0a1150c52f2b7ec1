package faultserver

import (
	"context"
	"net/http"
	"time"
)

// A slow body comes in pieces that are small against it and far enough apart for a timer.
const (
	maxPieces = 64
	leastGap  = 10 * time.Millisecond
)

// slow answers at once, and then takes its time for the body.
func (h *Handler) slow(w http.ResponseWriter, r *http.Request, hit *hit) {
	status := h.work(r, hit)
	stayed := true
	defer func() { h.leave(hit, !stayed && !serverClosed(r.Context())) }()

	h.options(w, hit.action)
	if r.Method == http.MethodHead || status == http.StatusNoContent || status == http.StatusNotModified {
		w.WriteHeader(status) // there is no body to be slow with
		return
	}
	announce(w, hit.action.Body)
	w.WriteHeader(status)
	stayed = trickle(r.Context(), w, hit.action.Body, hit.action.Over)
}

// trickle writes n bytes in even pieces, the last one when the time is over, and reports
// whether the caller stayed. It goes by the time since the head, so that pieces which are
// late do not add up.
func trickle(ctx context.Context, w http.ResponseWriter, n int64, over time.Duration) bool {
	head := time.Now()
	out := http.NewResponseController(w)
	pieces := min(n, maxPieces, max(int64(over/leastGap), 1))
	timer := time.NewTimer(0)
	defer timer.Stop()
	for i := int64(0); ; i++ {
		if out.Flush() != nil {
			return false
		}
		if i == pieces {
			return true
		}
		timer.Reset(time.Until(head.Add(over * time.Duration(i+1) / time.Duration(pieces))))
		select {
		case <-timer.C:
		case <-ctx.Done():
			return false
		}
		if fill(w, n*(i+1)/pieces-n*i/pieces) != nil {
			return false
		}
	}
}
