package sim

// deque is a queue of jobs that gives from either end, in a ring that grows.
// Jobs may leave it from anywhere: each is told its place.
type deque struct {
	ring       []int32 // a power of two; none where a job has left
	head, tail uint32  // places of the oldest and behind the newest, free-running
	count      int
}

func (d *deque) len() int { return d.count }

func (d *deque) at(place uint32) *int32 { return &d.ring[place&uint32(len(d.ring)-1)] }

// push adds the newest job and returns its place.
func (d *deque) push(job int32) (place uint32) {
	if int(d.tail-d.head) == len(d.ring) {
		d.grow()
	}
	place = d.tail
	*d.at(place) = job
	d.tail++
	d.count++
	return place
}

// pop takes the oldest job, or the newest. There must be one.
func (d *deque) pop(newest bool) int32 {
	place := d.head
	if newest {
		place = d.tail - 1
	}
	job := *d.at(place)
	d.leave(place)
	return job
}

// leave takes out the job at a place. Neither end is ever a place that was left.
func (d *deque) leave(place uint32) {
	*d.at(place) = none
	d.count--
	for d.head != d.tail && *d.at(d.head) == none {
		d.head++
	}
	for d.head != d.tail && *d.at(d.tail - 1) == none {
		d.tail--
	}
}

// grow doubles the ring; places stay what they were.
func (d *deque) grow() {
	bigger := make([]int32, max(2*len(d.ring), 16))
	for place := d.head; place != d.tail; place++ {
		bigger[place&uint32(len(bigger)-1)] = *d.at(place)
	}
	d.ring = bigger
}
