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
// made with the hits that services counted. A client that a policy keeps back, in
// the queue of a pool for instance, holds no request back and is not waited for.
//
// A service makes the calls of its own in turn or at once, as the topology says; a
// client does so too, and all calls that its first request begins with are held back.
//
// A service is a faultserver.Handler for each of its replicas and fault programs.
// One with workers, service times or a changing speed has a desk that admits hits:
// they are counted and meet their fate when they arrive, wait at a station, are
// worked on, and only then perform what the fault program has for them.
//
// What travels between services travels in headers: Labctl-Path (which attempt, and
// so its luck), Labctl-Deadline, Idempotency-Key, and in answers Retry-After and
// Labctl-Degraded. A route is the path of the URL.
package live
