// Package tail is what a subject of an audit meets: one tail for each trial, on a port
// of its own, that performs one fault and says what arrived.
//
// Use [Open] for every trial: a port that no other trial knows is what keeps a straggler
// of one from being counted in another. A fault program is served by package faultserver,
// which counts requests. Two faults answer no request and have none to count: a port that
// refuses, and a blackhole that answers nothing at all. There an attempt is a SYN, the
// first packet of a connection, and its repetitions by the system are no attempts of
// their own.
//
// # Counting SYNs
//
// No program without rights sees a connection that is refused. On Linux with the right to
// read packets (CAP_NET_RAW) they are counted, on the loopback interface and over IPv4, by
// a filter in the kernel that lets nothing else through. Everywhere else [Tail.Uncounted]
// says why they are not.
//
// # Clock
//
// All instants are since [Open], on the clock of this process.
// Those of SYNs are the kernel's.
package tail
