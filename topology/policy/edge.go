package policy

import "fmt"

// Edge runs the calls between two services: it composes the stack of policies
// and owns the frames of every call in progress. It has no lock; its driver
// calls it from one goroutine at a time.
//
// Each method takes the instant and appends to a list of actions, which the
// driver performs after it has let go of the edge. A frame ends when it has
// returned and its children have ended, so that work nobody waits for is still
// accounted for and what it holds comes back.
type Edge struct {
	id      EdgeID
	stack   []Policy
	only    []*Only     // of each layer: the routes that it is for; nil: all policies are for all
	passes  bool        // cancellation is passed down
	asked   bool        // a policy reads what the frames of a call share
	tells   bool        // a timeout is sent along
	calls   []CallState // by slot of the root, where that is so
	frames  []Frame     // arena: a frame is known by its slot
	free    int32       // first unused slot, linked by sibling
	over    []int32     // frames that returned while the edge was last asked
	granted []Ref       // frames that were granted what they wait for meanwhile
	now     Instant
	actions []Action
}

// NewEdge returns an edge without calls. The stack is outermost first and may
// be empty. passes says whether a caller that stops waiting also stops the work
// below it.
func NewEdge(id EdgeID, stack []Policy, passes bool) *Edge {
	e := &Edge{id: id, stack: stack, passes: passes, asked: asks(stack), free: none}
	for i, p := range stack {
		if o, is := p.(*Only); is {
			e.narrow(i, o)
		}
	}
	e.tells = tells(e.stack)
	return e
}

// Stack is the policies of the edge, outermost first, with the state that its
// calls share.
func (e *Edge) Stack() []Policy { return e.stack }

// Tag is the Request.Tag of the call that r belongs to, unless that has ended.
// Looking it up also brings the frame into the cache.
func (e *Edge) Tag(r Ref) (tag int32, ok bool) {
	f := e.at(r)
	if f == nil {
		return 0, false
	}
	return e.rootOf(f).as, true
}

// Grow makes room for so many frames more than there are. It writes to none of
// them (as slices.Grow would), so that what is never used takes no memory.
func (e *Edge) Grow(frames int) {
	e.frames = append(make([]Frame, 0, len(e.frames)+frames), e.frames...)
}

const none = int32(-1)

// Start begins a call and returns its root.
func (e *Edge) Start(r Request, now Instant, to []Action) (Ref, []Action) {
	e.begin(now, to)
	i := e.root(r)
	root := e.frames[i].self
	e.enter(i, r)
	e.start(i)
	return root, e.finish()
}

// Done reports the outcome of an attempt that was sent. Every Send must be
// answered by exactly one Done, also after Abandon.
func (e *Edge) Done(attempt Ref, o Outcome, now Instant, to []Action) []Action {
	if e.at(attempt) == nil {
		return to
	}
	e.begin(now, to)
	e.giveBack(attempt.slot, o)
	return e.finish()
}

// Timer reports that the instant of a Wake has come. A timer that was replaced
// or forgotten is ignored.
func (e *Edge) Timer(frame Ref, arming uint32, now Instant, to []Action) []Action {
	f := e.at(frame)
	if f == nil || !f.is(isArmed) || f.arming != arming {
		return to
	}
	f.state &^= isArmed
	e.begin(now, to)
	e.deliver(frame.slot, Event{Kind: Timer})
	return e.finish()
}

// Cancel reports that the caller of a whole call has left.
func (e *Edge) Cancel(root Ref, now Instant, to []Action) []Action {
	if e.at(root) == nil {
		return to
	}
	e.begin(now, to)
	e.cancel(root.slot)
	return e.finish()
}

// Calls returns how many calls have not ended.
func (e *Edge) Calls() int {
	n := 0
	for i := range e.frames {
		if f := &e.frames[i]; f.parent == none && !f.is(isFree) {
			n++
		}
	}
	return n
}

func (e *Edge) begin(now Instant, to []Action) { e.now, e.actions = now, to }

// finish ends what is over only now: no frame leaves the tree while drop or
// cancel walks it.
func (e *Edge) finish() []Action {
	e.grant()
	for _, i := range e.over {
		e.endIfOver(i)
	}
	e.over = e.over[:0]
	out := e.actions
	e.actions = nil
	return out
}

// emit asks the driver for something. Whoever calls it says the rest.
func (e *Edge) emit(i int32, what ActionKind) *Action {
	f := &e.frames[i]
	root := e.rootOf(f)
	e.actions = append(e.actions, Action{})
	a := &e.actions[len(e.actions)-1]
	a.Kind, a.Ref, a.Root, a.Tag = what, f.self, root.self, root.as
	return a
}

