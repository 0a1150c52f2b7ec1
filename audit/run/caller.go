package run

import (
	"context"
	"time"

	"labctl/audit"
	"labctl/audit/subject"
)

// A Caller makes the request of a trial, and all that it believes to belong to it.
type Caller interface {
	// Warms tells whether the caller sends a request in front, on the connection of the
	// next one.
	Warms() Warms

	// Call makes the request. Its error says that no trial can succeed, as when there is
	// no such command.
	Call(context.Context, Ask) (Told, error)
}

// Warms is whether a caller sends a request in front of the one that counts.
type Warms uint8

// When a caller warms a connection up.
const (
	Never    Warms = iota
	OnDemand       // where Ask.Warm says so
	Always         // as a command does that has a {warm}
)

// Ask is what a caller is asked to do.
type Ask struct {
	URL    string
	Warm   string // where to send a request in front; "" where none is wanted
	Method string // "": the caller's own
	Body   string
	Key    string // Idempotency-Key; "": none
	Time   time.Duration
}

// Told is what is known of a call when it is over.
type Told struct {
	Exit    audit.Exit
	Elapsed time.Duration
}

// A Program is a command of the user's as a caller.
type Program struct {
	Command subject.Command

	// Post, if it has words, is the command for requests that are no GET, for programs
	// that have no place for {method}.
	Post subject.Command
}

// Warms implements [Caller].
func (p Program) Warms() Warms {
	if p.Command.Has(subject.Warm) {
		return Always
	}
	return Never
}

// Call implements [Caller].
func (p Program) Call(ctx context.Context, a Ask) (Told, error) {
	c := p.Command
	if a.Method != "" && a.Method != "GET" && len(p.Post.Args) > 0 {
		c = p.Post
	}
	values := map[string]string{
		subject.URL: a.URL, subject.Warm: a.Warm, subject.Method: a.Method, subject.Body: a.Body, subject.Key: a.Key,
	}
	if a.Method == "" {
		values[subject.Method] = "GET"
	}
	r := subject.Run(ctx, c, values, subject.Limits{Time: a.Time})
	if r.Err != nil {
		return Told{}, &StartError{r.Err}
	}
	exit := audit.Exit{Code: r.Code, TimedOut: r.TimedOut, Signal: r.Signal, Output: r.Output}
	return Told{Exit: exit, Elapsed: r.Elapsed}, nil
}

// A StartError is a command that cannot be started: whoever named it has to mend it, and
// no trial can succeed.
type StartError struct{ Err error }

func (e *StartError) Error() string { return e.Err.Error() }
func (e *StartError) Unwrap() error { return e.Err }
