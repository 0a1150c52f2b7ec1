// Package tap puts an ear between two hops: a [Tap] passes bytes on in both directions
// and writes down which requests went by.
//
// Use it where a chain of a client, proxies and a tail multiplies a request and the
// tail alone cannot say who did it:
//
//	client → tap → proxy → tap → tail
//
// Each tap counts what the hop before it sent. What goes in at a proxy divided by what
// comes out is the proxy's own factor, and what [Hidden] finds at a tap is no policy's
// work but that of the HTTP stack in front of it.
//
// # What a tap leaves alone
//
// It must not change what it measures. One read becomes one write, without Nagle's
// delay, since there are proxies that repeat a POST only if its head and body came
// together. A connection is opened onwards as soon as it is accepted. A half close is
// passed on as a half close, a reset as a reset. Requests and answers are read on the
// side: bytes that are no HTTP/1.1 pass as well, but are not counted from there on, and
// [Tap.Doubts] says so.
//
// # What it cannot leave alone
//
// A hop that refuses looks like one that accepts and resets at once: the kernel has
// accepted for the tap already. [Tap.Refused] counts these. Likewise a hop that does
// not answer a SYN looks like one that accepts and says nothing.
package tap
