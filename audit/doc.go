// Package audit measures the retry policy of a client or a proxy from outside: it
// lets the subject meet one fault at a time and looks at what arrives at the tail.
//
// Use it, through labctl audit, to learn what an HTTP client that you ship or a proxy
// that you inherited really does, before its retries multiply with those of the
// layers around it. Documentation says what a policy is meant to be; hits say what
// it is.
//
// # Words
//
// A subject is a command, or a proxy. A probe is one question to it: a [Fault] met
// with a method on a fresh or on a reused connection. A trial is one run of the
// subject against a probe, with the hits that the tail saw of it; repeats of a probe
// are trials of it. What follows from the trials, the [Policy] and the [Finding]s, is
// inferred, and says so where it could not be.
//
// # How an audit goes
//
//	Catalogue → probes → run: a tail and a command each → trials → infer → Audit → card
//
// This package is the data that passes along and imports neither end. Package run
// performs the trials, infer decides what they mean, card shows it.
//
// # What a gap is
//
// A gap is the time from the end of one hit to the arrival of the next. It is the
// client's rest and also its own work, a new connection and the machine's scheduling:
// an upper bound of the rest. [Noise] is how long all of that takes for a client that
// does not rest, measured beside the trials.
package audit
