//go:build !unix

package tail

import (
	"net"
	"net/netip"
)

// refuse finds an address on which nobody listens at the moment. Here it cannot be kept;
// see the version for Unix.
func refuse(addr netip.AddrPort) (place, error) {
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(addr))
	if err != nil {
		return place{}, err
	}
	bound := l.Addr().(*net.TCPAddr).AddrPort()
	return place{
		addr:  netip.AddrPortFrom(bound.Addr().Unmap(), bound.Port()),
		close: func() error { return nil },
	}, l.Close()
}
