package tail

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"time"

	"labctl/audit"
)

// A syn is the first packet of a connection.
type syn struct {
	from, to netip.AddrPort
	sequence uint32
}

// The sizes and places that matter of an IPv4 and a TCP header.
const (
	ipHeader  = 20
	tcpHeader = 20
	flagsAt   = 13
	flagFIN   = 0x01
	flagSYN   = 0x02
	flagRST   = 0x04
	flagACK   = 0x10
	protoTCP  = 6
)

// parseSYN reads an IPv4 packet, which may be cut short behind its headers.
func parseSYN(packet []byte) (syn, bool) {
	if len(packet) < ipHeader || packet[0]>>4 != 4 || packet[9] != protoTCP {
		return syn{}, false
	}
	length := int(packet[0]&0xf) * 4
	if length < ipHeader || len(packet) < length+tcpHeader {
		return syn{}, false
	}
	tcp := packet[length:]
	if tcp[flagsAt]&(flagSYN|flagACK|flagRST|flagFIN) != flagSYN {
		return syn{}, false
	}
	address := func(at, port int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(packet[at:at+4])), binary.BigEndian.Uint16(tcp[port:]))
	}
	return syn{from: address(12, 0), to: address(16, 2), sequence: binary.BigEndian.Uint32(tcp[4:])}, true
}

// A synBook holds the SYNs to some addresses, each once: a system that gets no answer
// sends the same one again and again.
type synBook struct {
	to   []netip.AddrPort
	seen map[syn]bool
	came []arrival
	full bool // more came than are kept
}

type arrival struct {
	at   time.Time
	port uint16
}

func newSynBook(to []netip.AddrPort) synBook {
	return synBook{to: to, seen: map[syn]bool{}}
}

// note counts a packet if it is a new SYN to one of the addresses.
func (b *synBook) note(at time.Time, packet []byte) {
	s, ok := parseSYN(packet)
	if !ok || !b.meant(s.to) || b.seen[s] {
		return
	}
	if len(b.seen) >= keep {
		b.full = true
		return
	}
	b.seen[s] = true
	b.came = append(b.came, arrival{at: at, port: s.from.Port()})
}

func (b *synBook) meant(to netip.AddrPort) bool {
	return slices.ContainsFunc(b.to, func(a netip.AddrPort) bool {
		return a == to || a.Addr().IsUnspecified() && a.Port() == to.Port()
	})
}

// hits are the SYNs since an instant.
func (b *synBook) hits(began time.Time) []audit.Hit {
	var hits []audit.Hit
	for _, a := range b.came {
		at := a.at.Sub(began)
		hits = append(hits, audit.Hit{At: at, End: at, Conn: int(a.port), Turn: 1})
	}
	slices.SortStableFunc(hits, func(a, b audit.Hit) int { return int(a.At - b.At) })
	return hits
}
