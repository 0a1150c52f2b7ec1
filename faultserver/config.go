package faultserver

import (
	"net/http"
	"strings"
	"time"

	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
)

// Config says how a tail behaves. The zero Config is a tail without faults.
type Config struct {
	// Program is what happens to the hits. One with conn: needs a server that tells
	// connections apart, see [Connections]; else all hits share its steps.
	Program program.Program

	// Next does the work of an action that works, see program.Kind.Works, and
	// answers where the program says ok; what it answers otherwise is thrown away, but
	// for the status of a slow answer. Nil answers 200 with the body that the program
	// asks for. Next gets the whole request body. A Next that panics, as with
	// http.ErrAbortHandler because its caller left, did no work.
	Next http.Handler

	// Idempotency is what happens to a hit whose KeyHeader was there before. Every hit
	// takes its turn in the program all the same. A replay has the stored status, the
	// ReplayHeader and no body.
	Idempotency idempotency.Mode

	// Keys, if not nil, remembers the keys in place of a memory of the Handler's own, in
	// the mode that it was made with.
	Keys *Keys

	// Admit gives every hit its [Job]: a place in front of some workers, and the time
	// that they take. It is called for one hit at a time, in the order of turns in the
	// program and before the body is read, so it must not wait itself. Nil serves every
	// hit at once, and lets it take its action's delay.
	Admit func(Hit) Job

	// Clock gives the instant since the release. It is called first thing in a hit
	// and once at its end if it is kept, from many goroutines. Nil is the time since New or the
	// last Reset.
	Clock func() time.Duration

	// Now is the wall clock behind a Retry-After date. Nil is time.Now.
	Now func() time.Time

	// Luck decides chances and drawn delays and is uniform over 64 bits; the first hit
	// has number 1. Nil hashes that number, so that a run repeats itself as far as
	// its order of arrival does. It is not called for programs without either.
	Luck func(hit int, r *http.Request) uint64

	// RequestID tells which logical request a hit belongs to. Nil is RequestID.
	RequestID func(*http.Request) string

	// Headers names request headers, in their canonical form, whose first values are
	// kept in [Arrival.Headers]: a client's own count of its attempts, say. Nil keeps
	// none and costs nothing.
	Headers []string

	// BodyTimeout is how long the body of a request may take to come, as far as the tail
	// reads it: see MaxDrain. One that takes longer is not Complete; its hit goes on, and
	// the connection is given up when that was answered, over HTTP/2 the stream. 0 is no
	// limit, as where connections have no deadlines.
	BodyTimeout time.Duration

	// Keep bounds the memory: so many hits are kept in detail, later ones are
	// counted only and reported by Dropped. 0 is DefaultKeep.
	Keep int
}

const (
	// DefaultKeep is the number of hits kept in detail, 640 MiB when all are used.
	DefaultKeep = 1 << 22

	// MaxDrain is how much of a request body is read before the fault. While more is
	// unread a server cannot see its caller leave, so that only its own end cuts a
	// delay or hang short.
	MaxDrain = 1 << 20

	// MaxText is how much of a target, path or id is kept, in bytes: headers come
	// from strangers.
	MaxText = 1024

	// PathHeader carries the attempts above a hit, outermost first, separated by
	// slashes; its first part is the id of the logical request.
	PathHeader = "Labctl-Path"

	// AttemptHeader carries the number of an attempt that is not its call's first, so
	// that a service may turn retries away before first attempts.
	AttemptHeader = "Labctl-Attempt"

	// KeyHeader carries the idempotency key of a request, the same in all attempts.
	KeyHeader = "Idempotency-Key"

	// ReplayHeader is true in an answer that was stored.
	ReplayHeader = "Idempotent-Replayed"
)

// RequestID returns the part of the PathHeader before the first slash, else the
// X-Request-Id, else "".
func RequestID(r *http.Request) string {
	if path := header(r, PathHeader); path != "" {
		id, _, _ := strings.Cut(path, "/")
		return id
	}
	return header(r, "X-Request-Id")
}

// header is Header.Get for a name already in canonical form, without its cost.
func header(r *http.Request, name string) string {
	if values := r.Header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// luckOf is the default Luck: one step of splitmix64.
func luckOf(hit int, _ *http.Request) uint64 {
	z := uint64(hit) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
