package sim

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/policy"
)

// Options are how to simulate, beside what the topology says.
type Options struct {
	// Arrivals is told of every hit, and Ended of every request of a client
	// when it has its outcome: start is when it was due, or sent, as its latency
	// counts. Both are told from one goroutine; for them, independent clients
	// run on one core.
	Arrivals func(topology.Arrival)
	Ended    func(start, end policy.Instant, o policy.Outcome)

	// Spans is told of every request, attempt and hit when it ends, from one
	// goroutine and in the same order every time.
	Spans func(topology.Span)

	// Progress is told now and then, from any goroutine, how much of a run is
	// done: in clients or their requests, or for an open loop in milliseconds.
	Progress func(done, all int64)

	way way // for tests
}

// way is how clients are simulated. All ways that fit give the same result.
type way uint8

const (
	fastest way = iota
	general     // independent clients one by one, but by the event loop
	coupled     // all clients in one event loop
)

// ErrInterrupted says that the context ended the run. The variant that comes
// with it holds what was simulated so far.
var ErrInterrupted = errors.New("interrupted")

// Run simulates a valid topology.
func Run(ctx context.Context, t topology.Topology, o Options) (report.Variant, []report.Warning, error) {
	p, err := newPlan(t)
	if err != nil {
		return report.Variant{}, nil, err
	}
	var out *tally
	if p.independent() && o.way != coupled {
		out = p.shards(ctx, o)
	} else {
		out = newTally(p.topo, o)
		newEngine(p, out).together(ctx, o)
	}
	v, warnings := collect(p, out, ctx.Err() != nil)
	if ctx.Err() != nil {
		return v, warnings, ErrInterrupted
	}
	return v, warnings, nil
}

// together runs all clients in one event loop.
func (e *engine) together(ctx context.Context, o Options) {
	clients := e.topo.Load.Clients()
	if !e.topo.Load.Open() {
		together := min(clients, 1<<26) // will be in flight at once; memory that is not used after all costs nothing
		e.demands.list = make([]demand, 0, together)
		for i := range e.outer {
			core := e.edges[i].core
			core.Grow((1 + len(core.Stack())) * together) // each call, down to an attempt of it
		}
	}
	e.clients.start(0, clients)
	why := e.run(func() bool {
		if o.Progress != nil {
			o.Progress(e.progress())
		}
		return ctx.Err() != nil
	})
	e.watch(why)
}

// progress is how much is done, in requests where their number is known, else in
// milliseconds.
func (e *engine) progress() (done, all int64) {
	if e.topo.Load.Open() || e.topo.Load.For > 0 {
		horizon := e.clients.horizon()
		return time.Duration(min(e.now, horizon)).Milliseconds(), time.Duration(horizon).Milliseconds()
	}
	for _, h := range e.clients.herds {
		all += int64(h.Clients) * int64(h.requests)
	}
	return e.out.Done(), all
}

// blockSize is how many independent clients are taken at a time: enough that
// taking them costs nothing, few enough that all cores stay busy to the end.
const blockSize = 4096

// shards runs independent clients over all cores. Which core runs which client
// does not matter: a client's luck is its own, and tallies are sums.
func (p *plan) shards(ctx context.Context, o Options) *tally {
	cores := runtime.GOMAXPROCS(0)
	if o.Arrivals != nil || o.Ended != nil || o.Spans != nil {
		cores = 1
	}
	all := int64(p.topo.Load.Clients())
	var taken, done atomic.Int64
	tallies := make([]*tally, cores)
	var group errgroup.Group
	for i := range tallies {
		group.Go(func() error {
			tallies[i] = newTally(p.topo, o) // here, so that no two cores count in one line of the cache
			run := p.alone(ctx, tallies[i], o.way)
			for ctx.Err() == nil {
				from := taken.Add(blockSize) - blockSize
				if from >= all {
					return nil
				}
				to := min(from+blockSize, all)
				for id := from; id < to && ctx.Err() == nil; id++ {
					run(int(id))
				}
				if now := done.Add(to - from); o.Progress != nil {
					o.Progress(now, all)
				}
			}
			return nil
		})
	}
	_ = group.Wait()
	for _, t := range tallies[1:] {
		tallies[0].merge(t)
	}
	return tallies[0]
}

// alone returns what runs one independent client to its end.
func (p *plan) alone(ctx context.Context, out *tally, w way) func(id int) {
	stop := func() bool { return ctx.Err() != nil }
	if w == fastest && p.straight() && out.spans == nil {
		s := newStraight(p, out)
		s.stop = stop
		return s.client
	}
	e := newEngine(p, out)
	return func(id int) {
		e.reset()
		e.clients.start(id, id+1)
		e.run(stop)
	}
}
