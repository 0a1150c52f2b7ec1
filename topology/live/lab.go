package live

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"labctl/faultserver"
	"labctl/topology"
	"labctl/topology/policy"
)

// lab is one topology set up to run once.
type lab struct {
	topo     topology.Topology
	net      Network
	trace    bool
	clock    *clock
	gate     *gate      // nil where no connection can be opened before the release
	services []*service // without the client, in calling order
	edges    []*edge    // edges[i] calls services[i]

	ctx    context.Context // ends everything
	cancel context.CancelFunc
	fail   func(error)    // ends the run: the environment refused something
	work   sync.WaitGroup // attempts
	flying atomic.Int64   // calls of which something is left
	landed chan struct{}  // told when there is none
}

// setUp opens the listeners, outermost first, and lets the servers serve.
func setUp(ctx context.Context, t topology.Topology, o Options) (*lab, error) {
	l := &lab{topo: t, net: o.Net, trace: o.Tree, clock: newClock(), landed: make(chan struct{}, 1)}
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	listeners := make([]net.Listener, 0, len(t.Services)-1)
	for _, s := range t.Services[1:] {
		svc, listener, err := newService(l, s)
		if err != nil {
			for _, open := range listeners {
				open.Close()
			}
			l.cancel()
			return nil, fmt.Errorf("cannot listen for service %s: %w", s.Name, err)
		}
		l.services = append(l.services, svc)
		if listener != nil {
			listeners = append(listeners, listener)
		}
	}
	if !t.Load.Herd.NoBarrier && !l.services[0].refuses {
		l.gate = newGate(l.clock, t.Load.Herd.Clients)
		l.gate.timed = t.Services[0].Calls[0].TimesOut()
		l.services[0].arrive = l.gate.arrive
	}
	l.connect()
	l.serve(listeners)
	return l, nil
}

// connect makes the edges: each service, and the client, calls the next.
func (l *lab) connect() {
	for i, callee := range l.services {
		caller := l.topo.Services[i]
		e := newEdge(l, caller.Name, caller.Calls[0], callee)
		l.edges = append(l.edges, e)
		if i > 0 {
			l.services[i-1].next = e
		}
	}
}

func (l *lab) serve(listeners []net.Listener) {
	for _, s := range l.services {
		if !s.refuses {
			s.serve(listeners[0])
			listeners = listeners[1:]
		}
	}
}

// takeOff counts a call that begins, land one of which nothing is left.
func (l *lab) takeOff() { l.flying.Add(1) }

func (l *lab) land() {
	if l.flying.Add(-1) > 0 {
		return
	}
	select {
	case l.landed <- struct{}{}:
	default:
	}
}

// drain waits, at most until ctx ends, for work that goes on although nobody
// waits for it any more.
func (l *lab) drain(ctx context.Context) {
	for l.flying.Load() > 0 {
		select {
		case <-l.landed:
		case <-ctx.Done():
			return
		}
	}
}

// tearDown ends everything and waits until it has ended. Attempts go first:
// their connections would otherwise look like faults to the servers.
func (l *lab) tearDown() {
	l.cancel()
	for _, e := range l.edges {
		e.stop()
	}
	for _, s := range l.services {
		s.stop()
	}
	l.work.Wait()
	for _, e := range l.edges {
		e.stop() // connections that became idle meanwhile
	}
}

// traces reports whether the tree of this request is wanted: that of the first
// request of the first client.
func (l *lab) traces(p policy.Path) bool {
	return l.trace && p.Client == 0 && p.Request == 0
}

// faultLuck is the luck of a fault with a probability: that of the attempt, or
// for a foreign request that of its number.
func (l *lab) faultLuck(hit int, r *http.Request) uint64 {
	p, err := policy.ParsePath(r.Header.Get(faultserver.PathHeader))
	if err != nil {
		return policy.RootLuck(l.topo.Run.Seed, 0, uint64(hit)).Draw(policy.ForFault)
	}
	return p.Luck(l.topo.Run.Seed).Draw(policy.ForFault)
}
