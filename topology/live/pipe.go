package live

import (
	"context"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
)

// Pipe is an in-process network of its own, without descriptors, buffers and
// ports. A connection is a net.Pipe; what that lacks against TCP, a reset and a
// refused dial, is added here with the errors that TCP gives.
func Pipe() Network { return &pipeNetwork{listeners: map[string]*pipeListener{}} }

type pipeNetwork struct {
	mu        sync.Mutex
	last      int
	listeners map[string]*pipeListener
}

func (n *pipeNetwork) Name() string { return "pipe" }

func (n *pipeNetwork) Listen() (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	l := &pipeListener{
		network: n,
		addr:    pipeAddr("pipe-" + strconv.Itoa(n.last) + ":80"),
		accept:  make(chan net.Conn),
		closed:  make(chan struct{}),
	}
	n.listeners[string(l.addr)] = l
	return l, nil
}

func (n *pipeNetwork) Dial(ctx context.Context, addr string) (net.Conn, error) {
	n.mu.Lock()
	l := n.listeners[addr]
	n.mu.Unlock()
	refused := &net.OpError{Op: "dial", Net: "pipe", Addr: pipeAddr(addr), Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	if l == nil {
		return nil, refused
	}
	ours, theirs := connect(l.addr)
	select {
	case l.accept <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, refused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// connect returns the two ends of a connection to addr.
func connect(addr pipeAddr) (client, server *pipeConn) {
	a, b := net.Pipe()
	reset := new(atomic.Bool)
	return &pipeConn{Conn: a, remote: addr, reset: reset}, &pipeConn{Conn: b, local: addr, reset: reset}
}

type pipeListener struct {
	network *pipeNetwork
	addr    pipeAddr
	accept  chan net.Conn
	once    sync.Once
	closed  chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accept:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.network.mu.Lock()
		defer l.network.mu.Unlock()
		delete(l.network.listeners, string(l.addr))
	})
	return nil
}

func (l *pipeListener) Addr() net.Addr { return l.addr }

type pipeAddr string

func (pipeAddr) Network() string  { return "pipe" }
func (a pipeAddr) String() string { return string(a) }

// pipeConn is one end of a connection.
type pipeConn struct {
	net.Conn
	local, remote pipeAddr
	reset         *atomic.Bool // shared by both ends
}

func (c *pipeConn) LocalAddr() net.Addr  { return c.local }
func (c *pipeConn) RemoteAddr() net.Addr { return c.remote }

// Reset closes the connection as an RST would: the other end reads
// ECONNRESET instead of EOF. The fault server looks for this method.
func (c *pipeConn) Reset() error {
	c.reset.Store(true)
	return c.Conn.Close()
}

func (c *pipeConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	return n, c.translate("read", err)
}

func (c *pipeConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	return n, c.translate("write", err)
}

func (c *pipeConn) translate(op string, err error) error {
	if err != nil && c.reset.Load() {
		return &net.OpError{Op: op, Net: "pipe", Addr: c.remote, Err: os.NewSyscallError(op, syscall.ECONNRESET)}
	}
	return err
}
