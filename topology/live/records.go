package live

import "sync"

const chunkSize = 1024

// records is a list that many write to and that is read when they are done. It
// grows in chunks, so that nothing is copied while a run is on.
type records[T any] struct {
	mu     sync.Mutex
	chunks [][]T
}

func (r *records[T]) add(v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last]) == cap(r.chunks[last]) {
		size := chunkSize
		if last < 0 {
			size = 16 // many lists stay short
		}
		r.chunks = append(r.chunks, make([]T, 0, size))
		last++
	}
	r.chunks[last] = append(r.chunks[last], v)
}

// each calls f with every record, in the order in which they were added.
func (r *records[T]) each(f func(*T)) {
	for _, c := range r.chunks {
		for i := range c {
			f(&c[i])
		}
	}
}
