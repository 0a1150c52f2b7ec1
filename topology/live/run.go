package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"labctl/report"
	"labctl/topology"
)

// Options are how to run, beside what the topology says.
type Options struct {
	Net  Network // nil: TCP
	Tree bool    // record the tree of the first request of the first client

	// Arrivals is told of every hit when the run is over, in no order.
	Arrivals func(topology.Arrival)

	// Spans is told of every request, attempt and hit when the run is over.
	Spans func(topology.Span)

	// Hit is told of every hit on the layer whose hits are binned while the run goes
	// on, by many goroutines at once: at is its time after the release, and first says
	// that every layer above made its first attempt. Left is told when that layer is
	// done with one. Who is slow to listen slows the run. A closed port tells nobody.
	Hit  func(at time.Duration, first bool)
	Left func()
}

// ErrInterrupted says that the context ended the run. The variant that comes
// with it holds what was measured so far.
var ErrInterrupted = errors.New("interrupted")

// errUntil is the cause of a run that came to the end the topology gives it.
var errUntil = errors.New("the run's end")

// Run runs a valid topology once and returns what it saw, with the doubts about
// it. It returns when everything it started has ended. An error other than
// ErrInterrupted means that the environment refused something.
func Run(ctx context.Context, t topology.Topology, o Options) (report.Variant, []report.Warning, error) {
	if o.Net == nil {
		o.Net = TCP()
	}
	l, err := setUp(ctx, t, o)
	if err != nil {
		return report.Variant{}, nil, err
	}
	run, end := context.WithCancelCause(ctx)
	defer end(nil)
	l.fail = func(err error) { end(environmentError{err}) }
	h := newHerd(l, func() {
		l.watch(false)
		end(errUntil)
	})
	h.run(run)
	l.drain(run)
	h.endUntil()
	cause := context.Cause(run)
	l.watch(cause == nil)
	l.tearDown()
	l.watchQueues()

	var refused environmentError
	if errors.As(cause, &refused) {
		return report.Variant{}, nil, fmt.Errorf("cannot open the herd's connections: %w", refused.error)
	}
	v, warnings := collect(l, h, cause)
	if o.Arrivals != nil {
		l.tell(o.Arrivals)
	}
	if o.Spans != nil {
		for _, s := range l.spans(h) {
			o.Spans(s)
		}
	}
	if cause != nil && !errors.Is(cause, errUntil) {
		return v, warnings, ErrInterrupted
	}
	return v, warnings, nil
}

// environmentError is a connection that the machine would not open.
type environmentError struct{ error }
