package live

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"labctl/topology/policy"
)

// herd is the clients of a run and what they saw.
type herd struct {
	lab   *lab
	gate  *gate         // the lab's
	begin chan struct{} // closed at the release, for clients without a gate
	cut   func()        // ends the run
	until *time.Timer   // calls cut

	mu        sync.Mutex
	calls     []ended
	unstarted int64 // requests that the end of the run found waiting for their start
}

// ended is one logical request of a client that came to its end.
type ended struct {
	outcome policy.Outcome
	start   policy.Instant
	end     policy.Instant
	first   bool // the client's first request
}

// start is how the first request of a client waits for the release.
type start struct {
	gate  *gate
	delay time.Duration
}

func newHerd(l *lab, cut func()) *herd {
	load := l.topo.Load.Herd
	return &herd{
		lab: l, gate: l.gate, begin: make(chan struct{}), cut: cut,
		calls: make([]ended, 0, min(load.Clients*l.topo.Load.PerClient(load), 1<<20)),
	}
}

// run starts the clients, releases them, and waits for their last answer or for
// ctx.
func (h *herd) run(ctx context.Context) {
	var clients errgroup.Group
	barrier := !h.lab.topo.Load.Herd.NoBarrier
	if !barrier {
		h.open()
	}
	for i := range h.lab.topo.Load.Herd.Clients {
		if h.gate != nil && h.gate.enter(ctx) != nil {
			break // the run was ended while it was being set up
		}
		clients.Go(func() error { h.client(ctx, uint64(i)); return nil })
	}
	if barrier {
		h.release(ctx)
	}
	_ = clients.Wait()
	if h.gate != nil {
		h.gate.letRead() // also when the release never came
	}
}

// release waits until every client stands at the barrier and opens it.
func (h *herd) release(ctx context.Context) {
	if h.gate == nil {
		h.open()
		return
	}
	select {
	case <-h.gate.ready:
		h.gate.open(ctx, h.endAfterUntil)
	case <-ctx.Done():
	}
}

// open is a release without held connections.
func (h *herd) open() {
	h.lab.clock.start()
	h.endAfterUntil()
	close(h.begin)
}

func (h *herd) endAfterUntil() {
	if until := h.lab.topo.Run.Until; until > 0 {
		h.until = time.AfterFunc(until, h.cut)
	}
}

func (h *herd) endUntil() {
	if h.until != nil {
		h.until.Stop()
	}
}

// client makes its requests one after the other.
func (h *herd) client(ctx context.Context, i uint64) {
	for n := range uint64(h.lab.topo.Load.PerClient(h.lab.topo.Load.Herd)) {
		r := h.request(i, n)
		var at policy.Instant
		if n > 0 {
			at = h.lab.clock.now()
		} else if delay := h.delay(r.luck); h.gate != nil {
			r.start = &start{h.gate, delay}
			at = policy.Instant(delay)
		} else if !h.wait(ctx, delay) {
			return
		} else {
			at = h.lab.clock.now()
		}
		o := h.lab.edges[0].call(ctx, r, at)
		h.record(ended{o, at, h.lab.clock.now(), n == 0})
		if ctx.Err() != nil {
			return
		}
	}
}

func (h *herd) record(e ended) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.end < e.start || !h.lab.clock.started() {
		h.unstarted++
		return
	}
	h.calls = append(h.calls, e)
}

// request is the nth logical request of client i.
func (h *herd) request(i, n uint64) request {
	load := h.lab.topo.Load
	r := request{
		method: load.Method,
		path:   policy.RootPath(i, n),
		luck:   policy.RootLuck(h.lab.topo.Run.Seed, i, n),
		traced: h.lab.traces(policy.Path{Client: i, Request: n}),
	}
	if r.method == "" {
		r.method = http.MethodGet
	}
	if load.Key {
		r.key = fmt.Sprintf("labctl-%d-%d", i, n)
	}
	return r
}

// delay is how long after the release a client starts.
func (h *herd) delay(l policy.Luck) time.Duration {
	return policy.Uniform(l.Draw(policy.ForArrival), h.lab.topo.Load.Herd.Smear)
}

// wait stands at a barrier without a connection.
func (h *herd) wait(ctx context.Context, delay time.Duration) bool {
	select {
	case <-h.begin:
	case <-ctx.Done():
		return false
	}
	return pause(ctx, delay)
}
