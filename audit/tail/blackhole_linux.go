package tail

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// backlog is the smallest with which a system without SYN cookies lets a first connection
// in. Full it is with one more.
const backlog = 1

// blackhole listens on an address with a backlog that it fills up itself and never
// empties: Linux drops the SYNs that come after that. A filter that drops them would be
// shorter, but takes rights.
func blackhole(addr netip.AddrPort) (place, error) {
	fd, p, err := bind(addr)
	if err != nil {
		return place{}, err
	}
	if err := unix.Listen(fd, backlog); err != nil {
		p.close()
		return place{}, os.NewSyscallError("listen", err)
	}
	var filling []net.Conn
	for n := 1; n <= backlog+1 && err == nil; n++ {
		var c net.Conn
		if c, err = net.DialTCP("tcp", nil, net.TCPAddrFromAddrPort(p.addr)); err == nil {
			filling = append(filling, c)
			err = queued(fd, n)
		}
	}
	unbind := p.close
	p.close = func() error {
		for _, c := range filling {
			c.Close()
		}
		return unbind()
	}
	if err != nil {
		p.close()
		return place{}, err
	}
	return p, nil
}

// queued returns when n connections wait to be accepted, which is an instant after the
// last of them was opened at its other end.
func queued(fd, n int) error {
	for began := time.Now(); time.Since(began) < time.Second; time.Sleep(100 * time.Microsecond) {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			return os.NewSyscallError("TCP_INFO", err)
		}
		if int(info.Unacked) >= n { // of a socket that listens, the length of its queue
			return nil
		}
	}
	return errors.New("its backlog cannot be filled up")
}
