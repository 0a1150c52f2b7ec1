package faultserver

import (
	"context"
	"net/http"
	"sync"

	"labctl/faultserver/idempotency"
)

// Keys remembers the idempotency keys of a service. Handlers that share it are replicas or
// routes of one service that keeps them in one database: what one of them did the others
// do not do again. No [Handler.Reset] forgets them. It is safe for concurrent use.
type Keys struct {
	waits bool

	mu    sync.Mutex
	table *idempotency.Table[chan word]
}

// NewKeys returns a memory without keys.
func NewKeys(m idempotency.Mode) *Keys {
	return &Keys{waits: m == idempotency.ReserveAndWait, table: idempotency.New[chan word](m)}
}

// A word is what an idempotency key makes of a hit.
type word struct {
	answer idempotency.Answer
	status int // of a replay
}

// show shows the key of a hit that is about to work.
func (k *Keys) show(hit *hit, key string) {
	if key == "" {
		return
	}
	if k.waits {
		hit.told = make(chan word, 1) // one, so that whoever tells does not wait
	}
	hit.key = key
	k.mu.Lock()
	defer k.mu.Unlock()
	hit.answer, hit.status = k.table.Begin(key, hit.told)
}

// await waits for the request that is at work with the same key, and reports whether the
// caller stayed.
func (k *Keys) await(ctx context.Context, hit *hit) bool {
	select {
	case hit.word = <-hit.told:
		return true
	case <-ctx.Done():
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.table.Leave(hit.key, hit.told) {
		hit.word = <-hit.told // at this very moment; finish passes it on
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
func (h *hit) finish(status int) {
	if h.key == "" || h.answer != idempotency.Run {
		return
	}
	k := h.run.keys
	k.mu.Lock()
	defer k.mu.Unlock()
	answer, waiters := k.table.Finish(h.key, h.worked, status)
	for _, told := range waiters {
		told <- word{answer, status}
	}
	h.key = ""
}
