package sim

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"labctl/report"
	"labctl/topology"
)

// Options are how to simulate, beside what the topology says.
type Options struct {
	// Arrivals is told of every hit, from one goroutine. It makes independent
	// clients run on one core.
	Arrivals func(topology.Arrival)
	// Progress is told now and then how many of the clients are through.
	Progress func(done, all int64)

	general bool // for tests: the event loop also where it is not needed
}

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
	cut := false
	if p.independent() {
		out = p.shards(ctx, o)
	} else {
		out, cut = p.coupled(ctx, o)
	}
	v, warnings := collect(p, out, cut)
	if ctx.Err() != nil {
		return v, warnings, ErrInterrupted
	}
	return v, warnings, nil
}

// coupled runs all clients in one event loop.
func (p *plan) coupled(ctx context.Context, o Options) (out *tally, cut bool) {
	out = newTally(p.topo)
	out.arrivals = o.Arrivals
	e := newEngine(p, out)
	e.clients.start(0, p.topo.Load.Herd.Clients)
	return out, e.run(func() bool { return ctx.Err() != nil })
}

// blockSize is how many independent clients are taken at a time: enough that
// taking them costs nothing, few enough that all cores stay busy to the end.
const blockSize = 4096

// shards runs independent clients over all cores. Which core runs which client
// does not matter: a client's luck is its own, and tallies are sums.
func (p *plan) shards(ctx context.Context, o Options) *tally {
	cores := runtime.GOMAXPROCS(0)
	if o.Arrivals != nil {
		cores = 1
	}
	all := int64(p.topo.Load.Herd.Clients)
	var taken atomic.Int64
	tallies := make([]*tally, cores)
	var group errgroup.Group
	for i := range tallies {
		tallies[i] = newTally(p.topo)
		tallies[i].arrivals = o.Arrivals
		group.Go(func() error {
			run := p.alone(tallies[i], o)
			for ctx.Err() == nil {
				from := taken.Add(blockSize) - blockSize
				if from >= all {
					return nil
				}
				for id := from; id < min(from+blockSize, all); id++ {
					run(int(id))
				}
				if o.Progress != nil {
					o.Progress(min(from+blockSize, all), all)
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
func (p *plan) alone(out *tally, o Options) func(id int) {
	if p.straight() && !o.general {
		return newStraight(p, out).client
	}
	e := newEngine(p, out)
	never := func() bool { return false }
	return func(id int) {
		e.reset()
		e.clients.start(id, id+1)
		e.run(never)
	}
}
