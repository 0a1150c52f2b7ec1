// Package control runs the faulty tail on its own, for clients that are no Go
// program: many tails behind one port, and an HTTP API that counts and changes them.
//
// Use it through labctl serve, or in a program with [New] and [Handler.Serve]. In a Go
// test, package faultserver alone is shorter.
//
// # Tails
//
// A request goes to a tail by its path:
//
//	/p/ID/…   the tail of that id, so that a client needs no header of its own; made
//	          by its first request, with the default program
//	/orders…  the tail of the longest path given at the start, on segment borders
//	/-/…      the control API, which no tail sees
//	…         the default tail, whose id is default
//
// Each has a fault program, turns and counts of its own.
//
// # Counts
//
// What a client repeats can be told from what its HTTP stack repeats only at three
// levels: connections accepted, hits on a fresh connection, and hits on one that
// carried a hit before. Requests for the control API are hits of nobody.
//
// # What it withstands
//
// It may be reached by strangers, so whatever arrives has a bound: the ids, the
// arrivals kept, the text of each, the positions of each:, the connections. Beyond
// them it counts on, or answers 507 in place of making an id. Half of the arrivals
// kept are the default tail's and the paths', the other half the ids' in equal shares,
// so that no id can take the place of another.
//
// Nobody holds a connection for ever: a head, a body, a silence between requests, and
// whatever a program does to a request end after a time. When all connections are in
// use the quietest that waits for a request makes place for the new one.
//
// [Config.Token] guards what changes something, and arrivals, which hold the data of
// strangers. A browser on the same machine is a stranger too: its cross-origin
// requests are refused, and on loopback also those for a name that is not this host's,
// see [Config.AnyHost].
//
// # What is absent
//
// A closed port, as in the program refuse, cannot be had by path. HTTP/2 comes as
// net/http has it, and a fault aborts its stream; there is no REFUSED_STREAM and no
// GOAWAY.
package control
