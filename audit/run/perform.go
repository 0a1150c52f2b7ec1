package run

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"labctl/audit"
)

// A Plan is an audit to be performed.
type Plan struct {
	Caller   Caller
	Probes   []audit.Probe
	Path     Path          // what lies between the caller and the tail
	Time     time.Duration // of one trial; 0: DefaultTime
	Parallel int           // trials at once; 0: DefaultParallel
	Body     string        // of requests that have one; "": DefaultBody

	// Told, if not nil, is called after each trial, by one goroutine at a time.
	Told func(done, total int)
}

// What is used where a Plan says nothing.
const (
	// DefaultTime lets a client wait for 1, 2, 4 and 8 seconds.
	DefaultTime = 20 * time.Second

	// DefaultParallel suits small programs; a virtual machine that takes a second of
	// processor time to start wants fewer.
	DefaultParallel = 16

	// proxiesParallel is less, since each trial starts proxies of its own.
	proxiesParallel = 8

	// DefaultBody has 63 bytes, so that one that was cut is told from a rounded one.
	DefaultBody = "labctl audits this body: it should arrive in full every time..."
)

// Perform makes one trial of each probe and returns them in the order of the probes.
// Interrupted, it returns those that were over by then, with the context's error.
func (p Plan) Perform(ctx context.Context) ([]audit.Trial, error) {
	trials := make([]*audit.Trial, len(p.Probes))
	order := bySlowness(p.Probes)
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(p.parallel())
	told := p.tally(len(order))
	for _, i := range order {
		group.Go(func() error {
			if limited.Err() != nil {
				return limited.Err()
			}
			t, err := p.trial(limited, p.Probes[i])
			if err != nil {
				return err
			}
			trials[i] = &t
			told()
			return nil
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	var made []audit.Trial
	for _, t := range trials {
		if t != nil {
			made = append(made, *t)
		}
	}
	return made, err
}

// tally returns what is called after each of so many trials.
func (p Plan) tally(total int) func() {
	var one sync.Mutex
	done := 0
	return func() {
		one.Lock()
		defer one.Unlock()
		if done++; p.Told != nil {
			p.Told(done, total)
		}
	}
}

func (p Plan) parallel() int {
	switch {
	case p.Path.alone():
		return 1
	case p.Parallel > 0:
		return p.Parallel
	case len(p.Path.Proxies) > 0:
		return proxiesParallel
	}
	return DefaultParallel
}

// bySlowness puts those probes first that a client is likely to spend all its time on:
// begun last they would be waited for alone.
func bySlowness(probes []audit.Probe) []int {
	order := make([]int, len(probes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slowness(probes[b]) - slowness(probes[a]) })
	return order
}

func slowness(p audit.Probe) int {
	switch p.Fault.Name {
	case "hang", "stall", "blackhole", "429 retry-after=9223372037", "503 retry-after=9223372037":
		return 2
	case "ok", "400", "401", "403", "404", "409", "422", "501":
		return 0
	}
	return 1
}

// errUnasked is why a probe could not be put to a subject.
var errUnasked = errors.New("it follows no redirect, and its command has no {warm} for a request in front: the connection could not be warmed up")
