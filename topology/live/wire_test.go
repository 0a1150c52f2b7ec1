package live_test

import (
	"bytes"
	"context"
	"net"
	"sync"

	"labctl/topology/live"
)

// wire is a network whose connections a test watches or spoils. dialled gets
// what a caller's dial gave, accepted what a service accepted; either may be nil.
type wire struct {
	live.Network
	dialled  func(context.Context, net.Conn, error) (net.Conn, error)
	accepted func(net.Conn) net.Conn
}

func (w wire) Dial(ctx context.Context, addr string) (net.Conn, error) {
	conn, err := w.Network.Dial(ctx, addr)
	if w.dialled == nil {
		return conn, err
	}
	return w.dialled(ctx, conn, err)
}

func (w wire) Listen() (net.Listener, error) {
	l, err := w.Network.Listen()
	if err != nil || w.accepted == nil {
		return l, err
	}
	return wireListener{l, w.accepted}, nil
}

type wireListener struct {
	net.Listener
	accepted func(net.Conn) net.Conn
}

func (l wireListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.accepted(conn), nil
}

// wireCounter counts the connections that callers hold, and the requests that left.
type wireCounter struct {
	left func(heads int) // told of each request that left

	mu sync.Mutex
	counts
}

type counts struct {
	opened, closed, heads int
	openedAtFirst         int // connections open when the first request left
}

func (l *wireCounter) count() counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}

func (l *wireCounter) on(n live.Network) live.Network {
	return wire{Network: n, dialled: func(_ context.Context, c net.Conn, err error) (net.Conn, error) {
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.opened++
		return &countedConn{Conn: c, counter: l}, nil
	}}
}

type countedConn struct {
	net.Conn
	counter *wireCounter
	written []byte
	once    sync.Once
}

// Write counts a request once its header is complete, before it goes out.
func (c *countedConn) Write(p []byte) (int, error) {
	c.written = append(c.written, p...)
	n := bytes.Count(c.written, []byte("\r\n\r\n"))
	if n > 0 {
		c.written = nil
		c.counter.leave()
	}
	return c.Conn.Write(p)
}

func (l *wireCounter) leave() {
	l.mu.Lock()
	l.heads++
	if l.heads == 1 {
		l.openedAtFirst = l.opened
	}
	heads, left := l.heads, l.left
	l.mu.Unlock()
	if left != nil {
		left(heads)
	}
}

func (c *countedConn) Close() error {
	c.once.Do(func() {
		c.counter.mu.Lock()
		defer c.counter.mu.Unlock()
		c.counter.closed++
	})
	return c.Conn.Close()
}
