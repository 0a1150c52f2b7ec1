package faultserver

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"labctl/faultserver/idempotency"
	"labctl/faultserver/program"
)

// A Handler counts and timestamps every hit and then performs a fault program. It is
// safe for concurrent use.
//
// A program that refuses is the business of a [Server], which does not listen; a
// Handler, which has been reached, resets the connection instead.
//
// Delays and hangs end when the request's context does. A server of your own lets
// them go, uncounted, by cancelling its base context with cause
// [http.ErrServerClosed] before it closes.
type Handler struct {
	config   Config
	epoch    time.Time    // of the default clock
	released atomic.Int64 // nanoseconds from epoch to the last Reset
	numbered atomic.Int64 // the number of the last hit, for Luck
	lucky    atomic.Bool  // the program asks for luck
	turns    sync.Mutex   // makes one step of arriving and Admit

	// mu makes one step of counting a hit, keeping its record and taking its turn in
	// the program: the order of all three is the same. Nothing of the user's is called
	// under it.
	mu      sync.Mutex
	program program.Program
	state   *program.State
	hits    int
	run     *run
	kept    book
	waiters []waiter
}

// New returns a Handler at the first step of its program.
func New(c Config) *Handler {
	h := &Handler{config: c, epoch: time.Now()}
	h.run = h.newRun()
	if h.config.Clock == nil {
		h.config.Clock = h.sinceReset
	}
	if h.config.Now == nil {
		h.config.Now = time.Now
	}
	if h.config.Luck == nil {
		h.config.Luck = luckOf
	}
	if h.config.RequestID == nil {
		h.config.RequestID = RequestID
	}
	if h.config.Keep <= 0 {
		h.config.Keep = DefaultKeep
	}
	h.SetProgram(c.Program)
	return h
}

// sinceReset is the default clock.
func (h *Handler) sinceReset() time.Duration {
	return time.Since(h.epoch) - time.Duration(h.released.Load())
}

// A run is what belongs to the time between two Resets. A hit keeps the run that it came
// in: one that outlives it counts for nothing that is still asked for.
type run struct {
	cutShort, effects atomic.Int64
	keys              *Keys // nil: nobody looks at them
}

func (h *Handler) newRun() *run {
	keys := h.config.Keys
	if keys == nil && h.config.Idempotency != idempotency.None {
		keys = NewKeys(h.config.Idempotency)
	}
	return &run{keys: keys}
}

// A hit is one request on its way through the handler.
type hit struct {
	number     int
	action     program.Action
	record     *Arrival // nil beyond Keep
	run        *run
	job        Job
	body       int64
	whole      bool // the request body was read to its end
	worked     bool // the side effect was performed
	turnedAway bool

	key string // its idempotency key, as long as that waits for word of it
	word
	told chan word // of a hit that waits
}

// ServeHTTP counts the hit, reads its body, lets it wait for its worker and does what its
// key and the program say. The order matters: a server sees that a caller left only after
// the body was read to its end.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := h.config.Clock()
	hit := h.enter(at, r)
	r = h.drain(&hit, w, r)
	if hit.job.Wait != nil && !h.begins(w, r, &hit) {
		return
	}
	if hit.job.Done != nil {
		defer hit.job.Done()
	}
	if hit.run.keys != nil {
		hit.run.keys.show(&hit, header(r, KeyHeader))
	}

	switch {
	case hit.answer == idempotency.Wait && !hit.run.keys.await(r.Context(), &hit):
		h.cut(w, r, &hit)
	case hit.answer != idempotency.Run:
		h.recall(w, &hit)
	case !hit.pause(r.Context()):
		h.cut(w, r, &hit)
	default:
		h.perform(w, r, &hit)
	}
}

// arrive counts the hit and takes its turn in the program.
func (h *Handler) arrive(at time.Duration, r *http.Request) hit {
	path, id := clip(header(r, PathHeader)), clip(h.config.RequestID(r))
	conn, headers := connectionOf(r), h.keepHeaders(r)
	number, luck := h.numbered.Add(1), uint64(0)
	if h.lucky.Load() {
		luck = h.config.Luck(int(number), r)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hits++
	hit := hit{number: int(number), action: h.next(conn, id, at, luck), run: h.run}
	on, turn := conn.turn()
	if h.kept.length < h.config.Keep {
		hit.record = h.kept.add()
		*hit.record = Arrival{
			At: at, End: inProgress, Method: r.Method, Target: clip(r.RequestURI), ID: id, Path: path,
			Remote: r.RemoteAddr, Conn: on, Turn: turn, Headers: headers, Kind: hit.action.Kind, Status: hit.action.Status,
		}
	}
	h.wake()
	return hit
}

// worked notes that a hit performed the side effect, and the status of its answer or of
// the one that gets lost.
func (h *Handler) worked(hit *hit, status int) {
	hit.worked = true
	hit.run.effects.Add(1)
	hit.finish(status)
}

// cut ends a hit that nobody waits for: its caller left, or the server ends.
func (h *Handler) cut(w http.ResponseWriter, r *http.Request, hit *hit) {
	h.leave(hit, !serverClosed(r.Context()))
	drop(w, hit.action.Kind)
}

// leave records how the hit ended. It comes before the connection is dropped: a caller
// that sees that finds a finished record.
func (h *Handler) leave(hit *hit, cutShort bool) {
	if cutShort {
		hit.run.cutShort.Add(1)
	}
	hit.finish(0)
	if hit.record != nil {
		hit.record.finish(h.config.Clock(), hit, cutShort)
	}
}
