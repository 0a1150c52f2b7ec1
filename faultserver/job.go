package faultserver

import (
	"net/http"
	"time"

	"labctl/faultserver/program"
)

// A Hit is what [Config.Admit] is asked about.
type Hit struct {
	Number  int           // from 1, in the order of turns
	At      time.Duration // when it arrived, since the release
	Request *http.Request // its body is not to be read
	Action  program.Action
}

// A Job is how a hit comes to its action. The zero Job begins at once and takes the delay
// of the action; each function changes one of these.
type Job struct {
	// Wait waits until a worker turns to the hit, and says whether one does. It is called
	// when the body was read, so that the context ends when the caller leaves.
	Wait func(http.ResponseWriter, *http.Request) Verdict

	// Time is how long the work takes, in place of the delay that the action has. It is
	// asked when the work begins, not for a hit that hangs or that its key keeps from
	// working. A caller that leaves ends the work.
	Time func() time.Duration

	// Done is called when the action was performed, its key kept it from that, or its
	// caller left: the worker is free. It is not called after a Wait that did not say
	// Proceed.
	Done func()
}

// A Verdict is what becomes of a hit that waits for a worker.
type Verdict uint8

// The verdicts.
const (
	Proceed    Verdict = iota // a worker turned to it
	Left                      // its caller left
	TurnedAway                // none will, and Wait has answered it
)

// enter counts a hit and gives it its job, in one step.
func (h *Handler) enter(at time.Duration, r *http.Request) hit {
	if h.config.Admit == nil {
		return h.arrive(at, r)
	}
	h.turns.Lock()
	defer h.turns.Unlock()
	hit := h.arrive(at, r)
	hit.job = h.config.Admit(Hit{Number: hit.number, At: at, Request: r, Action: hit.action})
	return hit
}

// begins waits for a worker, and reports whether one turned to the hit.
func (h *Handler) begins(w http.ResponseWriter, r *http.Request, hit *hit) bool {
	switch hit.job.Wait(w, r) {
	case Left:
		h.cut(w, r, hit)
		return false
	case TurnedAway:
		hit.turnedAway = true
		h.leave(hit, false)
		return false
	}
	return true
}
