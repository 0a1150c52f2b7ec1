package live

import (
	"context"
	"sync"

	"labctl/topology"
	"labctl/topology/policy"
)

// openLoop makes requests when they are due, whether earlier ones were answered
// or not.
type openLoop struct {
	*herd
	route uint8

	mu     sync.Mutex
	flying int
	due    []arriving // wait for a worker
	all    sync.WaitGroup
}

// arriving is one request of an open loop.
type arriving struct {
	id uint64
	at policy.Instant // when it is due
}

func (h *herd) runOpen(ctx context.Context) {
	o := openLoop{herd: h, route: h.lab.topo.Route(h.load.Herd.Route)}
	schedule := topology.NewSchedule(h.load.Rate, h.lab.topo.Run.Seed)
	if !h.appointed(ctx) {
		return
	}
	h.open()
	for {
		at, ok := schedule.Next()
		if !ok || h.lab.isOver(at) || h.lab.isCut(at) || !pause(ctx, at.Sub(h.lab.clock.now())) {
			break
		}
		o.arrive(ctx, arriving{uint64(schedule.Index() - 1), at})
	}
	o.all.Wait()
}

// arrive lets a request go out at once, or wait for a worker.
func (o *openLoop) arrive(ctx context.Context, a arriving) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w := o.load.Rate.Workers; w > 0 && o.flying >= w {
		o.due = append(o.due, a)
		return
	}
	o.flying++
	o.all.Go(func() {
		for ok := true; ok; a, ok = o.next(ctx) {
			o.send(ctx, a)
		}
	})
}

// next is what a worker does when it is free again.
func (o *openLoop) next(ctx context.Context) (a arriving, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.due) == 0 || ctx.Err() != nil {
		o.flying--
		return arriving{}, false
	}
	a, o.due = o.due[0], o.due[1:]
	return a, true
}

// send makes a request. It is timed from the instant it was due, so that the wait
// behind a stalled service counts.
func (o *openLoop) send(ctx context.Context, a arriving) {
	r := o.request(a.id, 0, o.route)
	sent := o.lab.clock.now()
	e := ended{start: a.at, sent: sent, route: o.route, client: a.id}
	if o.load.Rate.FromSend {
		e.start = sent
	}
	e.outcome = o.lab.clients.call(ctx, r, sent)
	e.end = o.lab.clock.now()
	o.record(e)
}
