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
	MaxDelay      = time.Hour     // delay=
	MaxBody       = 64 << 20      // body=, in bytes
	MaxRetryAfter = math.MaxInt64 / time.Second * time.Second
	MaxIDs        = 1 << 20 // request ids with a position of their own under each:
)

// A Program is what [Parse] read. The zero Program has no steps and is ok for
// ever.
type Program struct {
	Each  bool // one position per request id
	Steps []Step
}

// A Step is one action and the requests it is meant for.
type Step struct {
	Action
	Times  int    // requests it takes; 0 means not said: one, or no limit in a window
	Chance Chance // parts per million; 0 means always
	Window Window // when it holds; the zero Window always does
}

// An Action is what happens to one request. The zero Action is ok.
type Action struct {
	Kind           Kind
	Status         int           // the answer's status; 200 for OK unless the service behind says otherwise, 0 when there is no answer
	Delay          time.Duration // before the answer, or before the connection ends
	RetryAfter     time.Duration // whole seconds; 0 sends no Retry-After
	RetryAfterDate bool          // send it as an HTTP date
	Body           int64         // bytes of filler in the answer
	Close          bool          // the answer says Connection: close
}

// Kind tells actions apart.
type Kind uint8

// The kinds of action; the package documentation says what each does.
const (
	OK Kind = iota
	Status
	Reset
	Close
	Hang
	Refuse
)

var kindNames = [...]string{OK: "ok", Status: "status", Reset: "reset", Close: "close", Hang: "hang", Refuse: "refuse"}

// String returns the kind's word in a program, and "status" for Status.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Answers reports whether the caller gets an answer.
func (k Kind) Answers() bool { return k == OK || k == Status }

// Chance is a probability in parts per million, which holds a percentage with
// four decimals exactly; [Always] stands for no chance at all.
type Chance uint32

const (
	Always  Chance = 0
	certain Chance = 1_000_000
)

// Hit reports whether luck u, uniform over all 64 bits, falls inside the chance.
// It is integer arithmetic, hence the same on every machine.
func (c Chance) Hit(u uint64) bool {
	scaled, _ := bits.Mul64(u, uint64(certain))
	return c == Always || scaled < uint64(c)
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
	if len(p.Steps) != 1 || p.Steps[0].Window != (Window{}) || p.Steps[0].Chance != Always {
		return Action{}, false
	}
	return p.Steps[0].Action, true
}

// Hangs reports whether any step never answers.
func (p Program) Hangs() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Kind == Hang })
}

// Lucky reports whether any step depends on the luck passed to [State.Next].
func (p Program) Lucky() bool {
	for _, step := range p.Steps {
		if step.Chance != Always {
			return true
		}
	}
	return false
}
