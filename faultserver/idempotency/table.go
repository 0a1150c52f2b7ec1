package idempotency

import (
	"slices"
	"strings"
)

// Limits of what a table remembers: keys come from strangers. Requests with a longer
// key, or with a new one when the table is full, run as if they had none.
const (
	MaxKeys = 1 << 20
	MaxKey  = 255 // bytes of a key
)

// Answer is what becomes of a request.
type Answer uint8

// The answers.
const (
	Run      Answer = iota // do the work
	Replay                 // answer with the stored status, without work
	Conflict               // answer 409: another request with this key is at work
	Wait                   // for that other request
)

var answerNames = [...]string{Run: "run", Replay: "replay", Conflict: "conflict", Wait: "wait"}

// String is one word.
func (a Answer) String() string { return answerNames[a] }

// A Table remembers keys for one service. W is how the driver names a request that
// waits. It is not safe for concurrent use.
type Table[W comparable] struct {
	mode Mode
	keys map[string]*entry[W]
}

// An entry is one key. It is kept when its work failed, so that a key which the table
// knows does not become one that it has no room for.
type entry[W comparable] struct {
	running bool // reserved by a request at work
	stored  bool
	status  int // of the stored answer
	waiting []W // in order of arrival
}

// New returns an empty table.
func New[W comparable](m Mode) *Table[W] {
	return &Table[W]{mode: m, keys: make(map[string]*entry[W])}
}

// Begin says what becomes of a request that arrives with a key, "" for none, and the
// status to answer with where that is a replay. The waiter is kept for a Wait only.
func (t *Table[W]) Begin(key string, waiter W) (a Answer, status int) {
	e := t.entry(key)
	switch {
	case e == nil:
		return Run, 0
	case e.stored:
		return Replay, e.status
	case t.mode == StoreAfter:
		return Run, 0
	case !e.running:
		e.running = true
		return Run, 0
	case t.mode == ReserveFirst:
		return Conflict, 0
	}
	e.waiting = append(e.waiting, waiter)
	return Wait, 0
}

// entry finds or makes the entry of a key that is to be remembered. A clone keeps a
// short key from holding on to the header that it came in.
func (t *Table[W]) entry(key string) *entry[W] {
	if t.mode == None || key == "" || len(key) > MaxKey {
		return nil
	}
	e := t.keys[key]
	if e == nil && len(t.keys) < MaxKeys {
		e = new(entry[W])
		t.keys[strings.Clone(key)] = e
	}
	return e
}

// Finish ends a request that ran. It worked when the side effect was performed; the
// status is that of its answer, or of the one that got lost. It returns the waiters
// whose time has come and what becomes of them: all are answered with that status, or
// the first one runs, and is to be finished in turn, while the others go on waiting.
func (t *Table[W]) Finish(key string, worked bool, status int) (a Answer, waiters []W) {
	e := t.keys[key]
	if e == nil || e.stored {
		return Run, nil
	}
	if worked && status < 500 {
		waiters = e.waiting
		*e = entry[W]{stored: true, status: status}
		return Replay, waiters
	}
	if len(e.waiting) == 0 {
		e.running = false
		return Run, nil
	}
	waiters, e.waiting = e.waiting[:1:1], e.waiting[1:]
	return Run, waiters
}

// Leave takes back a waiter whose caller has gone. It reports false for one that does
// not wait any more: Finish has named it, and where it was to run it is to be finished
// without having worked.
func (t *Table[W]) Leave(key string, waiter W) bool {
	e := t.keys[key]
	if e == nil {
		return false
	}
	i := slices.Index(e.waiting, waiter)
	if i >= 0 {
		e.waiting = slices.Delete(e.waiting, i, i+1)
	}
	return i >= 0
}
