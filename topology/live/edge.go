package live

import (
	"context"
	"net/http"
	"sync"
	"time"

	"labctl/faultserver/program"
	"labctl/topology"
	"labctl/topology/policy"
)

// edge drives the policies of one call edge with real requests and timers. One
// mutex stands around the composer. What a step asks for is begun under it, so
// that an attempt can be stopped only after it was begun; nothing blocks there,
// and the requests themselves run outside.
type edge struct {
	lab      *lab
	from, to string
	settings *topology.Call
	callee   *service
	sender   *topology.Service
	id       policy.EdgeID
	keeps    bool           // work goes on when its caller leaves
	stops    bool           // a policy may stop an attempt before its caller leaves
	chance   program.Chance // of being made for a request; 0: always
	client   *caller

	mu        sync.Mutex
	core      *policy.Edge
	slots     []slot // beside the frames of core
	over      bool   // no timer is set any more
	actions   []policy.Action
	due       []policy.Action
	sent      int64
	stopped   int64         // of these, attempts that were stopped before they had an answer
	took      time.Duration // all attempts together
	notes     [policy.Notes]int64
	abandoned []abandonment
	asked     map[string]policy.Instant // by path: before which an attempt was asked not to come
	outcomes  map[string]policy.Outcome // of the traced request's attempts, by path
	tried     []tried                   // all attempts, where somebody wants to see each
}

// slot is what the driver keeps beside one frame: of a root the call, of a leaf
// the attempt, and of any its timer.
type slot struct {
	ref     policy.Ref
	flight  *flight
	attempt *attempt
	timer   *time.Timer
}

// abandonment says that from an instant on nobody waited for an attempt.
type abandonment struct {
	path string
	at   policy.Instant
}

func newEdge(l *lab, c topology.Edge, most int64) *edge {
	from, to := &l.topo.Services[c.From], l.services[c.To-1]
	e := &edge{
		lab: l, from: from.Name, to: to.Name, settings: c.Call, callee: to, sender: from,
		chance:   c.Chance,
		id:       policy.NewEdgeID(from.Name, to.Name),
		keeps:    c.KeepWorking,
		stops:    stops(*c.Call),
		asked:    map[string]policy.Instant{},
		outcomes: map[string]policy.Outcome{},
	}
	e.core = policy.NewEdge(e.id, c.Stack(&l.topo), !c.KeepWorking)
	e.client = newCaller(l, from, c.Call, to, most)
	return e
}

// stops reports whether a policy of a call may stop an attempt before its caller
// leaves. These do not.
func stops(c topology.Call) bool {
	for _, p := range c.Policies {
		switch p.Kind() {
		case "retry", "bulkhead", "pool", "breaker", "adaptive", "fallback", "balance":
		default:
			return true
		}
	}
	return false
}

// slot finds what is kept beside a frame, and forgets what was kept beside the
// one that had its place before.
func (e *edge) slot(r policy.Ref) *slot {
	for r.Slot() >= len(e.slots) {
		e.slots = append(e.slots, slot{})
	}
	s := &e.slots[r.Slot()]
	if s.ref != r {
		*s = slot{ref: r}
	}
	return s
}

// perform begins actions. Timers that are due already are told at once, which
// asks for more.
func (e *edge) perform(actions []policy.Action) {
	for len(actions) > 0 {
		e.due = e.due[:0]
		for i := range actions {
			a := &actions[i]
			if a.Kind == policy.Wake && a.At <= e.lab.clock.now() {
				e.due = append(e.due, *a)
				continue
			}
			e.begin(a)
		}
		actions = actions[:0]
		for i := range e.due {
			a := &e.due[i]
			actions = e.core.Timer(a.Ref, a.Arming, e.lab.clock.now(), actions)
		}
	}
	e.actions = actions
}

