package faultserver

import (
	"context"
	"fmt"
	"slices"
	"time"

	"labctl/faultserver/program"
)

// Hits returns the number of requests received.
func (h *Handler) Hits() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.hits
}

// Arrivals returns the hits in order of arrival, those still in progress included. The
// first Keep of them: see [Handler.Dropped].
func (h *Handler) Arrivals() []Arrival {
	kept := h.records()
	arrivals := make([]Arrival, 0, kept.length)
	kept.each(func(a *Arrival) { arrivals = append(arrivals, a.snapshot()) })
	byInstant(arrivals)
	return arrivals
}

// Attempts returns the number of hits of each request id, among those kept. Hits
// without an id are under "".
func (h *Handler) Attempts() map[string]int {
	attempts := make(map[string]int)
	h.records().each(func(a *Arrival) { attempts[a.ID]++ })
	return attempts
}

// records returns the book as it stands. What was written in it at arrival does not
// change any more, so it is read without holding up hits.
func (h *Handler) records() book {
	h.mu.Lock()
	defer h.mu.Unlock()
	return book{chunks: slices.Clone(h.kept.chunks), length: h.kept.length}
}

// Dropped returns how many hits were counted without keeping details.
func (h *Handler) Dropped() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.hits - h.kept.length
}

// CutShort returns how many delays, hangs, slow bodies and waits, for a worker or for
// another request, ended because the caller left.
func (h *Handler) CutShort() int { return int(h.current().cutShort.Load()) }

// Effects returns how many hits performed the side effect, those beyond Keep included:
// see [Arrival.Worked]. With retries it is the number to compare with that of requests;
// hits never stand in for it.
func (h *Handler) Effects() int { return int(h.current().effects.Load()) }

func (h *Handler) current() *run {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.run
}

// Reset begins a new run: hits and idempotency keys are forgotten, but for those in
// [Config.Keys], the program is at its first step and the default clock at zero. Hits in
// progress go on and count for neither run. Connections keep their numbers and count on
// their turns: they are the server's, and stay open.
func (h *Handler) Reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.released.Store(int64(time.Since(h.epoch)))
	h.numbered.Store(0)
	h.hits, h.kept, h.run = 0, book{}, h.newRun()
	h.state = program.NewState(h.program)
}

// SetProgram replaces the program, which starts at its first step. Hits stay counted.
func (h *Handler) SetProgram(p program.Program) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.program, h.state = p, program.NewState(p)
	h.lucky.Store(p.Lucky())
}

// A waiter is somebody who wants to know when n hits were counted.
type waiter struct {
	n    int
	done chan struct{}
}

// Wait returns when n hits were counted since New or the last Reset, or with an error
// when ctx ends before that.
func (h *Handler) Wait(ctx context.Context, n int) error {
	h.mu.Lock()
	if h.hits >= n {
		h.mu.Unlock()
		return nil
	}
	w := waiter{n: n, done: make(chan struct{})}
	h.waiters = append(h.waiters, w)
	h.mu.Unlock()

	select {
	case <-w.done:
		return nil
	case <-ctx.Done():
		h.mu.Lock()
		defer h.mu.Unlock()
		h.waiters = slices.DeleteFunc(h.waiters, func(other waiter) bool { return other == w })
		return fmt.Errorf("faultserver: %d of %d hits came: %w; wait longer, or ask why the client stopped", h.hits, n, context.Cause(ctx))
	}
}

// wake releases the waiters whose hits are there. The caller holds mu.
func (h *Handler) wake() {
	if len(h.waiters) == 0 {
		return
	}
	h.waiters = slices.DeleteFunc(h.waiters, func(w waiter) bool {
		if h.hits < w.n {
			return false
		}
		close(w.done)
		return true
	})
}
