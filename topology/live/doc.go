// Package live runs a topology in real time: one HTTP/1.1 server per service
// and one transport per call edge, over loopback TCP or over an in-process pipe
// network.
//
// Use [TCP] to see what a real machine does. Use [Pipe] for herds beyond the
// machine's descriptors, and in testing/synctest bubbles, where durations are
// exact.
//
// The herd is released by last-byte synchronisation: every client's first
// request is sent but for the last byte of its header block before the release,
// so that the release itself is one byte per connection. A request is never sent
// again behind the policy's back; the result compares the attempts that policies
// made with the hits that services counted.
package live
