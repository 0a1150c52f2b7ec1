package policy

// root takes a slot for the root of a call.
func (e *Edge) root(r Request) int32 {
	i := e.take()
	f := &e.frames[i]
	f.wipe()
	f.parent, f.child, f.sibling, f.as = none, none, none, r.Tag
	f.luck, f.repeatable = r.Luck.Over(e.id), r.Repeatable
	f.layer, f.route = e.layerFrom(0, r.Route), r.Route
	return i
}

// child takes a slot for a frame below parent.
func (e *Edge) child(parent, as int32) int32 {
	i := e.take()
	p, f := &e.frames[parent], &e.frames[i]
	f.wipe()
	f.parent, f.child, f.sibling, f.as = parent, none, p.child, as
	f.luck, f.repeatable, f.route = p.luck, p.repeatable, p.route
	f.layer, f.host, f.state = e.layerFrom(int(p.layer)+1, p.route), p.host, p.state&isOrphan
	p.child = i
	p.running++
	return i
}

// wipe forgets all but the name. (A frame put together elsewhere and copied here
// would be read before it is written down, for which a processor has to wait.)
func (f *Frame) wipe() {
	self := f.self
	*f = Frame{}
	f.self = self
}

func (e *Edge) take() int32 {
	if i := e.free; i != none {
		e.free = e.frames[i].sibling
		return i
	}
	i := int32(len(e.frames))
	e.frames = append(e.frames, Frame{self: Ref{slot: i}})
	return i
}

// rootOf climbs to the root: stacks are short.
func (e *Edge) rootOf(f *Frame) *Frame {
	for f.parent != none {
		f = &e.frames[f.parent]
	}
	return f
}

// endIfOver frees a frame that has returned and has no children left, and then
// perhaps the one above. One that is free already has not returned.
func (e *Edge) endIfOver(i int32) {
	for i != none {
		f := &e.frames[i]
		if !f.is(hasReturned) || f.child != none {
			return
		}
		parent := f.parent
		if parent == none {
			e.emit(i, End)
		} else {
			e.unlink(parent, i)
		}
		e.release(i)
		i = parent
	}
}

func (e *Edge) unlink(parent, i int32) {
	at := &e.frames[parent].child
	for *at != i {
		at = &e.frames[*at].sibling
	}
	*at = e.frames[i].sibling
}

func (e *Edge) release(i int32) {
	f := &e.frames[i]
	f.self.gen++
	f.state = isFree
	f.sibling = e.free
	e.free = i
}

// at is the frame that r means, nil when that has ended.
func (e *Edge) at(r Ref) *Frame {
	if uint(r.slot) < uint(len(e.frames)) {
		if f := &e.frames[r.slot]; f.self == r && !f.is(isFree) {
			return f
		}
	}
	return nil
}
