// Package run performs the trials of an audit: for each probe a tail of its own, a run
// of the subject against it, and what arrived.
//
// Use it through [Plan.Perform]. It makes numbers and judges none: package infer says
// what they mean.
//
// # Trials side by side
//
// A trial mostly waits, so many run at once (see Plan.Parallel). Each has its own port,
// so that no hit can be taken for another's, and the tail's counts need no header that
// the subject would have to send. Those that are likely to take all their time begin
// first.
//
// # Connections
//
// On a fresh connection every answer closes it, so that each attempt must open one. On
// a reused one answers keep it open; where the fault is that of a connection, the
// attempt has to come on one that was good before. That takes a first request in front,
// a warm-up: the command makes it where it has a {warm}, else the tail asks for one by
// answering the first request with a redirect. A subject that follows no redirects and
// has no {warm} cannot be asked, and its trial says so.
package run