// isLeaf reports whether the frame is an attempt: below the last policy.
func (e *Edge) isLeaf(f *Frame) bool { return int(f.layer) == len(e.stack) }

// start lets a new frame begin: a leaf is sent, any other asks its policy.
func (e *Edge) start(i int32) {
	f := &e.frames[i]
	if !e.isLeaf(f) {
		e.deliver(i, Event{Kind: Start})
		return
	}
	if e.callOf(f).late(e.now) { // whatever stands between it and the deadline made it wait
		e.emit(i, Remark).Note = Late
		e.giveBack(i, Failed(Timeout))
		return
	}
	n := e.rootOf(f).sent + 1
	for at := i; at != none; at = e.frames[at].parent {
		e.frames[at].sent = n
	}
	a := e.emit(i, Send)
	a.Number, a.Luck, a.Orphan, a.Host = n, f.luck.Attempt(int(n)), f.is(isOrphan), f.host
	if e.tells {
		a.Deadline = e.timed(i)
	} else {
		a.Deadline = e.callOf(f).send(e.now)
	}
}

// grant works off what was granted, which may grant more: a loop, so that the
// stack does not grow with a queue whose calls end at once.
func (e *Edge) grant() {
	for i := 0; i < len(e.granted); i++ {
		r := e.granted[i]
		f := e.at(r)
		if f == nil {
			continue
		}
		if f.is(isArmed) { // for the wait, which is over
			f.state &^= isArmed
			e.emit(r.slot, Forget)
		}
		e.deliver(r.slot, Event{Kind: Granted})
	}
	e.granted = e.granted[:0]
}

// deliver asks the policy of a frame and performs its step.
func (e *Edge) deliver(i int32, ev Event) {
	f := &e.frames[i]
	if e.asked {
		e.share(f, &ev)
	}
	var step Step
	if r, is := e.stack[f.layer].(*Retry); is { // as nearly everywhere; it need not copy its step
		r.on(f, ev, e.now, &step)
	} else {
		step = e.stack[f.layer].On(f, ev, e.now)
	}
	if f.is(hasReturned) { // it has had its say; only what it held comes back
		step.Do &= Grant
		step.Note = NoNote
	}
	e.perform(i, &step)
}

func (e *Edge) perform(i int32, s *Step) {
	if s.Note != NoNote {
		e.emit(i, Remark).Note = s.Note
	}
	if s.Do&Drop != 0 {
		e.drop(i)
	}
	if s.Do&Arm != 0 {
		f := &e.frames[i]
		f.arming++
		f.state |= isArmed
		rests := f.running == 0 && s.Do&(Call|Park) == 0
		a := e.emit(i, Wake)
		a.Arming, a.At, a.Rest = f.arming, s.At, rests
	}
	if s.Do&Grant != 0 {
		e.granted = append(e.granted, s.Granted)
	}
	switch {
	case e.frames[i].is(hasReturned): // before the step, or by what it set off
	case s.Do&Call != 0:
		e.start(e.child(i, s.Child))
	case s.Do&Return != 0:
		e.giveBack(i, s.Outcome)
	default:
		e.mustWaitFor(i, s)
	}
}

// giveBack returns an outcome to the layer above. What still runs below is
// wanted no longer. The layer above hears of it even when it has returned
// itself, so that permits come back; only a dropped child is not listened to.
func (e *Edge) giveBack(i int32, o Outcome) {
	f := &e.frames[i]
	f.state |= hasReturned
	if f.is(isArmed) {
		f.state &^= isArmed
		e.emit(i, Forget)
	}
	e.over = append(e.over, i)
	if f.running > 0 {
		e.letGo(i)
		f = &e.frames[i]
	}
	switch {
	case f.parent == none:
		e.emit(i, Answer).Outcome = o
	case !f.is(isDropped):
		e.frames[f.parent].running--
		if !f.is(isQuiet) {
			e.tell(i, o)
		}
	}
}

// tell lets the layer above hear the outcome of a child.
func (e *Edge) tell(i int32, o Outcome) {
	f := &e.frames[i]
	luck := f.luck.Attempt(int(f.sent))
	e.deliver(f.parent, Event{Kind: Done, Child: int(f.as), Outcome: o, Luck: luck})
}

// mustWaitFor panics on a frame that nothing can ever wake: a policy's bug that
// would otherwise be a call that never returns.
func (e *Edge) mustWaitFor(i int32, s *Step) {
	f := &e.frames[i]
	if !f.is(hasReturned) && !f.is(isArmed) && f.running == 0 && s.Do&Park == 0 {
		panic(fmt.Sprintf("policy: %T neither calls, waits nor returns", e.stack[f.layer]))
	}
}
