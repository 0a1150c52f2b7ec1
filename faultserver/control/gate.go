package control

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"labctl/faultserver"
)

// A gate bounds the connections of a server and counts them. When all are in use it
// closes the one that has waited longest for a request, or for the rest of its head, so
// that connections which say nothing cannot keep others out.
type gate struct {
	most    int
	numbers faultserver.Connections
	api     atomic.Int64 // connections whose first request was for the API
	evicted atomic.Int64 // connections closed to make place
	refused atomic.Int64 // connections closed at once: nobody made place

	mu    sync.Mutex
	open  map[net.Conn]*waiting
	ended sync.WaitGroup // connections whose handlers may still run
}

// A waiting says since when a connection waits for a request; zero: it does not.
type waiting struct {
	since time.Time
}

func newGate(most int) *gate { return &gate{most: most, open: map[net.Conn]*waiting{}} }

// guard makes a listener keep to the bound.
func (g *gate) guard(l net.Listener) net.Listener { return gated{l, g} }

type gated struct {
	net.Listener
	gate *gate
}

func (l gated) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if errors.Is(err, syscall.EMFILE) { // fewer descriptors than connections: the server tries again
			l.gate.evict()
		}
		if err != nil || l.gate.admit() {
			return conn, err
		}
		conn.Close()
	}
}

// admit reports whether there is place for one more, if need be another's. A server
// accepts one connection at a time and tells track about it before the next, so the place
// stays free.
func (g *gate) admit() bool {
	g.mu.Lock()
	room := len(g.open) < g.most
	g.mu.Unlock()
	if room || g.evict() {
		return true
	}
	g.refused.Add(1)
	return false
}

// evict closes the connection that has waited longest, and reports whether one waited.
func (g *gate) evict() bool {
	conn := g.forgetQuietest()
	if conn == nil {
		return false
	}
	g.evicted.Add(1)
	if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secure.NetConn() // TLS would wait to say farewell
	}
	conn.Close()
	return true
}

// forgetQuietest takes a connection out before it has ended, so that nobody waits for it.
func (g *gate) forgetQuietest() net.Conn {
	g.mu.Lock()
	defer g.mu.Unlock()
	var quietest net.Conn
	var since time.Time
	for conn, w := range g.open {
		if !w.since.IsZero() && (quietest == nil || w.since.Before(since)) {
			quietest, since = conn, w.since
		}
	}
	delete(g.open, quietest)
	return quietest
}

// track is a server's ConnState. Until the head of a request was read its connection is
// new or idle there.
func (g *gate) track(conn net.Conn, state http.ConnState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch state {
	case http.StateNew:
		g.ended.Add(1)
		g.open[conn] = &waiting{time.Now()}
	case http.StateClosed, http.StateHijacked:
		delete(g.open, conn)
		g.ended.Done()
	default:
		if w := g.open[conn]; w != nil {
			w.since = time.Time{}
			if state == http.StateIdle {
				w.since = time.Now()
			}
		}
	}
}

// conn is what is known of a connection.
type conn struct {
	hits atomic.Int64 // that it carried
	seen atomic.Bool  // a request of any kind
}

type connKey struct{}

// context is a server's ConnContext.
func (g *gate) context(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(g.numbers.Context(ctx, c), connKey{}, new(conn))
}

// connOf is the connection of a request, or one of its own where the server has no gate.
func connOf(r *http.Request) *conn {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		return c
	}
	return new(conn)
}

// Connections are those of a server.
type Connections struct {
	Accepted int `json:"accepted"` // all, also those that never sent a request
	API      int `json:"api"`      // of them, those whose first request was for the API
	Open     int `json:"open"`
	Limit    int `json:"limit"`
	Evicted  int `json:"evicted"` // closed while they waited for a request, to make place for another
	Refused  int `json:"refused"` // closed at once: no other made place
}

func (g *gate) counted() Connections {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Connections{
		Accepted: g.numbers.Accepted(), API: int(g.api.Load()), Open: len(g.open), Limit: g.most,
		Evicted: int(g.evicted.Load()), Refused: int(g.refused.Load()),
	}
}
