// Package program reads fault programs and steps through them.
//
// A fault program is one line that says what a faulty service does to the
// requests that reach it: answer 503 twice and then recover, reset three
// connections in ten, be down for the first two seconds.
//
//	program := [ "each:" ] step { "," step }
//	step    := action { "+" option } [ "x" n | ":" p "%" ] [ "@" from ".." to ]
//	action  := ok | STATUS | reset | close | hang | refuse
//	option  := delay=60ms | retry-after=2 | date-retry-after=2 | body=64KiB | close
//
// Use [Parse] for text that people wrote, [MustParse] for text in the source,
// and a [State] to ask for the action of each request. Use this package alone
// when no HTTP is wanted, as a simulator does; package faultserver performs the
// actions over real connections.
//
// # Actions
//
//	ok      200, or whatever the service behind the fault answers
//	503     any final status from 200 to 599, without that service
//	reset   the connection is reset (TCP RST) before any answer
//	close   the connection is closed in order (FIN) before any answer
//	hang    no answer until the caller leaves
//	refuse  the port is closed; always the whole program
//
// An option may also come first, delay=60ms+503, and options alone qualify ok:
// delay=60ms is ok+delay=60ms. The word close is the option (answer, then
// Connection: close) where the step names another action, else the action.
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
