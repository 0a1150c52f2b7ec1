package tail

import (
	"fmt"
	"net"
	"time"

	"labctl/audit"
	"labctl/faultserver/program"
)

// A Plan says what a tail does to those that reach it.
type Plan struct {
	Program   string // a fault program; see package program
	Blackhole bool   // answer nothing, not even a SYN; without a Program

	// Addrs are fixed places (host:port) for a proxy whose configuration names them; all
	// of them are one tail. None is a free port on loopback.
	Addrs []string
}

// A Tail is open for one trial.
type Tail struct {
	source
	url   string
	clock clock
}

// A source is what a tail counts, served or silent.
type source interface {
	Hits() []audit.Hit
	Connections() int
	Uncounted() string
	Close() error
}

// Open opens a tail, whose trial begins at once.
func Open(p Plan) (*Tail, error) {
	t := &Tail{clock: clock{time.Now()}}
	faults, err := program.Parse(p.Program)
	switch {
	case err != nil && !p.Blackhole:
		return nil, err
	case p.Blackhole:
		t.source, t.url, err = openSilent(p.Addrs, blackhole, t.clock)
	case faults.Refuses():
		t.source, t.url, err = openSilent(p.Addrs, refuse, t.clock)
	default:
		t.source, t.url, err = openServed(p, faults, t.clock)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// URL is where the tail is; of several places the first one.
func (t *Tail) URL() string { return t.url }

// Hits lists the attempts so far in the order of arrival, also after Close. One of a
// SYN has no method and no body, and the source port for its connection.
func (t *Tail) Hits() []audit.Hit { return t.source.Hits() }

// Connections returns how many connections were accepted. None ever is where there are
// SYNs only.
func (t *Tail) Connections() int { return t.source.Connections() }

// Uncounted says why there may have been more attempts than Hits lists, and is "" where
// all are there.
func (t *Tail) Uncounted() string { return t.source.Uncounted() }

// Close ends what the tail does to those that still wait for it, and frees its port.
func (t *Tail) Close() error { return t.source.Close() }

// cannotOpen is the error of a place that cannot be had.
func cannotOpen(addr string, err error) error {
	if addr == anyPort {
		return fmt.Errorf("cannot open a port on loopback: %w: free some ports, or allow more open files (ulimit -n)", err)
	}
	return fmt.Errorf("cannot open %s: %w: end what uses it, or name another place", addr, err)
}

// anyPort is a free port on loopback.
const anyPort = "127.0.0.1:0"

// places are the fixed ones or a free one.
func places(addrs []string) []string {
	if len(addrs) == 0 {
		return []string{anyPort}
	}
	return addrs
}

// urlOf is the URL of a place that listens: of one that listens everywhere, on loopback.
func urlOf(addr *net.TCPAddr) string {
	host := addr.IP.String()
	if addr.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return fmt.Sprintf("http://%s/", net.JoinHostPort(host, fmt.Sprint(addr.Port)))
}
