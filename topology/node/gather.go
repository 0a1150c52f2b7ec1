package node

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"labctl/topology"
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

// GatherOptions say how to ask nodes.
type GatherOptions struct {
	Token string
	Wait  time.Duration // for a node to end what it works on
	Tries bool          // also for each single attempt
}

// Gather asks all sources at once. Each has a result or a reason in the end, whatever
// has become of it.
func Gather(ctx context.Context, sources []Source, o GatherOptions) []Found {
	clock := NewClock()
	found := make([]Found, len(sources))
	var all sync.WaitGroup
	for i, s := range sources {
		all.Go(func() { found[i] = s.ask(ctx, o, clock) })
	}
	all.Wait()
	return found
}

func (s Source) ask(ctx context.Context, o GatherOptions, clock Clock) Found {
	if s.Left != nil {
		return s.left()
	}
	f := Found{Source: s}
	c := newClient(o.Token)
	defer c.close()
	offset, reading, err := c.offset(ctx, s.Host, clock)
	if err != nil {
		f.Why = err
		return f
	}
	r, err := c.result(ctx, s.Host, o.Wait, o.Tries)
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

// left is what a service left behind, if it is that service's.
func (s Source) left() Found {
	f := Found{Source: s}
	herd := s.Service == topology.ClientName
	switch r := s.Left.Record; {
	case r.Herd != nil && !herd:
		f.Why = errors.New("the file is that of a herd, which is named without --node")
	case r.Service != s.Service && !herd:
		f.Why = fmt.Errorf("the file is that of %s", r.Service)
	default:
		f.Result = s.Left
	}
	return f
}

// Reset makes the nodes forget what they saw, as for the next run. It asks all of them,
// and returns the reasons why some did not.
func Reset(ctx context.Context, sources []Source, token string) error {
	c := newClient(token)
	defer c.close()
	var not []string
	for _, s := range sources {
		if s.Left != nil {
			continue
		}
		status, err := c.status(ctx, http.MethodPost, s.Host, "/-/node/reset")
		if err == nil && status != http.StatusNoContent {
			err = fmt.Errorf("it answers %d", status)
		}
		if err != nil {
			not = append(not, fmt.Sprintf("%s was not reset: %v", s.Service, err))
		}
	}
	if len(not) > 0 {
		return errors.New(strings.Join(not, "; "))
	}
	return nil
}
