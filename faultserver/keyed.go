package faultserver

import (
	"context"
	"net/http"

	"labctl/faultserver/idempotency"
)

// A verdict is what an idempotency key makes of a hit.
type verdict struct {
	answer idempotency.Answer
	status int // of a replay
}

// begin shows the key of a hit to the table. The caller holds mu.
func (h *Handler) begin(hit *hit, key string) {
	if key == "" {
		return
	}
	if h.config.Idempotency == idempotency.ReserveAndWait {
		hit.told = make(chan verdict, 1) // one, so that whoever tells does not wait
	}
	hit.key = key
	hit.answer, hit.status = hit.run.keys.Begin(key, hit.told)
}

// await waits for the request that is at work with the same key, and reports whether the
// caller stayed.
func (h *Handler) await(ctx context.Context, hit *hit) bool {
	select {
	case hit.verdict = <-hit.told:
		return true
	case <-ctx.Done():
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !hit.run.keys.Leave(hit.key, hit.told) {
		hit.verdict = <-hit.told // at this very moment; leave passes it on
	}
	return false
}

// recall answers a hit that its key kept from running.
func (h *Handler) recall(w http.ResponseWriter, hit *hit) {
	defer h.leave(hit, false)
	if hit.answer == idempotency.Conflict {
		w.WriteHeader(http.StatusConflict)
		return
	}
	w.Header().Set(ReplayHeader, "true")
	w.WriteHeader(hit.status)
}

// finish tells the key of a hit that ran how that ended, once, and with it those who
// waited for that.
func (h *Handler) finish(hit *hit, status int) {
	if hit.key == "" || hit.answer != idempotency.Run {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	answer, waiters := hit.run.keys.Finish(hit.key, hit.worked, status)
	for _, told := range waiters {
		told <- verdict{answer, status}
	}
	hit.key = ""
}
