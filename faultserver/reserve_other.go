//go:build !unix

package faultserver

import "net"

// reserve finds a loopback port on which nobody listens at the moment. Here it cannot be
// kept; see the version for Unix.
func reserve() (addr string, unbind func() error, err error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	return l.Addr().String(), func() error { return nil }, l.Close()
}
