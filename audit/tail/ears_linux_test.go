package tail

import (
	"io"
	"net"
	"net/netip"
	"testing"
	"time"
)

// The filter in the kernel lets SYNs to the ports through, once each, and nothing else of
// what goes on beside them: it is what keeps a busy machine from filling the buffer.
func TestEarsGetNothingElse(t *testing.T) {
	var listeners []net.Listener
	for range 3 {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		listeners = append(listeners, l)
	}
	to := func(i int) netip.AddrPort { return listeners[i].Addr().(*net.TCPAddr).AddrPort() }
	e, err := newEars([]netip.AddrPort{to(0), to(1)})
	if err != nil {
		t.Skip(err)
	}
	defer e.close()
	for _, l := range listeners {
		for range 4 {
			talk(t, l)
		}
	}
	var got []netip.AddrPort
	e.each(func(_ time.Time, packet []byte) {
		s, ok := parseSYN(packet)
		if !ok {
			t.Errorf("got %x, which is no SYN", packet)
		}
		got = append(got, s.to)
	})
	if len(got) != 8 || got[0] != to(0) || got[3] != to(0) || got[4] != to(1) || got[7] != to(1) {
		t.Errorf("got SYNs to %v, want four each to %v and %v", got, to(0), to(1))
	}
	if e.missed() {
		t.Error("some were missed")
	}
}

// talk opens a connection, says something and closes it.
func talk(t *testing.T, l net.Listener) {
	c, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	served, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c.Write([]byte("hello"))
	c.Close()
	io.Copy(io.Discard, served)
	served.Close()
}