func (e *edge) begin(a *policy.Action) {
	switch a.Kind {
	case policy.Send:
		e.send(a)
	case policy.Wake:
		e.wake(*a)
	case policy.Forget:
		e.forget(a.Ref)
	case policy.Abandon:
		e.abandon(a)
	case policy.Answer:
		e.slot(a.Root).flight.answer(a.Outcome)
	case policy.End:
		e.slot(a.Root).flight = nil
		e.lab.land()
	case policy.Remark:
		e.notes[a.Note]++
	}
}

// send begins an attempt: in the goroutine of its caller, where that waits for it
// and leaves together with it, or else in one of its own.
func (e *edge) send(a *policy.Action) {
	f := e.slot(a.Root).flight
	try := newAttempt(e, f, a)
	if a.Orphan {
		e.leftAlone(try.path)
	}
	if f.floor > try.began {
		e.asked[try.path] = f.floor
	}
	e.slot(a.Ref).attempt = try
	e.sent++
	if f.hand(try) {
		try.Context = f.ctx
		if e.stops {
			try.Context, try.cancel = context.WithCancel(f.ctx)
		}
		return
	}
	// It belongs to the lab and not to the caller: whether a caller that leaves
	// takes its attempts with it is for the policies to say.
	try.Context, try.cancel = context.WithCancel(e.lab.ctx)
	e.lab.work.Go(func() {
		o := e.client.roundTrip(try)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.done(try, o)
	})
}

// done tells the composer how an attempt ended.
func (e *edge) done(a *attempt, o policy.Outcome) {
	if a.cancel != nil {
		a.cancel()
	}
	e.slot(a.ref).attempt = nil
	now := e.lab.clock.now()
	if o.Kind == policy.Cancelled {
		e.stopped++
	}
	if a.traced {
		e.outcomes[a.path] = o
	}
	if e.lab.spanned {
		e.trace(a, o, now)
	}
	if now > a.began {
		e.took += now.Sub(a.began)
	}
	if o.After > 0 {
		a.flight.floor = max(a.flight.floor, now.Add(o.After))
	}
	e.perform(e.core.Done(a.ref, o, now, e.actions[:0]))
}

// wake sets the timer of a frame. One that fires although it was forgotten or
// replaced meanwhile is not the one in its slot.
func (e *edge) wake(a policy.Action) {
	e.forget(a.Ref)
	if e.over {
		return
	}
	var t *time.Timer
	t = time.AfterFunc(a.At.Sub(e.lab.clock.now()), func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if s := &e.slots[a.Ref.Slot()]; s.ref == a.Ref && s.timer == t {
			e.ring(a)
		}
	})
	e.slot(a.Ref).timer = t
}

// ring tells the composer that a timer is due. A timer that was set before the
// release, while the clock stood still, comes early and is set again.
func (e *edge) ring(a policy.Action) {
	now := e.lab.clock.now()
	if now < a.At {
		e.wake(a)
		return
	}
	e.slot(a.Ref).timer = nil
	e.perform(e.core.Timer(a.Ref, a.Arming, now, e.actions[:0]))
}

func (e *edge) forget(frame policy.Ref) {
	if s := e.slot(frame); s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
}

// abandon notes that nobody waits for an attempt any more; those that the same
// call makes later may well be wanted.
func (e *edge) abandon(a *policy.Action) {
	left := e.slot(a.Ref).attempt
	if left == nil {
		return
	}
	if a.Cancel && left.cancel != nil {
		left.cancel()
	}
	if !left.isLeft {
		left.isLeft, left.left = true, e.lab.clock.now()
	}
	e.leftAlone(left.path)
}

func (e *edge) leftAlone(path string) {
	at := e.lab.clock.now()
	e.abandoned = append(e.abandoned, abandonment{path, at})
	e.lab.gone.leave(path)
}

// stop ends what is left when the run is over.
func (e *edge) stop() {
	e.mu.Lock()
	e.over = true
	for i := range e.slots {
		if t := e.slots[i].timer; t != nil {
			t.Stop()
			e.slots[i].timer = nil
		}
	}
	e.mu.Unlock()
	e.client.close()
}

// header is Header.Get for a name that is in canonical form already.
func header(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}
