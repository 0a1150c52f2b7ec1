package policy

// waiters is a queue of frames, first come, first served, in a ring that grows.
// A frame may leave it from anywhere: it keeps the place that it was told. The ring
// spans the places from the oldest who waits to the newest, also those that were
// left between them.
type waiters struct {
	ring       []Ref  // a power of two; nobody where no frame waits
	head, tail uint32 // places of the oldest and behind the newest, free-running
	count      int
}

// nobody names no frame: slots are not negative.
var nobody = Ref{slot: none}

func (w *waiters) at(place uint32) *Ref { return &w.ring[place&uint32(len(w.ring)-1)] }

// push adds the newest and returns its place.
func (w *waiters) push(r Ref) (place int32) {
	if int(w.tail-w.head) == len(w.ring) {
		w.grow()
	}
	place = int32(w.tail)
	*w.at(w.tail) = r
	w.tail++
	w.count++
	return place
}

// pop takes out the oldest. There must be one.
func (w *waiters) pop() Ref {
	r := *w.at(w.head)
	w.empty(w.head)
	return r
}

// remove takes a frame out of its place and reports whether it was still there.
// That the frame's name is there tells: places are used again, names are not.
func (w *waiters) remove(place int32, r Ref) bool {
	if len(w.ring) == 0 || *w.at(uint32(place)) != r {
		return false
	}
	w.empty(uint32(place))
	return true
}

// empty leaves neither end at a place that was left.
func (w *waiters) empty(place uint32) {
	*w.at(place) = nobody
	w.count--
	for w.head != w.tail && *w.at(w.head) == nobody {
		w.head++
	}
	for w.head != w.tail && *w.at(w.tail - 1) == nobody {
		w.tail--
	}
}

// grow doubles the ring; places stay what they were.
func (w *waiters) grow() {
	bigger := waiters{ring: make([]Ref, max(2*len(w.ring), 16))}
	for i := range bigger.ring {
		bigger.ring[i] = nobody
	}
	for place := w.head; place != w.tail; place++ {
		*bigger.at(place) = *w.at(place)
	}
	w.ring = bigger.ring
}
