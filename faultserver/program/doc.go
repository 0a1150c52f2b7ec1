// Package program reads fault programs and steps through them.
//
// A fault program is one line that says what a faulty service does to the
// requests that reach it: answer 503 twice and then recover, reset three
// connections in ten, be down for the first two seconds.
//
//	program := [ "each:" | "conn:" ] step { "," step }
//	step    := action { "+" option } [ "x" n | ":" p "%" ] [ "@" from ".." to ]
//	action  := ok | STATUS | reset | close | hang | refuse | lost
//	         | truncate | halfreset | stall | malformed | badchunk | slow | throttle=10/s
//	option  := delay=time | over=2s | retry-after=2 | date-retry-after=2
//	         | raw-retry-after=soon | location=again | body=64KiB | burst=5 | close
//	time    := 60ms | uniform(10ms..20ms) | exponential(5ms)
//	         | lognormal(50ms;0.6) | empirical(1ms;2ms;9ms)
//
// Use [Parse] for text that people wrote, [MustParse] for text in the source,
// and a [State] to ask for the action of each request. Use this package alone
// when no HTTP is wanted, as a simulator does; package faultserver performs the
// actions over real connections.
//
// # Actions
//
// In front of the work, which is then not done:
//
//	503       any final status from 200 to 599, without the service behind
//	reset     the connection is reset (TCP RST) before any answer
//	close     the connection is closed in order (FIN) before any answer
//	hang      no answer until the caller leaves
//	refuse    the port is closed; always the whole program
//	throttle  beyond so many requests a second (10/s) or minute (90/m): 429 at once,
//	          with the seconds until the next token in Retry-After; ok for the rest
//
// After the work, so that a client that tries again has it done twice:
//
//	ok        200, or whatever the service behind the fault answers
//	slow      200 at once, then a body that trickles in over=1s and ends well
//	lost      no answer: the connection is reset when the work is done
//	truncate  200, half of the announced body, and the connection is closed (FIN)
//	halfreset likewise, and the connection is reset (RST)
//	stall     likewise, but the connection stays, and nothing more comes until the
//	          caller leaves: a hang inside the body
//	malformed an answer whose status line cannot be read
//	badchunk  200 with a chunked body that breaks the rules of chunks
//
// [Kind.Works] and [Kind.Seen] are this table for engines.
//
// # Options
//
// An option may also come first, delay=60ms+503, and options alone qualify ok:
// delay=60ms is ok+delay=60ms.
//
// A delay comes before whatever the action does, from 0s to 1h, and the work is done
// at its end. A distribution draws one for each request: uniform in a range,
// exponential with a mean, lognormal with a median and the sigma of the logarithm
// (0 to 10), or one of several values, each as likely. Draws longer than 1h are 1h.
//
// retry-after takes whole seconds, with as many digits as you like, 0 included;
// date-retry-after sends the same as an HTTP date. raw-retry-after sends any visible
// text without comma, plus, at and colon, for clients that should survive it; digits
// after an x at its end are a count.
//
// location is where a redirect goes, a status from 300 to 399: visible text without
// comma, plus, at and colon, likewise. 302+location=again is a loop for whoever
// follows it.
//
// A body is filler of 0B to 64MiB. slow, truncate, halfreset and stall have 1 KiB
// unless told otherwise. A throttle's burst is what it admits at once after a pause: a
// second's worth, at least 1, unless told otherwise; its bucket is full at the first
// request and shared by all ids and connections, and its options are those of the requests that it
// admits.
//
// The word close is the option (answer, then Connection: close) where the step names
// another action, else the action.
//
// # Turns
//
// A step takes one request, or n of them with xn, and the last step repeats for
// ever, so that a count on it changes nothing: 503x2,ok fails two requests and
// recovers; ok,503 succeeds once and stays down. Steps advance when a request is
// matched, not when it is answered, so overlapping requests never share a turn.
// With each: in front every request id has turns of its own, as a client sees it
// whose every request fails once: each:503,ok. Requests without an id share one
// position, and so do the ids beyond [MaxIDs].
//
// With conn: in front every connection has turns of its own: conn:ok,close serves the
// first request of each and drops the later ones, which makes HTTP stacks send a request
// again behind the back of every policy. It takes a server that knows connections, see
// [State.NextOn].
//
// A chance, 503:30%, takes its turn like any other step and is ok for the rest.
// It is decided by the number passed to [State.Next] and never by counting, so
// that three in ten does not mean every third.
//
// A window, 503@0s..2s, holds its start and not its end. A step with a window
// acts whenever a request comes inside it, ahead of all steps without one, and
// is passed over otherwise; a count limits how often. Where two windows overlap
// the first in the program acts. A program of windows only is ok outside them.
//
// The package is pure: no clock, lock, I/O or random source. The caller brings
// the instant and the luck, which makes a program a table test and lets live and
// simulated services share it.
package program
