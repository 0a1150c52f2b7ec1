package policy

// new takes a slot for a frame below parent, or for a root.
func (e *Edge) new(parent int32, r Request) int32 {
	i := e.free
	if i == none {
		i = int32(len(e.frames))
		e.frames = append(e.frames, Frame{})
	} else {
		e.free = e.frames[i].sibling
	}
	self := Ref{slot: i, gen: e.frames[i].self.gen}
	e.frames[i] = Frame{request: r, self: self, root: i, parent: none, child: none, sibling: none}
	if parent != none {
		e.link(parent, i)
	}
	return i
}

func (e *Edge) link(parent, i int32) {
	p, f := &e.frames[parent], &e.frames[i]
	f.root, f.parent, f.layer = p.root, parent, p.layer+1
	f.state = p.state & isOrphan
	f.sibling, p.child = p.child, i
	p.open++
	p.running++
}

// endIfOver frees a frame that has returned and has no children left, and then
// perhaps the one above.
func (e *Edge) endIfOver(i int32) {
	for i != none {
		f := &e.frames[i]
		if f.root == none || !f.is(hasReturned) || f.open > 0 {
			return
		}
		parent := f.parent
		if parent == none {
			e.emit(i, Action{Kind: End})
		} else {
			e.unlink(parent, i)
		}
		e.release(i)
		i = parent
	}
}

func (e *Edge) unlink(parent, i int32) {
	p := &e.frames[parent]
	p.open--
	at := &p.child
	for *at != i {
		at = &e.frames[*at].sibling
	}
	*at = e.frames[i].sibling
}

func (e *Edge) release(i int32) {
	f := &e.frames[i]
	f.self.gen++
	f.root = none
	f.sibling = e.free
	e.free = i
}

// valid reports whether the frame that r meant has not ended.
func (e *Edge) valid(r Ref) bool {
	i := int(r.slot)
	return i < len(e.frames) && e.frames[i].self == r && e.frames[i].root != none
}
