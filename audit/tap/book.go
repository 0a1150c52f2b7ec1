package tap

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// Limits of what a tap remembers.
const (
	maxRequests = 1 << 17 // some 16 MiB
	maxDoubts   = 100
)

var errFull = errors.New("the tap has seen more requests than it keeps")

// A book is what a tap has written down.
type book struct {
	epoch time.Time

	mu          sync.Mutex
	requests    []Request
	connections int
	refused     int
	doubts      []string
}

// now is never 0, which means not yet.
func (b *book) now() time.Duration { return max(time.Since(b.epoch), 1) }

// at and add are for callers that hold the lock.
func (b *book) at(i int) *Request { return &b.requests[i] }

func (b *book) add(r Request) (int, error) {
	if len(b.requests) == maxRequests {
		return 0, errFull
	}
	b.requests = append(b.requests, r)
	return len(b.requests) - 1, nil
}

func (b *book) doubt(text string) {
	if len(b.doubts) < maxDoubts {
		b.doubts = append(b.doubts, text)
	}
}

// accepted numbers a connection.
func (b *book) accepted() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.connections++
	return b.connections
}

func (b *book) refuse() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused++
}

// Requests returns what went by so far, in the order of arrival. A request is in it
// before its bytes reach the hop, so that nobody can have an answer to one that is not
// counted yet.
func (b *book) Requests() []Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// Connections returns how many were accepted so far, also those that carried nothing.
func (b *book) Connections() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.connections
}

// Refused returns how many of the connections the hop would not have: attempts that no
// request tells of.
func (b *book) Refused() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused
}

// Doubts says where the count is not complete, one line each.
func (b *book) Doubts() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.doubts)
}
