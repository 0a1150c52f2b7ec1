package queue

// frontLen bounds how far an insertion shifts; frontFill is the part that the
// wheel may fill, so that the next few pushes do not spill the front at once.
const (
	frontLen  = 32 // a power of two, so that an index needs no bounds check
	frontFill = frontLen / 2
)

// front is a small sorted ring.
type front[E any] struct {
	head, tail uint32 // running freely
	ring       [frontLen]entry[E]
}

func (f *front[E]) empty() bool { return f.head == f.tail }
func (f *front[E]) full() bool  { return f.tail-f.head == frontLen }

// slot opens a slot behind all entries that come before (at, kind) or are equal
// to it. The ring must not be full; the caller fills all of the slot.
func (f *front[E]) slot(at int64, kind uint8) *entry[E] {
	// What happens at once goes before all others, however many they are. (In an
	// empty ring the entry is a stale one, and either end will do.)
	if f.ring[f.head%frontLen].after(at, kind) {
		f.head--
		return &f.ring[f.head%frontLen]
	}
	i := f.tail
	f.tail++
	for ; i != f.head && f.ring[(i-1)%frontLen].after(at, kind); i-- {
		f.ring[i%frontLen] = f.ring[(i-1)%frontLen]
	}
	return &f.ring[i%frontLen]
}

// first returns the first entry without taking it.
func (f *front[E]) first() *entry[E] { return &f.ring[f.head%frontLen] }

// take returns the first entry. It is valid until the next slot is opened.
func (f *front[E]) take() *entry[E] {
	e := &f.ring[f.head%frontLen]
	f.head++
	return e
}
