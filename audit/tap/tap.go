package tap

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// A Tap is a relay on a loopback port of its own, in front of one hop.
type Tap struct {
	*book
	Addr string // 127.0.0.1:port

	target string
	listen *net.TCPListener
	ctx    context.Context // ends with Close
	end    context.CancelFunc
	work   sync.WaitGroup
}

// Open starts a tap in front of a hop, given as host:port. The hop need not be there
// yet.
func Open(target string) (*Tap, error) {
	if _, _, err := net.SplitHostPort(target); err != nil {
		return nil, fmt.Errorf("tap: the hop must be host:port: %w", err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("tap: cannot listen on loopback: %w; free some ports or descriptors", err)
	}
	t := &Tap{book: &book{epoch: time.Now()}, Addr: l.Addr().String(), target: target, listen: l.(*net.TCPListener)}
	t.ctx, t.end = context.WithCancel(context.Background())
	t.work.Go(t.accept)
	return t, nil
}

// Began is the instant from which requests are measured.
func (t *Tap) Began() time.Time { return t.epoch }

// URL is http:// and the address, without a slash at the end.
func (t *Tap) URL() string { return "http://" + t.Addr }

// Close ends all connections and returns when nothing runs any more. What was written
// down can be read afterwards; closing again does nothing.
func (t *Tap) Close() {
	t.end()
	t.listen.Close()
	t.work.Wait()
}

// acceptPause is how long a tap without descriptors waits before it accepts again.
const acceptPause = 10 * time.Millisecond

func (t *Tap) accept() {
	for {
		c, err := t.listen.AcceptTCP()
		switch {
		case err == nil:
			n := t.accepted()
			t.work.Go(func() { t.relay(c, n) })
		case errors.Is(err, net.ErrClosed):
			return
		default:
			t.lost(err)
		}
	}
}

func (t *Tap) lost(err error) {
	t.mu.Lock()
	t.doubt(fmt.Sprintf("a connection could not be accepted: %v", err))
	t.mu.Unlock()
	select {
	case <-time.After(acceptPause):
	case <-t.ctx.Done():
	}
}
