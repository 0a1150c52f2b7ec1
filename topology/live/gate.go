package live

import (
	"bytes"
	"cmp"
	"context"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// gate holds back the last byte of the header block of each connection's first
// request until the release. Sending is then one byte per connection, on a
// connection that is open and a request that the server has read already, so
// arrivals are as close together as the machine can make them.
//
// It is the header's last byte and not the body's, since a handler starts as
// soon as the header is complete.
//
// Arrivals go before answers: a client begins to read only when the last request
// of the wave has arrived. Clients and services share the processors here, and
// the work of those that were served first would hold up those still on their
// way, which clients on machines of their own would not. Where a client has a
// timeout of its own nothing is held back, since that would be counted as a slow
// answer.
type gate struct {
	clock *clock
	slots chan struct{} // bounds how many connections are being opened at once

	mu     sync.Mutex
	held   []*heldConn
	away   int             // requests without a connection: a policy keeps them back, or chance
	ready  chan struct{}   // closed when all requests are here
	want   int             // requests: one of each client, or as many as it makes at once
	issued []time.Duration // instants at which the last bytes of the first wave went out

	at      time.Time    // the release is not before; zero: at once
	timed   bool         // a client's timeout runs while its answer waits
	wave    atomic.Int64 // requests that answers wait for
	arrived atomic.Int64
	landed  chan struct{} // closed when answers may be read
	land    sync.Once
}

// maxOpening keeps a herd's dials below the accept queue of the kernel: an
// overflowing queue drops connection requests, which come again after a second.
const maxOpening = 256

// patience bounds how long answers wait for a request that does not arrive: some
// twice what a wave of this size takes.
func (g *gate) patience() time.Duration {
	return 20*time.Millisecond + time.Duration(g.want)*50*time.Microsecond
}

func newGate(c *clock, want int) *gate {
	return &gate{
		clock: c, want: want,
		ready:  make(chan struct{}),
		landed: make(chan struct{}),
		slots:  make(chan struct{}, maxOpening),
	}
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

// wrap makes the first request on c wait for the release.
func (g *gate) wrap(c net.Conn, s *held) net.Conn {
	return &heldConn{Conn: c, gate: g, delay: s.delay, wave: s.wave}
}

func (g *gate) add(c *heldConn) {
	<-g.slots
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = append(g.held, c)
	g.count()
}

// absent lets the herd go without a request, of those that have a place, that cannot
// be held back.
func (g *gate) absent() {
	<-g.slots
	g.without(1)
}

// without lets the herd go without so many requests that have no place yet.
func (g *gate) without(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.away += n
	g.count()
}

func (g *gate) count() {
	if len(g.held)+g.away == g.want {
		close(g.ready)
	}
}

// firstWave is how many of the held requests go out together, before all others.
func (g *gate) firstWave() int {
	n := 0
	for n < len(g.held) && g.held[n].delay == g.held[0].delay {
		n++
	}
	return n
}

// open releases the herd. The release instant is taken before the first byte
// goes out. There is one loop per processor and not one goroutine per client:
// with every processor writing, none of them begins to serve the first arrivals
// before the last byte is on its way.
func (g *gate) open(ctx context.Context, released func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	slices.SortStableFunc(g.held, func(a, b *heldConn) int { return cmp.Compare(a.delay, b.delay) })
	runtime.GC() // so that no collection falls into the release
	if !g.at.IsZero() && !pause(ctx, time.Until(g.at)) {
		return
	}
	writers := runtime.GOMAXPROCS(0)
	issued := make([][]time.Duration, writers)
	var all sync.WaitGroup
	wave := g.firstWave()
	if g.wave.Store(int64(wave)); wave < 2 && len(g.held) != 1 || g.timed {
		g.letRead() // a smeared herd is no wave to wait for
	}
	wait := g.patience()
	if wave > 0 {
		wait += g.held[0].delay
	}
	lost := time.AfterFunc(wait, g.letRead)
	defer lost.Stop()
	g.clock.start()
	released()
	for w := range writers {
		all.Go(func() { issued[w] = g.write(ctx, w, writers) })
	}
	all.Wait()
	select {
	case <-g.landed:
	case <-ctx.Done():
	}
	g.issued = slices.Sorted(slices.Values(slices.Concat(issued...)))
}

// write releases every nth connection and returns when each went.
func (g *gate) write(ctx context.Context, from, n int) []time.Duration {
	issued := make([]time.Duration, 0, len(g.held)/n+1)
	for i := from; i < len(g.held); i += n {
		c := g.held[i]
		if c.delay > 0 && !pause(ctx, c.delay-g.clock.since()) {
			break
		}
		if c.wave {
			issued = append(issued, g.clock.since())
		}
		c.release()
	}
	return issued
}

// arrive counts a request at the service behind the gate.
func (g *gate) arrive() {
	if g.arrived.Add(1) == g.wave.Load() {
		g.letRead()
	}
}

func (g *gate) letRead() { g.land.Do(func() { close(g.landed) }) }

// heldConn is a connection whose first request waits at the gate. To its
// transport the request is written; what is missing is kept here.
type heldConn struct {
	net.Conn
	gate  *gate
	delay time.Duration // after the release
	wave  bool          // one of the first wave

	mu    sync.Mutex
	state int8
	rest  []byte

	reads bool // of the transport's one reader
}

const (
	fresh    int8 = iota // nothing of a header's end has been written
	holding              // the last byte and all after it are kept
	released             // an ordinary connection
)

var endOfHeader = []byte("\r\n\r\n")

func (c *heldConn) Read(p []byte) (int, error) {
	if !c.reads {
		<-c.gate.landed
		c.reads = true
	}
	return c.Conn.Read(p)
}

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
