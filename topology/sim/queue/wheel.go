package queue

import "math/bits"

const (
	digitBits = 6 // of an instant; one word tells which of a level's 1<<digitBits chains hold something
	digits    = 1 << digitBits
	levels    = (63 + digitBits - 1) / digitBits
)

// wheel is a radix heap with digits of several bits. An entry lies in the chain
// that the highest digit in which its instant differs from base points to: level
// and value of that digit. So all of a level comes before all of the next one,
// within a level a smaller digit comes first, and when base moves on to the
// first chain in use, no other chain has to be touched. Entries at base itself
// lie in a chain per kind.
//
// An instant belongs to one chain at a time, chains are FIFO and are moved whole
// and in order, so entries of one instant and kind never overtake each other.
type wheel[E any] struct {
	base   int64
	kinds  uint8  // bit k: due[k] is in use
	levels uint16 // bit l: used[l] is not 0
	used   [levels]uint64
	due    [Kinds]chain[E]
	chains [levels * digits]chain[E]
	pool   pool[E]
}

// slot opens a slot for an entry at an instant ≥ base. The caller fills all of it.
func (w *wheel[E]) slot(at int64, kind uint8) *entry[E] {
	var c *chain[E]
	if d := uint64(at ^ w.base); d == 0 {
		w.kinds |= 1 << (kind % Kinds)
		c = &w.due[kind%Kinds]
	} else {
		level := uint(bits.Len64(d)-1) / digitBits
		digit := uint(at>>(level*digitBits&63)) % digits
		w.levels |= 1 << (level & 15)
		w.used[level] |= 1 << digit
		c = &w.chains[level*digits+digit]
	}
	if c.room == 0 {
		w.extend(c, at)
	}
	c.min = min(c.min, at)
	i := -c.room & (blockLen - 1)
	c.room--
	return &c.tail.entries[i]
}

func (w *wheel[E]) extend(c *chain[E], at int64) {
	b := w.pool.get()
	if c.head == nil {
		c.head, c.min = b, at
	} else {
		c.tail.next = b
	}
	c.tail, c.room = b, blockLen
}

func (w *wheel[E]) empty() bool { return w.levels == 0 && w.kinds == 0 }

// unlink takes the first chain above base out of the wheel and moves base to its
// first instant. end is the first instant that is not the chain's.
func (w *wheel[E]) unlink() (c chain[E], end uint64) {
	level := uint(bits.TrailingZeros16(w.levels))
	digit := uint(bits.TrailingZeros64(w.used[level]))
	w.used[level] &= w.used[level] - 1
	if w.used[level] == 0 {
		w.levels &= w.levels - 1
	}
	first := &w.chains[level*digits+digit]
	c, *first = *first, chain[E]{}
	w.base = c.min
	span := uint64(1) << (level * digitBits)
	return c, (uint64(c.min) | (span - 1)) + 1
}

// spread puts the entries of a chain back, each nearer to base.
func (w *wheel[E]) spread(c *chain[E]) {
	for b := c.head; b != nil; {
		n := int32(blockLen)
		if b == c.tail {
			n -= c.room
		}
		for i := range b.entries[:n] {
			e := &b.entries[i]
			*w.slot(e.at, e.kind) = *e
		}
		next := b.next
		w.pool.release(b)
		b = next
	}
}

// clear empties the wheel in time proportional to the chains in use.
func (w *wheel[E]) clear() {
	for ; w.kinds != 0; w.kinds &= w.kinds - 1 {
		w.pool.releaseAll(&w.due[bits.TrailingZeros8(w.kinds)])
	}
	for ; w.levels != 0; w.levels &= w.levels - 1 {
		level := bits.TrailingZeros16(w.levels)
		for ; w.used[level] != 0; w.used[level] &= w.used[level] - 1 {
			w.pool.releaseAll(&w.chains[level*digits+bits.TrailingZeros64(w.used[level])])
		}
	}
}
