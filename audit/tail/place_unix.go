//go:build unix

package tail

import (
	"net/netip"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// refuse binds an address without listening on it: connections are refused, and nobody
// else is given it.
func refuse(addr netip.AddrPort) (place, error) {
	_, p, err := bind(addr)
	return p, err
}

// bind occupies an address with a socket that does not listen.
func bind(addr netip.AddrPort) (fd int, p place, err error) {
	domain := unix.AF_INET
	if addr.Addr().Is6() {
		domain = unix.AF_INET6
	}
	syscall.ForkLock.RLock()
	fd, err = unix.Socket(domain, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return -1, place{}, os.NewSyscallError("socket", err)
	}
	p.close = sync.OnceValue(func() error { return os.NewSyscallError("close", unix.Close(fd)) })
	if p.addr, err = bindSocket(fd, addr); err != nil {
		p.close()
		return -1, place{}, os.NewSyscallError("bind", err)
	}
	return fd, p, nil
}

func bindSocket(fd int, addr netip.AddrPort) (netip.AddrPort, error) {
	if addr.Port() != 0 { // connections of the last trial may linger on a fixed port
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
			return netip.AddrPort{}, err
		}
	}
	var sa unix.Sockaddr = &unix.SockaddrInet6{Port: int(addr.Port()), Addr: addr.Addr().As16()}
	if addr.Addr().Is4() {
		sa = &unix.SockaddrInet4{Port: int(addr.Port()), Addr: addr.Addr().As4()}
	}
	if err := unix.Bind(fd, sa); err != nil {
		return netip.AddrPort{}, err
	}
	bound, err := unix.Getsockname(fd)
	if err != nil {
		return netip.AddrPort{}, err
	}
	switch bound := bound.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(addr.Addr(), uint16(bound.Port)), nil
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(addr.Addr(), uint16(bound.Port)), nil
	}
	return addr, nil
}
