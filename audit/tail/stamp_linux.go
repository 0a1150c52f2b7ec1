package tail

import (
	"errors"
	"net"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stampPackets has the kernel note when each packet for the socket came. It returns when
// that is so: the first who asks for it on a machine gets it a little later, and until
// then packets have the instant at which they are read.
func stampPackets(fd int) error {
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1); err != nil {
		return err
	}
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	defer c.Close()
	if err := stampDatagrams(c); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < time.Second; time.Sleep(100 * time.Microsecond) {
		if early, err := stampedEarly(c); early || err != nil {
			return err
		}
	}
	return errors.New("this system does not say when packets came")
}

func stampDatagrams(c *net.UDPConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	})
	return errors.Join(err, failed)
}

// stampedEarly sends a datagram to itself and tells whether its instant is from before it
// was read.
func stampedEarly(c *net.UDPConn) (bool, error) {
	if _, err := c.WriteTo([]byte{0}, c.LocalAddr()); err != nil {
		return false, err
	}
	sent := time.Now()
	c.SetReadDeadline(sent.Add(time.Second))
	control := make([]byte, 128)
	_, n, _, _, err := c.ReadMsgUDP(make([]byte, 1), control)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return false, nil // lost
	}
	return stamp(control[:n], sent).Before(sent), err
}

// stamp is when the kernel received a packet, on the clock of this process and as seen
// from an instant of it: the wall clock may be set between the beginning of a trial and
// its end, but hardly between a packet and the question for it.
func stamp(control []byte, now time.Time) time.Time {
	messages, _ := unix.ParseSocketControlMessage(control)
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SCM_TIMESTAMPNS && len(m.Data) >= int(unsafe.Sizeof(unix.Timespec{})) {
			at := (*unix.Timespec)(unsafe.Pointer(&m.Data[0]))
			return now.Add(time.Unix(at.Unix()).Sub(now.Round(0)))
		}
	}
	return now
}
