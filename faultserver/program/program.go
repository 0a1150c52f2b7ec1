package program

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// Limits of a program. They are far beyond sensible use and keep text from a
// stranger, such as a control API, from costing memory or time.
const (
	MaxLength     = 4096          // bytes of program text
	MaxSteps      = 256           // steps in a program
	MaxTimes      = 1_000_000_000 // n of xn
	MaxDelay      = time.Hour     // delay= and over=
	MaxBody       = 64 << 20      // body=, in bytes
	MaxRate       = 1_000_000     // n of throttle= and of burst=
	MaxRetryAfter = math.MaxInt64 / time.Second * time.Second
	MaxIDs        = 1 << 20 // request ids with a position of their own under each:
)

// What an action has that does not say.
const (
	DefaultBody = 1 << 10     // bytes of a slow, truncate, halfreset or stall answer
	DefaultOver = time.Second // time of a slow body
)

// A Program is what [Parse] read. The zero Program has no steps and is ok for
// ever.
type Program struct {
	Each  bool // one position per request id
	Conn  bool // one position per connection
	Steps []Step
}

// A Step is one action and the requests it is meant for.
type Step struct {
	Action
	Drawn  Distribution // the delay where each request draws its own, in place of Delay; zero: none does
	Rate   Rate         // of a throttle
	Times  int          // requests it takes; 0 means not said: one, or no limit in a window
	Chance Chance       // parts per million; 0 means always
	Window Window       // when it holds; the zero Window always does
}

// An Action is what happens to one request. The zero Action is ok.
type Action struct {
	Kind           Kind
	Status         int           // the answer's status; 200 for OK unless the service behind says otherwise, 0 when there is no answer
	Delay          time.Duration // before the answer, or before the connection ends
	Over           time.Duration // how long a slow body takes, after its head; 0: DefaultOver
	RetryAfter     time.Duration // whole seconds; 0 sends no Retry-After
	RetryAfterDate bool          // send it as an HTTP date
	RawRetryAfter  string        // the Retry-After's text where RetryAfter cannot hold it: 0, beyond MaxRetryAfter, malformed
	Location       string        // the Location of a redirect, "" sends none
	Body           int64         // bytes of filler in the answer; 0: none, or DefaultBody where the action needs one
	Close          bool          // the answer says Connection: close
}

// settled fills in what the step left unsaid.
func (a Action) settled() Action {
	if a.Kind.heads() || a.Kind == Throttle {
		a.Status = statusOK
	}
	if a.Kind.needsBody() && a.Body == 0 {
		a.Body = DefaultBody
	}
	if a.Kind == Slow && a.Over == 0 {
		a.Over = DefaultOver
	}
	return a
}

// Chance is a probability in parts per million, which holds a percentage with
// four decimals exactly. 0 is no chance at all but always.
type Chance uint32

const (
	unconditional Chance = 0
	certain       Chance = 1_000_000
)

// Hit reports whether luck u, uniform over all 64 bits, falls inside the chance.
// It is integer arithmetic, hence the same on every machine.
func (c Chance) Hit(u uint64) bool {
	scaled, _ := bits.Mul64(u, uint64(certain))
	return c == unconditional || scaled < uint64(c)
}

// A Window is the half-open span of time [From, To); the zero Window is all time.
type Window struct {
	From, To time.Duration
}

// Holds reports whether the instant at is in the window.
func (w Window) Holds(at time.Duration) bool {
	return w == Window{} || w.From <= at && at < w.To
}

// Refuses reports whether the program stands for a closed port, which a server
// obeys by not listening: there is no request for a [State] to decide.
func (p Program) Refuses() bool {
	return len(p.Steps) == 1 && p.Steps[0].Kind == Refuse
}

// Stateless reports whether the action depends on nothing but the instant and the
// luck of a request, and not on the requests before it. Requests to a stateless
// service do not disturb each other.
func (p Program) Stateless() bool {
	sequence := 0
	for _, s := range p.Steps {
		switch {
		case s.Kind == Throttle:
			return false
		case s.Window == (Window{}):
			sequence++
		case s.Times > 0:
			return false
		}
	}
	return sequence <= 1
}

// Constant returns the action of a program that does the same to every request.
func (p Program) Constant() (a Action, is bool) {
	if len(p.Steps) != 1 {
		return Action{}, false
	}
	s := p.Steps[0]
	if s.Window != (Window{}) || s.lucky() || s.Kind == Throttle {
		return Action{}, false
	}
	return s.settled(), true
}

// Hangs reports whether any step leaves its caller waiting for ever, for an answer or
// for the rest of one.
func (p Program) Hangs() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Kind.Seen() == SeenNothing })
}

// Lucky reports whether any step depends on the luck passed to [State.Next]: by a
// chance, or by a delay that is drawn.
func (p Program) Lucky() bool { return slices.ContainsFunc(p.Steps, Step.lucky) }

func (s Step) lucky() bool { return s.Chance != unconditional || !s.Drawn.IsZero() }
