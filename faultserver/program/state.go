package program

import (
	"strings"
	"time"
)

// A State is one service on its way through a program. It is not safe for
// concurrent use: the owner's lock around Next is what gives requests an order.
type State struct {
	each     bool
	windowed []turn // in program order
	sequence []turn // the steps without a window, likewise
	counted  bool   // some window has a count, so cursors keep uses
	shared   cursor
	byID     map[string]*cursor
}

// A turn is a step with what it remembers. A bucket is the service's, also under
// each: and conn:.
type turn struct {
	Step
	bucket bucket
}

// A cursor is one position in a program.
type cursor struct {
	step, used int   // in sequence, and requests the step has taken
	uses       []int // by windowed step; nil unless the program counts them
}

// NewState returns a State at the first step of p, which it does not keep.
func NewState(p Program) *State {
	s := &State{each: p.Each}
	for _, step := range p.Steps {
		t := turn{Step: step, bucket: bucket{rate: step.Rate}}
		t.Action = step.settled()
		if step.Window == (Window{}) {
			s.sequence = append(s.sequence, t)
			continue
		}
		s.windowed = append(s.windowed, t)
		s.counted = s.counted || step.Times > 0
	}
	s.shared = s.newCursor()
	if s.each {
		s.byID = make(map[string]*cursor)
	}
	return s
}

func (s *State) newCursor() cursor {
	if !s.counted {
		return cursor{}
	}
	return cursor{uses: make([]int, len(s.windowed))}
}

// Next matches one request: the id it has under each:, the instant at since the
// release, and its luck u, which only chances and drawn delays look at, see
// [Program.Lucky]. It advances the program and returns the action, with its delay
// drawn and a throttle decided. Without each: it does not allocate. Under conn: it is
// for requests whose connection is unknown, which share one position.
func (s *State) Next(id string, at time.Duration, u uint64) Action {
	return s.next(s.cursor(id), at, u)
}

// A Place is the position of one connection in a program with conn:, for whoever keeps
// the connection, so that it is forgotten along with it. The zero Place is before the
// first step, and so is one that another State moved last.
type Place struct {
	of *State
	cursor
}

// NextOn is [State.Next] for a request on a connection that has a place of its own.
func (s *State) NextOn(p *Place, at time.Duration, u uint64) Action {
	if p.of != s {
		*p = Place{of: s, cursor: s.newCursor()}
	}
	return s.next(&p.cursor, at, u)
}

func (s *State) next(c *cursor, at time.Duration, u uint64) Action {
	t := s.inWindow(c, at)
	if t == nil {
		t = s.inSequence(c)
	}
	if t == nil || !t.Chance.Hit(u) {
		return Action{Status: statusOK}
	}
	return t.act(at, u)
}

// act is what the step does to one request.
func (t *turn) act(at time.Duration, u uint64) Action {
	a := t.Action
	if a.Kind == Throttle {
		if wait := t.bucket.take(at); wait > 0 {
			return Action{Kind: Status, Status: statusTooMany, RetryAfter: wait}
		}
		a.Kind = OK
	}
	if !t.Drawn.IsZero() {
		a.Delay = t.drawn(u)
	}
	return a
}

// cursor finds the position of a request. The ids are a stranger's to choose, hence
// the bound; a clone keeps a short id from holding on to a long header.
func (s *State) cursor(id string) *cursor {
	if !s.each || id == "" {
		return &s.shared
	}
	if c := s.byID[id]; c != nil {
		return c
	}
	if len(s.byID) >= MaxIDs {
		return &s.shared
	}
	c := s.newCursor()
	s.byID[strings.Clone(id)] = &c
	return &c
}

// inWindow uses the first windowed step that holds and is not used up.
func (s *State) inWindow(c *cursor, at time.Duration) *turn {
	for i := range s.windowed {
		step := &s.windowed[i]
		if !step.Window.Holds(at) {
			continue
		}
		if step.Times == 0 {
			return step
		}
		if c.uses[i] < step.Times {
			c.uses[i]++
			return step
		}
	}
	return nil
}

// inSequence uses the step whose turn it is; the last one never passes the turn on.
func (s *State) inSequence(c *cursor) *turn {
	if len(s.sequence) == 0 {
		return nil
	}
	step := &s.sequence[c.step]
	if c.step == len(s.sequence)-1 {
		return step
	}
	if c.used++; c.used >= max(step.Times, 1) {
		c.step, c.used = c.step+1, 0
	}
	return step
}
