package tap

import (
	"context"
	"io"
	"net"
	"sync"
)

// relay serves connection n from its acceptance to its end.
func (t *Tap) relay(client *net.TCPConn, n int) {
	defer client.Close()
	c, err := new(net.Dialer).DialContext(t.ctx, "tcp", t.target)
	if err != nil {
		t.refuse()
		client.SetLinger(0) // a reset is as near to a refusal as an accepted connection can come
		return
	}
	hop := c.(*net.TCPConn)
	defer hop.Close()
	defer context.AfterFunc(t.ctx, func() { client.Close(); hop.Close() })()

	x := newExchange(t.book, n)
	var up sync.WaitGroup
	up.Go(func() {
		switch pump(hop, client, x.sent) {
		case closed:
			x.leave(false)
			hop.CloseWrite()
		case broken:
			x.leave(true)
			reset(client, hop)
		case deafened:
			x.hangUp(true)
			reset(client, hop)
		}
	})
	switch pump(client, hop, x.received) {
	case closed:
		x.hangUp(false)
		client.CloseWrite()
	case broken:
		x.hangUp(true)
		reset(client, hop)
	case deafened:
		x.leave(true)
		reset(client, hop)
	}
	up.Wait()
}

// An ending is how a direction of a connection ends.
type ending uint8

const (
	closed   ending = iota // who speaks has closed it, and may still listen
	broken                 // who speaks has reset it
	deafened               // who should listen has reset it
)

// segment is the most that loopback carries in one piece, so that a read takes all of it.
const segment = 64 << 10

// pump copies until a direction ends, piece by piece as they come. A piece is heard
// before it is passed on: see [Tap.Requests]. Writes leave at once, as is the default of
// a net.TCPConn.
func pump(to, from *net.TCPConn, hear func([]byte)) ending {
	buffer := make([]byte, segment)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			hear(buffer[:n])
			if _, err := to.Write(buffer[:n]); err != nil {
				return deafened
			}
		}
		switch {
		case err == io.EOF:
			return closed
		case err != nil:
			return broken
		}
	}
}

// reset ends both sides as a connection ends that was reset.
func reset(sides ...*net.TCPConn) {
	for _, c := range sides {
		c.SetLinger(0)
		c.Close()
	}
}
