package live

import (
	"bytes"
	"context"
	"net"
	"slices"
	"sync"
	"time"
)

// gate holds back the last byte of the header block of each connection's first
// request until the release. Sending is then one byte per connection, on a
// connection that is open and a request that the server has read already, so
// arrivals are as close together as the machine can make them.
//
// It is the header's last byte and not the body's, since a handler starts as
// soon as the header is complete.
type gate struct {
	clock *clock
	slots chan struct{} // bounds how many connections are being opened at once

	mu     sync.Mutex
	held   []*heldConn
	ready  chan struct{} // closed when want connections are held
	want   int
	opened bool
	issued []time.Duration // instants at which the last bytes went out
}

// maxOpening keeps a herd's dials below the accept queue of the kernel: an
// overflowing queue drops connection requests, which come again after a second.
const maxOpening = 256

func newGate(c *clock, want int) *gate {
	return &gate{clock: c, want: want, ready: make(chan struct{}), slots: make(chan struct{}, maxOpening)}
}

// enter waits for a place among those who open connections.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wrap makes the first request on c wait for the release. delay is how long
// after the release it goes.
func (g *gate) wrap(c net.Conn, delay time.Duration) net.Conn {
	return &heldConn{Conn: c, gate: g, delay: delay}
}

func (g *gate) add(c *heldConn) {
	<-g.slots
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = append(g.held, c)
	if len(g.held) == g.want {
		close(g.ready)
	}
}

// open releases the herd. The release instant is taken before the first byte
// goes out. Bytes are written from one loop: waking one goroutine per client to
// do it costs more than the writes.
func (g *gate) open(ctx context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	slices.SortStableFunc(g.held, func(a, b *heldConn) int { return int(a.delay - b.delay) })
	g.issued = make([]time.Duration, 0, len(g.held))
	g.clock.start()
	for _, c := range g.held {
		if c.delay > 0 && !g.waitUntil(ctx, c.delay) {
			return
		}
		g.issued = append(g.issued, g.clock.since())
		c.release()
	}
}

func (g *gate) waitUntil(ctx context.Context, at time.Duration) bool {
	left := at - g.clock.since()
	if left <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(left)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// heldConn is a connection whose first request waits at the gate. To its
// transport the request is written; what is missing is kept here.
type heldConn struct {
	net.Conn
	gate  *gate
	delay time.Duration

	mu    sync.Mutex
	state int8
	rest  []byte
}

const (
	fresh    int8 = iota // nothing of a header's end has been written
	holding              // the last byte and all after it are kept
	released             // an ordinary connection
)

var endOfHeader = []byte("\r\n\r\n")

func (c *heldConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.state {
	case released:
		return c.Conn.Write(p)
	case holding:
		c.rest = append(c.rest, p...)
		return len(p), nil
	}
	end := bytes.Index(p, endOfHeader)
	if end < 0 {
		return c.Conn.Write(p)
	}
	end += len(endOfHeader) - 1
	if n, err := c.Conn.Write(p[:end]); err != nil {
		return n, err
	}
	c.rest = append(c.rest, p[end:]...)
	c.state = holding
	c.gate.add(c)
	return len(p), nil
}

// release sends what was kept. A write that fails shows when the transport
// reads from the connection, so the error needs no way of its own.
func (c *heldConn) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.Conn.Write(c.rest); err != nil {
		c.Conn.Close()
	}
	c.state, c.rest = released, nil
}
