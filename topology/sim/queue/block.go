package queue

const (
	blockLen  = 64 // a power of two, so that an index needs no bounds check
	firstSlab = 8  // blocks that are allocated together
	lastSlab  = 64
)

// entry is an event in the queue.
type entry[E any] struct {
	at   int64
	kind uint8
	e    E
}

func (e *entry[E]) open(at int64, kind uint8) *E {
	e.at, e.kind = at, kind
	return &e.e
}

func (e *entry[E]) after(at int64, kind uint8) bool {
	return e.at > at || e.at == at && e.kind > kind
}

// block is a piece of a chain. The pointer stands first, so that the garbage
// collector scans 8 bytes of a block of events without pointers.
type block[E any] struct {
	next    *block[E]
	entries [blockLen]entry[E]
}

// chain is a FIFO of entries; the zero value is empty.
type chain[E any] struct {
	head, tail *block[E]
	min        int64 // the earliest instant in it, unless it is empty
	room       int32 // free slots at the end of tail, so that the zero chain asks for a block like a full one
	read       int32 // entries of head that were taken
}

// few reports whether a chain that is neither empty nor read from has at most
// limit ≤ blockLen entries.
func (c *chain[E]) few(limit int32) bool {
	return c.head == c.tail && blockLen-c.room <= limit
}

// take returns the oldest entry of a non-empty chain. It is valid until the
// pool opens another block.
func (c *chain[E]) take(p *pool[E]) *entry[E] {
	b := c.head
	e := &b.entries[c.read&(blockLen-1)]
	c.read++
	switch {
	case b == c.tail:
		if c.read == blockLen-c.room {
			*c = chain[E]{}
			p.release(b)
		}
	case c.read == blockLen:
		c.head, c.read = b.next, 0
		p.release(b)
	}
	return e
}

// pool is the free list. Blocks never go back to the garbage collector: a queue
// that was long once is likely to be so again.
type pool[E any] struct {
	free *block[E]
	slab []block[E] // not used so far
	size int        // of the last slab
}

func (p *pool[E]) get() *block[E] {
	if b := p.free; b != nil {
		p.free = b.next
		b.next = nil
		return b
	}
	if len(p.slab) == 0 {
		p.size = min(max(2*p.size, firstSlab), lastSlab)
		p.slab = make([]block[E], p.size)
	}
	b := &p.slab[0]
	p.slab = p.slab[1:]
	return b
}

func (p *pool[E]) release(b *block[E]) {
	b.next = p.free
	p.free = b
}

// releaseAll empties a chain in one step, however long it is.
func (p *pool[E]) releaseAll(c *chain[E]) {
	c.tail.next = p.free
	p.free = c.head
	*c = chain[E]{}
}
