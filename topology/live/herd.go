package live

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"labctl/topology"
	"labctl/topology/policy"
)

// herd is the clients of a run, of all its herds, and what they saw.
type herd struct {
	lab   *lab
	load  *topology.Load
	gate  *gate         // the lab's
	begin chan struct{} // closed at the release
	cut   func()        // ends the run
	until *time.Timer   // calls cut

	calls records[ended]
}

// ended is one logical request of a client that came to its end.
type ended struct {
	outcome policy.Outcome
	start   policy.Instant // when it was due
	sent    policy.Instant
	end     policy.Instant
	route   uint8
	wave    bool // one of the first wave

	client, number uint64 // whose it is, and which
}

func newHerd(l *lab, cut func()) *herd {
	return &herd{lab: l, load: &l.topo.Load, gate: l.gate, begin: make(chan struct{}), cut: cut}
}

// isGated reports whether the first requests of a herd stand at the gate. Where
// clients meet in the policies of their call, one that starts later must not
// enter them before.
func (l *lab) isGated(h *topology.Herd) bool {
	late := h.Start > 0 || h.Smear > 0
	return !h.NoBarrier && !l.topo.Load.Open() && !l.isOver(policy.Instant(h.Start)) && !(late && l.meet())
}

// meet reports whether clients meet in the policies of the calls that they begin with,
// the balancer included that a call to replicas has without saying so.
func (l *lab) meet() bool {
	return slices.ContainsFunc(l.clients.first(), func(e *edge) bool {
		return e.settings.Shares(&l.topo) || e.callee.Replicas > 1 && e.callee.Balance != policy.Random
	})
}

// gated is the number of clients that stand at the gate.
func (l *lab) gated() (n int) {
	next := 0
	for _, h := range l.topo.Load.Herds() {
		if l.isGated(&h) {
			n += l.part.clients(next, h.Clients)
		}
		next += h.Clients
	}
	return n
}

// isOver reports whether no request begins at an instant any more.
func (l *lab) isOver(at policy.Instant) bool {
	return l.topo.Load.For > 0 && at >= policy.Instant(l.topo.Load.For)
}

// isCut reports whether the run is over at an instant.
func (l *lab) isCut(at policy.Instant) bool {
	return l.topo.Run.Until > 0 && at >= policy.Instant(l.topo.Run.Until)
}

// run starts the clients, releases them, and waits for their last answer or for
// ctx.
func (h *herd) run(ctx context.Context) {
	if h.load.Open() {
		h.runOpen(ctx)
		return
	}
	var clients errgroup.Group
	barrier := !h.load.Herd.NoBarrier
	if !barrier && h.gate == nil && h.appointed(ctx) {
		h.open()
	}
	next := 0 // clients of all processes are numbered through
	for _, of := range h.load.Herds() {
		gated := h.gate != nil && h.lab.isGated(&of)
		c := &client{herd: h, of: of, gated: gated, route: h.lab.topo.Route(of.Route)}
		for range of.Clients {
			if !h.lab.part.has(next) {
				next++
				continue
			}
			if gated && h.gate.enter(ctx) != nil {
				break // the run was ended while it was being set up
			}
			id := next
			next++
			clients.Go(func() error { c.run(ctx, uint64(id)); return nil })
		}
	}
	if barrier || h.gate != nil {
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
		if h.appointed(ctx) {
			h.open()
		}
		return
	}
	select {
	case <-h.gate.ready:
		h.gate.open(ctx, h.released)
	case <-ctx.Done():
	}
}

// open is a release without held connections.
func (h *herd) open() {
	h.lab.clock.start()
	h.released()
}

func (h *herd) released() {
	if until := h.lab.topo.Run.Until; until > 0 {
		h.until = time.AfterFunc(until, h.cut)
	}
	close(h.begin)
}

func (h *herd) endUntil() {
	if h.until != nil {
		h.until.Stop()
	}
}

