package tail

import (
	"net/netip"

	"golang.org/x/sys/unix"
)

// snapLength is what is kept of a packet: an IPv4 header with all options, and TCP's.
const snapLength = 60 + tcpHeader

// synFilter is the kernel's part of parseSYN: whole IPv4 packets with a SYN and no ACK to
// one of the ports. The addresses are looked at later.
func synFilter(to []netip.AddrPort) []unix.SockFilter {
	const ports = 9         // where the comparisons of the port begin
	drop := ports + len(to) // where the instruction is that lets nothing through
	otherwise := func(at int) uint8 { return uint8(drop - at - 1) }
	f := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 9}, // protocol
		{Code: unix.BPF_JMP | unix.BPF_JEQ, K: protoTCP, Jf: otherwise(1)},
		{Code: unix.BPF_LD | unix.BPF_H | unix.BPF_ABS, K: 6}, // offset of a fragment
		{Code: unix.BPF_JMP | unix.BPF_JSET, K: 0x1fff, Jt: otherwise(3)},
		{Code: unix.BPF_LDX | unix.BPF_B | unix.BPF_MSH, K: 0}, // x is the length of the IP header
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_IND, K: flagsAt},
		{Code: unix.BPF_ALU | unix.BPF_AND, K: flagSYN | flagACK | flagRST | flagFIN},
		{Code: unix.BPF_JMP | unix.BPF_JEQ, K: flagSYN, Jf: otherwise(7)},
		{Code: unix.BPF_LD | unix.BPF_H | unix.BPF_IND, K: 2}, // port
	}
	for i, a := range to {
		f = append(f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ, K: uint32(a.Port()), Jt: otherwise(ports+i) + 1})
	}
	return append(f,
		unix.SockFilter{Code: unix.BPF_RET, K: 0},
		unix.SockFilter{Code: unix.BPF_RET, K: snapLength})
}
