package live

import (
	"context"
	"sync"

	"labctl/faultserver/idempotency"
)

// keys are the idempotency keys of a service, which its replicas and routes share,
// as those do that keep them in one database.
type keys struct {
	mu    sync.Mutex
	table *idempotency.Table[chan word]
}

// word is what a key makes of a hit.
type word struct {
	idempotency.Answer
	status int // of a replay
}

// show shows the key of a hit that a worker turned to, and waits for another hit
// with that key where the mode says so. Its worker waits as well. It reports
// whether the caller stayed.
func (k *keys) show(ctx context.Context, v *visit) bool {
	if v.key == "" {
		return true
	}
	told := make(chan word, 1) // one, so that whoever tells does not wait
	k.mu.Lock()
	v.word.Answer, v.word.status = k.table.Begin(v.key, told)
	k.mu.Unlock()
	stays := true
	if v.word.Answer == idempotency.Wait {
		stays = k.wait(ctx, v, told)
	}
	v.runs = v.word.Answer == idempotency.Run
	return stays
}

// wait waits for the hit that is at work with the same key.
func (k *keys) wait(ctx context.Context, v *visit, told chan word) bool {
	select {
	case v.word = <-told:
		return true
	case <-ctx.Done():
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.table.Leave(v.key, told) {
		v.word = <-told // at this very moment; finish passes it on
	}
	return false
}

// finish tells the key of a hit that ran how that ended, and with it those who
// waited for that.
func (k *keys) finish(v *visit, status int) {
	if !v.runs {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	answer, waiters := k.table.Finish(v.key, v.worked, status)
	for _, told := range waiters {
		told <- word{answer, status}
	}
	v.runs = false
}
