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
	passes  bool    // cancellation is passed down
	frames  []Frame // arena: a frame is known by its slot
	free    int32   // first unused slot, linked by sibling
	over    []int32 // frames that returned while the edge was last asked
	now     Instant
	actions []Action
}

// NewEdge returns an edge without calls. The stack is outermost first and may
// be empty. passes says whether a caller that stops waiting also stops the work
// below it.
func NewEdge(id EdgeID, stack []Policy, passes bool) *Edge {
	return &Edge{id: id, stack: stack, passes: passes, free: none}
}

const none = int32(-1)

// Start begins a call and returns its root.
func (e *Edge) Start(r Request, now Instant, to []Action) (Ref, []Action) {
	e.begin(now, to)
	i := e.new(none, r)
	root := e.frames[i].self
	e.start(i)
	return root, e.finish()
}

// Done reports the outcome of an attempt that was sent. Every Send must be
// answered by exactly one Done, also after Abandon.
func (e *Edge) Done(attempt Ref, o Outcome, now Instant, to []Action) []Action {
	if !e.valid(attempt) {
		return to
	}
	e.begin(now, to)
	e.giveBack(attempt.slot, o)
	return e.finish()
}

// Timer reports that the instant of a Wake has come. A timer that was replaced
// or forgotten is ignored.
func (e *Edge) Timer(frame Ref, arming uint32, now Instant, to []Action) []Action {
	if !e.valid(frame) {
		return to
	}
	f := &e.frames[frame.slot]
	if !f.is(isArmed) || f.arming != arming {
		return to
	}
	f.state &^= isArmed
	e.begin(now, to)
	e.deliver(frame.slot, Event{Kind: Timer})
	return e.finish()
}

// Cancel reports that the caller of a whole call has left.
func (e *Edge) Cancel(root Ref, now Instant, to []Action) []Action {
	if !e.valid(root) {
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
		if f := &e.frames[i]; f.root == int32(i) {
			n++
		}
	}
	return n
}

func (e *Edge) begin(now Instant, to []Action) { e.now, e.actions = now, to }

// finish ends what is over only now: no frame leaves the tree while drop or
// cancel walks it.
func (e *Edge) finish() []Action {
	for _, i := range e.over {
		e.endIfOver(i)
	}
	e.over = e.over[:0]
	out := e.actions
	e.actions = nil
	return out
}

func (e *Edge) emit(i int32, a Action) {
	f := &e.frames[i]
	a.Ref, a.Root = f.self, e.frames[f.root].self
	e.actions = append(e.actions, a)
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
	n := e.frames[f.root].sent + 1
	for at := i; at != none; at = e.frames[at].parent {
		e.frames[at].sent = n
	}
	e.emit(i, Action{Kind: Send, Number: n, Orphan: f.is(isOrphan)})
}

// deliver asks the policy of a frame and performs its step.
func (e *Edge) deliver(i int32, ev Event) {
	f := &e.frames[i]
	step := e.stack[f.layer].On(f, ev, e.now)
	if f.is(hasReturned) { // it has had its say; only what it held comes back
		step = Step{Do: step.Do & Grant, Granted: step.Granted}
	}
	e.perform(i, step)
}

func (e *Edge) perform(i int32, s Step) {
	if s.Note != NoNote {
		e.emit(i, Action{Kind: Remark, Note: s.Note})
	}
	if s.Do&Drop != 0 {
		e.drop(i)
	}
	if s.Do&Arm != 0 {
		f := &e.frames[i]
		f.arming++
		f.state |= isArmed
		rests := f.running == 0 && s.Do&(Call|Park) == 0
		e.emit(i, Action{Kind: Wake, Arming: f.arming, At: s.At, Rest: rests})
	}
	if s.Do&Grant != 0 && e.valid(s.Granted) {
		e.deliver(s.Granted.slot, Event{Kind: Granted})
	}
	switch {
	case e.frames[i].is(hasReturned): // before the step, or by what it set off
	case s.Do&Call != 0:
		e.call(i, s.Child)
	case s.Do&Return != 0:
		e.giveBack(i, s.Outcome)
	default:
		e.mustWaitFor(i, s)
	}
}

