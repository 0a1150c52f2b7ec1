package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"labctl/topology"
)

// HerdOptions say which clients of a topology this process has, and when they begin.
type HerdOptions struct {
	NodeOptions
	First, Clients int           // their numbers, from the first on
	Release        time.Time     // at which all of them begin, and those of other processes
	GiveUp         time.Duration // after the release
}

var errGiveUp = errors.New("the herd's patience")

// RunHerd runs some of the clients of a topology against nodes, and returns what
// they saw. What was seen until ctx ended comes with [ErrInterrupted]; another error
// is a connection that could not be opened.
func RunHerd(ctx context.Context, t topology.Topology, o HerdOptions) (Record, error) {
	p := &part{patience: Patience, first: o.First, count: o.Clients, release: o.Release}
	l, err := newPart(ctx, t, p, o.NodeOptions)
	if err != nil {
		return Record{}, err
	}
	run, end := context.WithCancelCause(ctx)
	defer end(nil)
	limit := time.AfterFunc(time.Until(o.Release)+o.GiveUp, func() { end(errGiveUp) })
	defer limit.Stop()
	l.fail = func(err error) { end(environmentError{err}) }
	h := newHerd(l, func() { end(errUntil) })
	h.run(run)
	l.drain(run)
	h.endUntil()
	cause := context.Cause(run)
	l.tearDown()
	return l.conclude(h, cause, o)
}

// conclude makes the record of a herd that has ended.
func (l *lab) conclude(h *herd, cause error, o HerdOptions) (Record, error) {
	var refused environmentError
	if errors.As(cause, &refused) {
		return Record{}, fmt.Errorf("cannot open the herd's connections: %w", refused.error)
	}
	r := l.record(clientPlace)
	r.Herd = &HerdRecord{First: o.First, Clients: o.Clients, Issued: h.issued()}
	h.calls.each(func(c *ended) {
		r.Herd.Requests = append(r.Herd.Requests, Request{c.client, c.number, c.outcome, c.start, c.sent, c.end, c.route, c.wave})
	})
	switch {
	case cause == nil:
	case errors.Is(cause, errUntil):
		r.Herd.Ended = fmt.Sprintf("cut at %v, as the file has it", l.topo.Run.Until)
	case errors.Is(cause, errGiveUp):
		r.Herd.Ended = fmt.Sprintf("given up %v after the release", o.GiveUp)
	default:
		r.Herd.Ended = "interrupted"
		return r, ErrInterrupted
	}
	return r, nil
}
