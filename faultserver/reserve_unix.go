//go:build unix

package faultserver

import (
	"net/netip"
	"os"
	"syscall"
)

// reserve binds a loopback port without listening. Connections to it are refused for as
// long as it is kept, where a port that was opened and closed again may be given to the
// next who asks, perhaps another server of the same test.
func reserve() (addr string, unbind func() error, err error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return "", nil, os.NewSyscallError("socket", err)
	}
	unbind = func() error { return os.NewSyscallError("close", syscall.Close(fd)) }

	loopback := netip.MustParseAddr("127.0.0.1")
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: loopback.As4()}); err != nil {
		unbind()
		return "", nil, os.NewSyscallError("bind", err)
	}
	bound, err := syscall.Getsockname(fd)
	if err != nil {
		unbind()
		return "", nil, os.NewSyscallError("getsockname", err)
	}
	port := bound.(*syscall.SockaddrInet4).Port
	return netip.AddrPortFrom(loopback, uint16(port)).String(), unbind, nil
}
