package node

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A Source is where the result of one process can be had.
type Source struct {
	Service string
	Host    string  // host:port of the node
	Left    *Result // what it left behind in a file, instead
}

// Found is what a source gave.
type Found struct {
	Source
	Result *Result // nil: nothing, and why
	Offset *Offset // how far its clock is ahead; nil: it could not be asked
	Why    error
}

// Gather asks all sources at once. Each has a result or a reason in the end, whatever
// has become of it.
func Gather(ctx context.Context, sources []Source, token string, wait time.Duration) []Found {
	clock := NewClock()
	found := make([]Found, len(sources))
	var all sync.WaitGroup
	for i, s := range sources {
		all.Go(func() { found[i] = s.ask(ctx, token, clock, wait) })
	}
	all.Wait()
	return found
}

func (s Source) ask(ctx context.Context, token string, clock Clock, wait time.Duration) Found {
	f := Found{Source: s, Result: s.Left}
	if s.Left != nil {
		return f
	}
	c := newClient(token)
	defer c.close()
	offset, reading, err := c.offset(ctx, s.Host, clock)
	if err != nil {
		f.Why = err
		return f
	}
	r, err := c.result(ctx, s.Host, wait)
	switch {
	case err != nil:
		f.Why = err
	case r.Process != reading.Process:
		f.Why = fmt.Errorf("it began anew while it was asked")
	case r.Record.Service != s.Service:
		f.Why = fmt.Errorf("the node there is %s", r.Record.Service)
	default:
		f.Result, f.Offset = &r, &offset
	}
	return f
}
