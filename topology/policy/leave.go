package policy

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
		e.emit(i, Abandon)
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
		e.emit(i, Abandon).Cancel = true
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