// await waits for the release.
func (h *herd) await(ctx context.Context) bool {
	select {
	case <-h.begin:
		return true
	case <-ctx.Done():
		return false
	}
}

// client is one client of a herd.
type client struct {
	*herd
	of    topology.Herd
	gated bool
	route uint8
}

// run makes the requests of a client one after the other. Its context is its own,
// so that the clients do not meet in one.
func (c *client) run(ctx context.Context, id uint64) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	for n := range uint64(c.load.PerClient(c.of)) {
		r := c.request(id, n, c.route)
		var o policy.Outcome
		var ok bool
		if n == 0 {
			o, ok = c.first(ctx, r, id)
		} else {
			o, ok = c.call(ctx, r, id, n, false)
		}
		if !ok || !c.rest(ctx, id, n+1, o) {
			return
		}
	}
}

// first makes the first request of a client, at its start.
func (c *client) first(ctx context.Context, r *request, id uint64) (policy.Outcome, bool) {
	after := c.of.Start + policy.Uniform(r.luck.Draw(policy.ForArrival), c.of.Smear)
	at := policy.Instant(after)
	switch {
	case c.lab.isOver(at):
		if c.gated {
			(&start{gate: c.gate}).leave(c.lab.clients.atFirst(), 0)
		}
		return policy.Outcome{}, false
	case !c.gated:
		if !c.await(ctx) || !pause(ctx, after-c.lab.clock.since()) {
			return policy.Outcome{}, false
		}
		return c.call(ctx, r, id, 0, c.of.Start == 0)
	}
	r.start = &start{gate: c.gate, begin: c.begin, after: after, wave: c.of.Start == 0}
	o := c.lab.clients.call(ctx, r, at)
	end := c.lab.clock.now()
	if !c.lab.hasBegun(at) && r.start.await(ctx) { // it was answered before its start, by a policy or by chance
		end = at
	}
	c.record(ended{o, at, at, end, r.route, r.start.wave, id, 0})
	return o, ctx.Err() == nil
}

// call makes a request now.
func (h *herd) call(ctx context.Context, r *request, id, n uint64, wave bool) (policy.Outcome, bool) {
	at := h.lab.clock.now()
	if h.lab.isOver(at) {
		return policy.Outcome{}, false
	}
	o := h.lab.clients.call(ctx, r, at)
	h.record(ended{o, at, at, h.lab.clock.now(), r.route, wave, id, n})
	return o, ctx.Err() == nil
}

// rest is what a client does between an answer and its nth request. It reports
// whether there is one.
func (c *client) rest(ctx context.Context, id, n uint64, o policy.Outcome) bool {
	if int(n) >= c.load.PerClient(c.of) {
		return false
	}
	rest := c.of.Think
	if !o.OK() && !c.of.Pause.IsZero() {
		rest = c.of.Pause
	}
	if rest.IsZero() {
		return true
	}
	luck := policy.RootLuck(c.lab.topo.Run.Seed, id, n)
	d := rest.Draw(luck.Draw(policy.ForThink))
	return !c.lab.isOver(c.lab.clock.now().Add(d)) && pause(ctx, d)
}

// record keeps a request, unless the end of the run found it waiting for its start.
func (h *herd) record(e ended) {
	if e.end >= e.start && h.lab.clock.started() {
		h.calls.add(e)
	}
}

// request is the nth logical request of client i.
func (h *herd) request(i, n uint64, route uint8) *request {
	path := policy.RootPath(i, n)
	r := &request{
		method: h.load.Method,
		path:   path,
		luck:   policy.RootLuck(h.lab.topo.Run.Seed, i, n),
		route:  route,
		traced: h.lab.traces(path),
	}
	if r.method == "" {
		r.method = http.MethodGet
	}
	if h.load.Key {
		r.key = "labctl-" + strconv.FormatUint(i, 10) + "-" + strconv.FormatUint(n, 10)
	}
	return r
}
