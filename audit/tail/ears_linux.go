package tail

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ears are a packet socket on the loopback interface that gets SYNs to some ports and
// nothing else. It is never waited for: the kernel keeps the packets until somebody asks.
type ears struct {
	fd   int // -1 once closed
	lost bool
}

// room for packets is what the kernel may keep of them: some twenty thousand.
const room = 8 << 20

// newEars listens for SYNs to the ports of addresses.
func newEars(to []netip.AddrPort) (*ears, error) {
	lo, err := loopback()
	if err != nil {
		return nil, err
	}
	// Without a protocol it gets nothing until it is bound, by when it has its filter.
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		return nil, errors.New("it takes the right to read packets (root, or setcap cap_net_raw+ep on labctl)")
	}
	if err != nil {
		return nil, os.NewSyscallError("packet socket", err)
	}
	e := &ears{fd: fd}
	if err := e.setUp(lo, to); err != nil {
		e.close()
		return nil, os.NewSyscallError("packet socket", err)
	}
	return e, nil
}

func (e *ears) setUp(lo int, to []netip.AddrPort) error {
	filter := synFilter(to)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.SetsockoptSockFprog(e.fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &program); err != nil {
		return err
	}
	if unix.SetsockoptInt(e.fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, room) != nil { // beyond the system's limit: may be forbidden
		unix.SetsockoptInt(e.fd, unix.SOL_SOCKET, unix.SO_RCVBUF, room)
	}
	if err := stampPackets(e.fd); err != nil {
		return err
	}
	// A socket for one protocol, and not for all, gets packets as they are received and
	// not also as they are sent: each once, although loopback does both.
	return unix.Bind(e.fd, &unix.SockaddrLinklayer{Protocol: bigEndian(unix.ETH_P_IP), Ifindex: lo})
}

func loopback() (index int, err error) {
	all, err := net.Interfaces()
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 {
			return i.Index, nil
		}
	}
	return 0, errors.Join(errors.New("there is no loopback interface"), err)
}

// bigEndian is a number as the network writes it.
func bigEndian(n uint16) uint16 {
	return binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, n))
}

// each calls f with the packets that came since the last time, and their instants.
func (e *ears) each(f func(at time.Time, packet []byte)) {
	packet, control := make([]byte, snapLength), make([]byte, 128)
	for e.fd >= 0 {
		n, oobn, _, _, err := unix.Recvmsg(e.fd, packet, control, 0)
		if err == unix.EINTR {
			continue
		}
		if err != nil { // EAGAIN: that was all
			return
		}
		f(stamp(control[:oobn], time.Now()), packet[:n])
	}
}

// missed tells whether packets came for which there was no room.
func (e *ears) missed() bool {
	if e.fd >= 0 {
		stats, err := unix.GetsockoptTpacketStats(e.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS)
		e.lost = e.lost || err == nil && stats.Drops > 0 // since the last question
	}
	return e.lost
}

func (e *ears) close() error {
	if e.fd < 0 {
		return nil
	}
	e.missed()
	err := unix.Close(e.fd)
	e.fd = -1
	return os.NewSyscallError("close", err)
}
