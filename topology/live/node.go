package live

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"labctl/topology"
)

// Patience is how long an attempt between processes waits for its answer to begin
// where its policies say nothing: a link that was cut says nothing either.
const Patience = 2 * time.Minute

// A Node is one service of a topology in a process of its own: what [Run] makes of
// that service, without a listener. Its caller serves it, as an http.Handler, and
// reads its [Record]. Time begins for it with its first request.
type Node struct {
	lab     *lab
	self    *service
	working atomic.Int64 // requests in progress
}

// NodeOptions say what surrounds a node or a herd.
type NodeOptions struct {
	Peers map[string]string // host:port of the services that it calls, by name
	Began time.Time         // zero of [Record.Released]
}

// NewNode makes the node of a service of a valid topology that [SupportsNodes] lets
// pass. End it with Close.
func NewNode(t topology.Topology, name string, o NodeOptions) (*Node, error) {
	l, err := newPart(context.Background(), t, &part{patience: Patience}, o)
	if err != nil {
		return nil, err
	}
	for _, s := range l.services {
		if s.Name == name {
			return &Node{lab: l, self: s}, nil
		}
	}
	return nil, fmt.Errorf("no service %q: choose another", name)
}

// newPart makes a lab of which one process has a part: all its services are there,
// and none listens.
func newPart(ctx context.Context, t topology.Topology, p *part, o NodeOptions) (*lab, error) {
	l := newLab(ctx, t, Options{Net: elsewhere{}, Tree: true})
	l.part, l.clock.base, l.spanned = p, o.Began, true
	for i := range l.topo.Services[1:] {
		s := &l.topo.Services[i+1]
		svc, err := newService(l, s)
		if err != nil {
			l.cancel()
			return nil, err
		}
		svc.replicas[0].addr = o.Peers[s.Name]
		l.services = append(l.services, svc)
		l.gone.wanted = l.gone.wanted || s.Drop != topology.DropNone
	}
	l.connect()
	l.addGate()
	return l, nil
}

// ServeHTTP counts a request and makes the calls of the service for it.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ago, _ := time.ParseDuration(header(r.Header, sinceHeader)) // of a stranger: now
	n.lab.clock.startedSince(max(ago, 0))
	n.working.Add(1)
	defer n.working.Add(-1)
	n.self.replicas[0].ServeHTTP(w, r)
}

// Counts are what a node saw, without the single hits.
type Counts struct {
	Hits, Effects, CutShort int
	Working                 int64
	Attempts                map[string]int64 // by the service that was called
}

// Counts is much faster than Record.
func (n *Node) Counts() Counts {
	c := Counts{Working: n.Working(), Attempts: map[string]int64{}}
	for _, t := range n.self.replicas[0].tails {
		c.Hits += t.Hits()
		c.Effects += t.Effects()
		c.CutShort += t.CutShort()
	}
	for _, e := range n.self.calls.edges {
		e.mu.Lock()
		c.Attempts[e.to] = e.sent
		e.mu.Unlock()
	}
	return c
}

// Working is how many requests and calls it has not come to an end with.
func (n *Node) Working() int64 { return n.working.Load() + n.lab.flying.Load() }

// Record is what it saw so far.
func (n *Node) Record() Record {
	for i, s := range n.lab.services {
		if s == n.self {
			r := n.lab.record(i + 1)
			r.Working = n.Working()
			return r
		}
	}
	return Record{}
}

// Close ends the calls that nobody waits for, and returns when they have ended.
func (n *Node) Close() { n.lab.tearDown() }

// elsewhere is the network between hosts. Dials and connections that die silently
// come to an end.
type elsewhere struct{}

func (elsewhere) Name() string { return "tcp" }

func (elsewhere) Listen() (net.Listener, error) { return nil, net.ErrClosed }

func (elsewhere) Dial(ctx context.Context, addr string) (net.Conn, error) {
	d := net.Dialer{
		Timeout:         10 * time.Second,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3},
	}
	return d.DialContext(ctx, "tcp", addr)
}

// SupportsNodes refuses what several processes cannot do together, with the field
// and the cure.
func SupportsNodes(t topology.Topology) error {
	if err := Supports(t); err != nil {
		return err
	}
	for i := range t.Services {
		s := &t.Services[i]
		switch {
		case s.Replicas > 1:
			return fmt.Errorf("services.%s.replicas: a node is one server: set it to 1 and let what runs the nodes balance, or use labctl run", s.Name)
		case s.Drop != topology.DropNone:
			return fmt.Errorf("services.%s.drop: who left on another host cannot be known here: leave it out, or use labctl run", s.Name)
		}
	}
	return nil
}

// Refuses reports whether nothing listens for a service: such a node is not started,
// and its callers see a closed port.
func Refuses(s *topology.Service) bool {
	faults, err := parseFaults(s.Fault)
	return err == nil && faults.Refuses()
}
