package live_test

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
)

// pair is a connection from both ends.
func pair(t *testing.T, n interface {
	Listen() (net.Listener, error)
	Dial(context.Context, string) (net.Conn, error)
}) (ours, theirs net.Conn, close func()) {
	t.Helper()
	l, err := n.Listen()
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	ours, err = n.Dial(t.Context(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	theirs = <-accepted
	return ours, theirs, func() { ours.Close(); theirs.Close(); l.Close() }
}

// Both networks end a connection, or refuse one, with the same errors.
func TestNetworksFailAlike(t *testing.T) {
	read := func(c net.Conn) error {
		_, err := c.Read(make([]byte, 1))
		return err
	}
	for name, n := range networks() {
		equal(t, "name", n.Name(), name)

		ours, theirs, end := pair(t, n)
		theirs.Close()
		equal(t, name+": after a close", read(ours), io.EOF)
		end()

		ours, theirs, end = pair(t, n)
		switch c := theirs.(type) {
		case interface{ Reset() error }:
			c.Reset()
		case *net.TCPConn:
			c.SetLinger(0)
			c.Close()
		}
		err := read(ours)
		equal(t, name+": after a reset: "+text(err), errors.Is(err, syscall.ECONNRESET), true)
		end()

		l, err := n.Listen()
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		_, err = n.Dial(t.Context(), l.Addr().String())
		equal(t, name+": a closed port: "+text(err), errors.Is(err, syscall.ECONNREFUSED), true)
		_, err = l.Accept()
		equal(t, name+": a closed listener: "+text(err), err != nil, true)
	}
}

// A dial that nobody accepts ends with its context, or with the listener.
func TestPipeDialsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := networks()["pipe"]
		l, err := n.Listen()
		if err != nil {
			t.Fatal(err)
		}
		dial := func(ctx context.Context) chan error {
			failed := make(chan error, 1)
			go func() {
				_, err := n.Dial(ctx, l.Addr().String())
				failed <- err
			}()
			synctest.Wait()
			return failed
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancelled, refused := dial(ctx), dial(t.Context())
		cancel()
		equal(t, "after a cancel", <-cancelled, context.Canceled)
		l.Close()
		l.Close()
		equal(t, "after a close", errors.Is(<-refused, syscall.ECONNREFUSED), true)
	})
}
