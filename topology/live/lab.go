package live

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"labctl/faultserver"
	"labctl/topology"
	"labctl/topology/ledger"
	"labctl/topology/policy"
)

// lab is one topology set up to run once.
type lab struct {
	topo     topology.Topology
	net      Network
	trace    bool
	spanned  bool // every attempt is kept
	clock    *clock
	gate     *gate      // nil where no connection can be opened before the release
	services []*service // without the client, in calling order
	clients  calls      // that each client makes for a request
	edges    []*edge    // as Topology.Edges lists them
	routes   []string   // as paths, by number
	gone     departures
	books    *ledger.Ledger
	watched  sync.Once // of the policies
	queued   sync.Once // of the stations

	part   *part           // of a run over several processes; nil: it is all here
	ctx    context.Context // ends everything
	cancel context.CancelFunc
	fail   func(error)    // ends the run: the environment refused something
	work   sync.WaitGroup // attempts that nobody waits for in their goroutine
	flying atomic.Int64   // calls of which something is left
	landed chan struct{}  // told when there is none
}

// newLab makes a lab without services.
func newLab(ctx context.Context, t topology.Topology, o Options) *lab {
	l := &lab{topo: t, net: o.Net, trace: o.Tree, spanned: o.Spans != nil, clock: newClock(), landed: make(chan struct{}, 1), books: ledger.New(t)}
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for _, route := range t.Routes() {
		l.routes = append(l.routes, "/"+route)
	}
	return l
}

// setUp opens the listeners, outermost first, and lets the servers serve.
func setUp(ctx context.Context, t topology.Topology, o Options) (*lab, error) {
	l := newLab(ctx, t, o)
	for i := range l.topo.Services[1:] {
		s := &l.topo.Services[i+1]
		svc, err := newService(l, s)
		if err != nil {
			for _, open := range l.services {
				open.close()
			}
			l.cancel()
			return nil, fmt.Errorf("cannot listen for service %s: %w", s.Name, err)
		}
		l.services = append(l.services, svc)
		l.gone.wanted = l.gone.wanted || s.Drop != topology.DropNone
	}
	l.connect()
	l.addGate()
	l.binned(o)
	for _, s := range l.services {
		for _, r := range s.replicas {
			r.serve()
		}
	}
	return l, nil
}

// binned has the hits on the layer that is looked at told to somebody.
func (l *lab) binned(o Options) {
	at := l.services[len(l.services)-1]
	for _, s := range l.services {
		if s.Name == l.topo.Run.At {
			at = s
		}
	}
	for _, r := range at.replicas {
		r.seen, r.left = o.Hit, o.Left
	}
}

// connect makes the edges, and gives each to those at its ends.
func (l *lab) connect() {
	most := connections(&l.topo)
	for i, c := range l.topo.Edges() {
		e := newEdge(l, c, most[i])
		from, to := l.callsOf(c.From), l.services[c.To-1]
		l.edges = append(l.edges, e)
		from.edges = append(from.edges, e)
		to.callers = append(to.callers, e)
		to.named[e.from] = e
	}
	for i := range l.topo.Services {
		l.callsOf(i).parallel = l.topo.Services[i].Parallel
	}
}

// callsOf are the calls of a service of the topology, of which the client is the first.
func (l *lab) callsOf(service int) *calls {
	if service == 0 {
		return &l.clients
	}
	return &l.services[service-1].calls
}

// addGate puts a gate before the calls that clients begin with. At a closed port
// there is nothing to hold back.
func (l *lab) addGate() {
	n := l.gated()
	first := l.clients.first()
	if n == 0 || slices.ContainsFunc(first, func(e *edge) bool { return e.callee.refuses() }) {
		return
	}
	l.gate = newGate(l.clock, n*l.clients.atFirst())
	if l.part != nil { // arrivals are seen elsewhere, by who does not share these processors
		l.gate.timed, l.gate.at = true, l.part.release
	}
	for _, e := range first {
		l.gate.timed = l.gate.timed || e.settings.TimesOut()
		for _, r := range e.callee.replicas {
			r.arrive = l.gate.arrive
		}
	}
}

// routeOf is the number of a route by its path; that of a stranger is the first.
func (l *lab) routeOf(path string) uint8 {
	if len(l.routes) == 1 {
		return 0
	}
	return uint8(max(slices.Index(l.routes, path), 0))
}

// hasBegun reports whether a request that was due at an instant began before now.
func (l *lab) hasBegun(at policy.Instant) bool { return l.clock.started() && l.clock.now() >= at }

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

// watch takes down what policies saw: as the run ends, before its end shows in it.
func (l *lab) watch(idle bool) {
	l.watched.Do(func() {
		now := l.clock.now()
		for i, e := range l.edges {
			e.mu.Lock()
			l.books.Watch(i, e.core.Stack(), now, idle)
			e.mu.Unlock()
		}
		if !idle {
			l.watchQueues()
		}
	})
}

// watchQueues takes down what workers did. In a run that came to its end by itself
// that waits until the services have heard of the last caller that left.
func (l *lab) watchQueues() {
	l.queued.Do(func() {
		for i, s := range l.services {
			if s.limited() {
				l.books.Queue(i, s.crew.report())
			}
		}
	})
}

// tearDown ends everything and waits until it has ended. Attempts go first:
// their connections would otherwise look like faults to the servers.
func (l *lab) tearDown() {
	l.cancel()
	for _, e := range l.edges {
		e.stop()
	}
	for _, s := range l.services {
		for _, r := range s.replicas {
			r.stop()
		}
	}
	l.work.Wait()
	for _, e := range l.edges {
		e.stop() // connections that became idle meanwhile
	}
}

// traces reports whether the tree of this request is wanted: that of the first
// request of the first client.
func (l *lab) traces(path string) bool {
	return l.trace && (path == "0.0" || strings.HasPrefix(path, "0.0/"))
}

// faultLuck is the luck of a fault with a probability.
func (l *lab) faultLuck(hit int, r *http.Request) uint64 {
	return l.luckOf(header(r.Header, faultserver.PathHeader), hit).Draw(policy.ForFault)
}

// luckOf is the luck of the attempt at a path, or for a foreign request that of its
// number.
func (l *lab) luckOf(path string, hit int) policy.Luck {
	t, ok := follow(path, l.topo.Run.Seed)
	if !ok {
		return policy.RootLuck(l.topo.Run.Seed, 0, uint64(hit))
	}
	return t.luck
}
