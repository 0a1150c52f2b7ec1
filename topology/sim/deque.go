package sim

// deque is a queue of jobs that gives from either end, in a ring that grows.
type deque struct {
	ring  []int32
	head  int
	count int
}

func (d *deque) len() int { return d.count }

func (d *deque) push(job int32) {
	if d.count == len(d.ring) {
		d.grow()
	}
	d.ring[(d.head+d.count)&(len(d.ring)-1)] = job
	d.count++
}

// pop takes the oldest job, or the newest.
func (d *deque) pop(newest bool) int32 {
	d.count--
	if newest {
		return d.ring[(d.head+d.count)&(len(d.ring)-1)]
	}
	job := d.ring[d.head]
	d.head = (d.head + 1) & (len(d.ring) - 1)
	return job
}

// grow doubles the ring; its length stays a power of two.
func (d *deque) grow() {
	bigger := make([]int32, max(2*len(d.ring), 16))
	n := copy(bigger, d.ring[d.head:])
	copy(bigger[n:], d.ring[:d.head])
	d.ring, d.head = bigger, 0
}
