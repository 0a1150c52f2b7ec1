package tail

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"labctl/audit"
)

// packet is an IPv4 packet with so many bytes of IP options.
func packet(from, to string, options int, flags byte, sequence uint32) []byte {
	src, dst := netip.MustParseAddrPort(from), netip.MustParseAddrPort(to)
	p := make([]byte, ipHeader+options+tcpHeader)
	p[0], p[9] = 4<<4|byte((ipHeader+options)/4), protoTCP
	copy(p[12:], src.Addr().AsSlice())
	copy(p[16:], dst.Addr().AsSlice())
	tcp := p[ipHeader+options:]
	binary.BigEndian.PutUint16(tcp, src.Port())
	binary.BigEndian.PutUint16(tcp[2:], dst.Port())
	binary.BigEndian.PutUint32(tcp[4:], sequence)
	tcp[flagsAt] = flags
	return p
}

func TestParseSYN(t *testing.T) {
	const from, to = "127.0.0.1:50000", "127.0.0.2:80"
	good := packet(from, to, 0, flagSYN, 7)
	want := syn{netip.MustParseAddrPort(from), netip.MustParseAddrPort(to), 7}
	changed := func(at int, to byte) []byte {
		p := append([]byte(nil), good...)
		p[at] = to
		return p
	}
	for _, tt := range []struct {
		name   string
		packet []byte
		ok     bool
	}{
		{"SYN", good, true},
		{"with congestion bits", packet(from, to, 0, flagSYN|0xc0, 7), true},
		{"with IP options", packet(from, to, 40, flagSYN, 7), true},
		{"with data", append(packet(from, to, 0, flagSYN, 7), "data"...), true},
		{"SYN ACK", packet(from, to, 0, flagSYN|flagACK, 7), false},
		{"RST", packet(from, to, 0, flagRST, 7), false},
		{"ACK", packet(from, to, 0, flagACK, 7), false},
		{"UDP", changed(9, 17), false},
		{"IPv6", changed(0, 0x65), false},
		{"impossible header length", changed(0, 0x41), false},
		{"cut short", good[:len(good)-1], false},
		{"empty", nil, false},
	} {
		got, ok := parseSYN(tt.packet)
		if ok != tt.ok || ok && got != want {
			t.Errorf("%s: got %v %v", tt.name, got, ok)
		}
	}
}

func FuzzParseSYN(f *testing.F) {
	f.Add(packet("127.0.0.1:1", "127.0.0.1:2", 4, flagSYN, 9))
	f.Add([]byte{0x4f})
	f.Fuzz(func(t *testing.T, p []byte) { parseSYN(p) })
}

func TestSynBook(t *testing.T) {
	began := time.Unix(1000, 0)
	b := newSynBook([]netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:80"), netip.MustParseAddrPort("0.0.0.0:81")})
	for i, p := range [][]byte{
		packet("127.0.0.1:50001", "127.0.0.1:80", 0, flagSYN, 1),
		packet("127.0.0.1:50001", "127.0.0.1:80", 0, flagSYN, 1), // sent again
		packet("127.0.0.1:50002", "127.0.0.9:80", 0, flagSYN, 1), // to somebody else
		packet("127.0.0.1:50001", "127.0.0.9:81", 0, flagSYN, 1),
		packet("127.0.0.1:50001", "127.0.0.1:80", 0, flagSYN, 2), // the port is used anew
		packet("127.0.0.1:50003", "127.0.0.1:80", 0, flagACK, 1),
	} {
		b.note(began.Add(time.Duration(i)*time.Second), p)
	}
	at := func(seconds time.Duration, port int) audit.Hit {
		return audit.Hit{At: seconds * time.Second, End: seconds * time.Second, Conn: port, Turn: 1}
	}
	want := []audit.Hit{at(0, 50001), at(3, 50001), at(4, 50001)}
	got := b.hits(began)
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("hit %d: got %+v, want %+v", i+1, got[i], want[i])
		}
	}
}

func TestNoiseOf(t *testing.T) {
	var gaps []time.Duration
	for i := 200; i > 0; i-- {
		gaps = append(gaps, time.Duration(i))
	}
	if got, want := noiseOf(gaps), (audit.Noise{Median: 100, P99: 198, Samples: 200}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := noiseOf(nil); got != (audit.Noise{}) {
		t.Errorf("of nothing: %v", got)
	}
}
