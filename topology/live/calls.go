package live

import (
	"context"
	"net/http"
	"sync"

	"labctl/topology/policy"
)

// calls are those that a service, or the client, makes for each request, in its own
// order.
type calls struct {
	edges    []*edge
	parallel bool
}

// first are the calls that a request can begin with.
func (c *calls) first() []*edge {
	for i, e := range c.edges {
		if !c.parallel && e.chance == 0 {
			return c.edges[:i+1]
		}
	}
	return c.edges
}

// atFirst is how many of them one request begins with, at most.
func (c *calls) atFirst() int {
	if c.parallel {
		return len(c.edges)
	}
	return 1
}

// opens reports whether a request of this luck begins with a call over an edge.
func (c *calls) opens(e *edge, luck policy.Luck) bool {
	for _, other := range c.edges {
		if other == e {
			return e.makes(luck)
		}
		if !c.parallel && other.makes(luck) {
			return false
		}
	}
	return false
}

// call makes the calls for a request from an instant on, and returns what they come to.
// Without any, since chance has it so, all is well.
func (c *calls) call(ctx context.Context, r *request, at policy.Instant) policy.Outcome {
	switch {
	case len(c.edges) == 1 && c.edges[0].makes(r.luck):
		return c.edges[0].call(ctx, r, at)
	case len(c.edges) > 1 && c.parallel:
		return c.atOnce(ctx, r, at)
	}
	return c.inTurn(ctx, r, at)
}

// inTurn makes the calls one after the other, up to the first that fails or until the
// caller leaves.
func (c *calls) inTurn(ctx context.Context, r *request, at policy.Instant) policy.Outcome {
	var v verdict
	for _, e := range c.edges {
		if !e.makes(r.luck) {
			continue
		}
		next, now := r, at
		if v.made {
			if !r.start.await(ctx) || ctx.Err() != nil {
				return policy.Failed(policy.Cancelled)
			}
			now = e.lab.clock.now()
			next = r.later(now.Sub(at))
		}
		if v.hear(e.call(ctx, next, now)); v.fails() {
			break
		}
	}
	if !v.made && r.start != nil {
		r.start.leave(1, 0)
	}
	return v.outcome()
}

// atOnce makes the calls together and waits for all of them.
func (c *calls) atOnce(ctx context.Context, r *request, at policy.Instant) policy.Outcome {
	outcomes := make([]policy.Outcome, len(c.edges))
	made := 0
	var all sync.WaitGroup
	for _, e := range c.edges {
		if !e.makes(r.luck) {
			continue
		}
		place := made
		made++
		all.Go(func() {
			if place > 0 && r.start != nil && r.start.gate.enter(ctx) != nil { // the first has the client's place there
				outcomes[place] = policy.Failed(policy.Cancelled)
				return
			}
			outcomes[place] = e.call(ctx, r, at)
		})
	}
	if r.start != nil {
		r.start.leave(len(c.edges), made)
	}
	all.Wait()
	var v verdict
	for _, o := range outcomes[:made] {
		if o.Kind == policy.Cancelled && ctx.Err() != nil { // whatever the others came to
			return o
		}
		v.hear(o)
	}
	return v.outcome()
}

// verdict is what the calls of a request come to, told in the caller's order: the first
// failure, or else the last answer, which is an old one if any is.
type verdict struct {
	so   policy.Outcome
	made bool
}

func (v *verdict) hear(o policy.Outcome) {
	if !v.made || weight(o) > weight(v.so) || weight(o) == weight(v.so) && !v.fails() {
		v.so, v.made = o, true
	}
}

func (v *verdict) fails() bool { return v.made && weight(v.so) == failure }

func (v *verdict) outcome() policy.Outcome {
	if !v.made {
		return policy.Status(http.StatusOK)
	}
	return v.so
}

// weight orders outcomes by how much they decide.
func weight(o policy.Outcome) int {
	switch {
	case o.OK():
		return 0
	case o.Kind == policy.Degraded:
		return 1
	}
	return failure
}

const failure = 2

// makes reports whether a call is made for a request. Attempts count from 1, so that
// attempt 0 is a place whose luck nothing else asks for this.
func (e *edge) makes(luck policy.Luck) bool {
	return e.chance == 0 || e.chance.Hit(luck.Attempt(e.id, 0).Draw(policy.ForFault))
}
