package live

import (
	"context"
	"sync"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// edge drives the policies of one call edge with real requests and timers. One
// mutex stands around the composer. What a step asks for is begun under it, so
// that an attempt can be stopped only after it was begun; nothing blocks there,
// and the requests themselves run in goroutines of their own.
type edge struct {
	lab         *lab
	from, to    string
	id          policy.EdgeID
	client      *caller
	keepWorking bool

	mu        sync.Mutex
	core      *policy.Edge
	flights   map[policy.Ref]*flight // by root
	attempts  map[policy.Ref]attempt // in progress
	timers    map[policy.Ref]*time.Timer
	over      bool            // no timer is set any more
	actions   []policy.Action // scratch
	sent      int64
	stopped   int64 // of these, attempts that were stopped before they had an answer
	wasted    int64 // rests that no attempt followed
	abandoned []abandonment
	outcomes  map[string]policy.Outcome // of the traced request's attempts, by path
}

// flight is one call in progress.
type flight struct {
	request request
	answer  chan policy.Outcome
}

// attempt is one request on its way.
type attempt struct {
	path string
	stop context.CancelFunc
}

// abandonment says that from an instant on nobody waited for an attempt.
type abandonment struct {
	path string
	at   policy.Instant
}

func newEdge(l *lab, from string, c topology.Call, to *service) *edge {
	e := &edge{
		lab: l, from: from, to: c.To,
		id:          policy.NewEdgeID(from, c.To),
		keepWorking: c.KeepWorking,
		flights:     map[policy.Ref]*flight{},
		attempts:    map[policy.Ref]attempt{},
		timers:      map[policy.Ref]*time.Timer{},
		outcomes:    map[string]policy.Outcome{},
	}
	e.core = policy.NewEdge(e.id, c.Stack(&l.topo), !c.KeepWorking)
	e.client = newCaller(l, to)
	return e
}

// call makes one logical request and waits for its answer, or for the caller to
// leave. at is the instant of its start.
func (e *edge) call(ctx context.Context, r request, at policy.Instant) policy.Outcome {
	f := &flight{request: r, answer: make(chan policy.Outcome, 1)}
	e.lab.takeOff()
	e.mu.Lock()
	root, actions := e.core.Start(policy.Request{Luck: r.luck, Repeatable: r.repeatable()}, at, e.actions[:0])
	e.flights[root] = f
	e.perform(actions)
	e.mu.Unlock()

	select {
	case o := <-f.answer:
		return o
	case <-ctx.Done():
		if e.keepWorking {
			return policy.Failed(policy.Cancelled)
		}
		e.step(func(now policy.Instant, to []policy.Action) []policy.Action {
			return e.core.Cancel(root, now, to)
		})
		return <-f.answer
	}
}

// step tells the composer something and begins what it asks for.
func (e *edge) step(tell func(policy.Instant, []policy.Action) []policy.Action) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.perform(tell(e.lab.clock.now(), e.actions[:0]))
}

// perform begins actions. Timers that are due already are told at once, which
// asks for more.
func (e *edge) perform(actions []policy.Action) {
	for len(actions) > 0 {
		var due []policy.Action
		for _, a := range actions {
			if a.Kind == policy.Wake && a.At <= e.lab.clock.now() {
				due = append(due, a)
				continue
			}
			e.begin(a)
		}
		e.actions = actions[:0]
		actions = nil
		for _, a := range due {
			actions = e.core.Timer(a.Ref, a.Arming, e.lab.clock.now(), actions)
		}
	}
}

func (e *edge) begin(a policy.Action) {
	switch a.Kind {
	case policy.Send:
		e.send(a)
	case policy.Wake:
		e.wake(a)
	case policy.Forget:
		e.forget(a.Ref)
	case policy.Abandon:
		e.abandon(a)
	case policy.Answer:
		e.flights[a.Root].answer <- a.Outcome
	case policy.End:
		delete(e.flights, a.Root)
		e.lab.land()
	case policy.Remark:
		e.wasted++
	}
}

// send begins an attempt. It belongs to the lab and not to the caller: whether a
// caller that leaves takes its attempts with it is for the policies to say.
func (e *edge) send(a policy.Action) {
	f := e.flights[a.Root]
	r := f.request.attempt(e, int(a.Number))
	if a.Orphan {
		e.abandoned = append(e.abandoned, abandonment{r.path, e.lab.clock.now()})
	}
	ctx, cancel := context.WithCancel(e.lab.ctx)
	e.attempts[a.Ref] = attempt{r.path, cancel}
	e.sent++
	e.lab.work.Go(func() {
		o := e.client.roundTrip(ctx, r)
		cancel()
		e.done(a.Ref, r, o)
	})
}

func (e *edge) done(ref policy.Ref, r request, o policy.Outcome) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.attempts, ref)
	if o.Kind == policy.Cancelled {
		e.stopped++
	}
	if r.traced {
		e.outcomes[r.path] = o
	}
	e.perform(e.core.Done(ref, o, e.lab.clock.now(), e.actions[:0]))
}

// wake sets the timer of a frame. One that fires although it was forgotten or
// replaced meanwhile is not the one in the map.
func (e *edge) wake(a policy.Action) {
	e.forget(a.Ref)
	if e.over {
		return
	}
	var t *time.Timer
	t = time.AfterFunc(a.At.Sub(e.lab.clock.now()), func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.timers[a.Ref] == t {
			e.ring(a)
		}
	})
	e.timers[a.Ref] = t
}

// ring tells the composer that a timer is due. A timer that was set before the
// release, while the clock stood still, comes early and is set again.
func (e *edge) ring(a policy.Action) {
	now := e.lab.clock.now()
	if now < a.At {
		e.wake(a)
		return
	}
	delete(e.timers, a.Ref)
	e.perform(e.core.Timer(a.Ref, a.Arming, now, e.actions[:0]))
}

func (e *edge) forget(frame policy.Ref) {
	if t := e.timers[frame]; t != nil {
		t.Stop()
		delete(e.timers, frame)
	}
}

// abandon notes that nobody waits for an attempt any more; those that the same
// call makes later may well be wanted.
func (e *edge) abandon(a policy.Action) {
	left, is := e.attempts[a.Ref]
	if !is {
		return
	}
	if a.Cancel {
		left.stop()
	}
	e.abandoned = append(e.abandoned, abandonment{left.path, e.lab.clock.now()})
}

// stop ends what is left when the run is over.
func (e *edge) stop() {
	e.mu.Lock()
	e.over = true
	for _, t := range e.timers {
		t.Stop()
	}
	clear(e.timers)
	e.mu.Unlock()
	e.client.close()
}