// call opens the layer below as a child.
func (e *Edge) call(i int32, as int) {
	c := e.new(i, e.frames[i].request)
	e.frames[c].as = int32(as)
	e.start(c)
}

// giveBack returns an outcome to the layer above. What still runs below is
// wanted no longer. The layer above hears of it even when it has returned
// itself, so that permits come back; only a dropped child is not listened to.
func (e *Edge) giveBack(i int32, o Outcome) {
	f := &e.frames[i]
	f.state |= hasReturned
	if f.is(isArmed) {
		f.state &^= isArmed
		e.emit(i, Action{Kind: Forget})
	}
	e.over = append(e.over, i)
	if f.running > 0 {
		e.letGo(i)
		f = &e.frames[i]
	}
	switch {
	case f.parent == none:
		e.emit(i, Action{Kind: Answer, Outcome: o})
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
	luck := f.request.Luck.Attempt(e.id, int(f.sent))
	e.deliver(f.parent, Event{Kind: Done, Child: int(f.as), Outcome: o, Luck: luck})
}

// drop stops listening to every running child.
func (e *Edge) drop(i int32) {
	for c := e.frames[i].child; c != none; c = e.frames[c].sibling {
		f := &e.frames[c]
		if !f.is(hasReturned | isDropped) {
			e.frames[i].running--
		}
		f.state |= isDropped
	}
	e.letGo(i)
}

// letGo stops waiting for the children. Their work goes on unless cancellation
// is passed down.
func (e *Edge) letGo(i int32) {
	for c := e.frames[i].child; c != none; c = e.frames[c].sibling {
		if e.passes {
			e.cancel(c)
		} else {
			e.orphan(c)
		}
	}
}

// orphan marks a subtree as work that nobody waits for.
func (e *Edge) orphan(i int32) {
	f := &e.frames[i]
	if f.is(isOrphan) { // and so is all below it
		return
	}
	f.state |= isOrphan
	if e.isLeaf(f) && !f.is(hasReturned) {
		e.emit(i, Action{Kind: Abandon})
	}
	for c := f.child; c != none; c = e.frames[c].sibling {
		e.orphan(c)
	}
}

// cancel runs from the innermost frame outwards, so that a policy sees what is
// inside it settled before it has to give up what it holds itself. It hears of
// each child's end after its own Cancel, and so has one place, Done, where
// permits come back. An attempt is only told to stop: it ends when the driver
// reports Done.
func (e *Edge) cancel(i int32) {
	for c := e.frames[i].child; c != none; c = e.frames[c].sibling {
		if f := &e.frames[c]; !f.is(hasReturned) {
			f.state |= isQuiet
		}
		e.cancel(c)
	}
	f := &e.frames[i]
	switch {
	case f.is(hasReturned):
	case e.isLeaf(f):
		e.stop(i)
	default:
		e.deliver(i, Event{Kind: Cancel})
	}
	e.tellQuiet(i)
}

// stop asks the driver, once, to end an attempt.
func (e *Edge) stop(i int32) {
	f := &e.frames[i]
	if !f.is(isStopped) {
		f.state |= isOrphan | isStopped
		e.emit(i, Action{Kind: Abandon, Cancel: true})
	}
}

// tellQuiet makes up for what the frame did not hear while its children were
// being cancelled.
func (e *Edge) tellQuiet(i int32) {
	for c := e.frames[i].child; c != none; c = e.frames[c].sibling {
		f := &e.frames[c]
		wasQuiet := f.is(isQuiet)
		f.state &^= isQuiet
		if wasQuiet && f.is(hasReturned) && !f.is(isDropped) {
			e.tell(c, Failed(Cancelled))
		}
	}
}

// mustWaitFor panics on a frame that nothing can ever wake: a policy's bug that
// would otherwise be a call that never returns.
func (e *Edge) mustWaitFor(i int32, s Step) {
	f := &e.frames[i]
	if !f.is(hasReturned) && !f.is(isArmed) && f.running == 0 && s.Do&Park == 0 {
		panic(fmt.Sprintf("policy: %T neither calls, waits nor returns", e.stack[f.layer]))
	}
}
