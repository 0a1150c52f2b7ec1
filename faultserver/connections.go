package faultserver

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"labctl/faultserver/program"
)

// Connections tells the connections of an [http.Server] apart: give it the method
// Context as its ConnContext, and the Handlers behind it know on which connection a
// hit came, see [Arrival.Conn], and have programs with conn:. A [Server] has one by
// itself. The zero Connections is ready; use one for each server.
//
// It belongs to the server and not to a run: no [Handler.Reset] numbers connections
// anew, because those that are open stay open over it.
type Connections struct{ accepted atomic.Int64 }

// Context numbers a connection.
func (c *Connections) Context(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, &connection{number: int(c.accepted.Add(1))})
}

// Accepted returns how many connections were accepted, also those that never sent a
// request. One that waits in the system's backlog is none yet.
func (c *Connections) Accepted() int { return int(c.accepted.Load()) }

type connectionKey struct{}

// A connection is what Handlers know of one. It lives in the connection's context and
// is gone with it.
type connection struct {
	number int
	turns  atomic.Int64 // the requests that came on it

	mu     sync.Mutex
	places []placeOf // its positions in programs with conn:
}

// A placeOf is a connection's position in the program of one of the Handlers that a
// server may have, as behind a mux.
type placeOf struct {
	handler *Handler
	place   *program.Place
}

// connectionOf finds the connection of a request; nil: its server has no Connections.
func connectionOf(r *http.Request) *connection {
	c, _ := r.Context().Value(connectionKey{}).(*connection)
	return c
}

// turn counts a request on the connection, and says which connection it is and which
// of its requests. The caller holds the handler's mu, so that the streams of HTTP/2 are
// counted in the order in which they take their turns in the program.
func (c *connection) turn() (number, turn int) {
	if c == nil {
		return 0, 0
	}
	return c.number, int(c.turns.Add(1))
}

// place is where the connection stands in the program of a handler, which moves it
// under its own lock.
func (c *connection) place(h *Handler) *program.Place {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.places {
		if p.handler == h {
			return p.place
		}
	}
	p := new(program.Place)
	c.places = append(c.places, placeOf{h, p})
	return p
}

// next takes the turn of a hit in the program, under conn: that of its connection. The
// caller holds mu.
func (h *Handler) next(c *connection, id string, at time.Duration, luck uint64) program.Action {
	if h.program.Conn && c != nil {
		return h.state.NextOn(c.place(h), at, luck)
	}
	return h.state.Next(id, at, luck)
}
