package node

import (
	"crypto/rand"
	"time"
)

// A Clock tells the time since a process began.
type Clock struct {
	Process string // no other has this
	Began   time.Time
}

// NewClock returns a clock that begins now.
func NewClock() Clock { return Clock{rand.Text(), time.Now()} }

// Now is the time since the process began. Steps of the wall clock do not touch it.
func (c Clock) Now() time.Duration { return time.Since(c.Began) }

// A Reading is what a node says about its clock: when the question came and when the
// answer left, in nanoseconds since its process began.
type Reading struct {
	Process  string        `json:"process"`
	Began    time.Time     `json:"began"` // by its wall clock
	Received time.Duration `json:"received"`
	Answered time.Duration `json:"answered"`
}

// A RoundTrip is one question to another clock: when it left and the answer came, by
// one's own, and what the other read in between.
type RoundTrip struct {
	Sent, Received     time.Duration // Received: by the other
	Answered, Returned time.Duration // Answered: by the other
}

// Offset is how far the other clock is ahead if both ways took equally long.
func (r RoundTrip) Offset() time.Duration {
	return ((r.Received - r.Sent) + (r.Answered - r.Returned)) / 2
}

// Delay is the time on the way, there and back.
func (r RoundTrip) Delay() time.Duration {
	return max((r.Returned-r.Sent)-(r.Answered-r.Received), 0)
}

// An Offset says how far another clock is ahead, and how wrong that can be: by half
// the time on the way, if one way took all of it.
type Offset struct {
	Ahead time.Duration `json:"ahead"`
	Bound time.Duration `json:"bound"`
}

// Nearest takes the offset from the round trip with the smallest delay, as NTP's clock
// filter does: queues only ever make a way longer. Without any there is none.
func Nearest(trips []RoundTrip) (o Offset, ok bool) {
	for i, t := range trips {
		if bound := (t.Delay() + 1) / 2; i == 0 || bound < o.Bound {
			o = Offset{t.Offset(), bound}
		}
	}
	return o, len(trips) > 0
}

// From is how far a clock is ahead of another one when both were read from here.
func (o Offset) From(other Offset) Offset {
	return Offset{o.Ahead - other.Ahead, o.Bound + other.Bound}
}
