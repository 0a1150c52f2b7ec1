package queue_test

import "container/heap"

// The two queues that Queue is measured against, ordered by (at, seq). Each is as
// good as its plain version gets.

// item is what a binary or 4-ary heap needs to be FIFO among equals.
type item struct {
	at  int64
	seq uint64
	e   event
}

func (a *item) before(b *item) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

// quad is a 4-ary heap of values.
type quad struct {
	items []item
	seq   uint64
}

func (q *quad) push(at int64, e event) {
	it := item{at, q.seq, e}
	q.seq++
	q.items = append(q.items, it)
	i := len(q.items) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !it.before(&q.items[parent]) {
			break
		}
		q.items[i] = q.items[parent]
		i = parent
	}
	q.items[i] = it
}

func (q *quad) pop() (int64, event) {
	top := q.items[0]
	n := len(q.items) - 1
	last := q.items[n]
	q.items = q.items[:n]
	if n > 0 {
		q.sink(last)
	}
	return top.at, top.e
}

// sink puts an item in the place of the root.
func (q *quad) sink(it item) {
	items, i := q.items, 0
	for {
		child := 4*i + 1
		if child >= len(items) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(items)); c++ {
			if items[c].before(&items[least]) {
				least = c
			}
		}
		if !items[least].before(&it) {
			break
		}
		items[i] = items[least]
		i = least
	}
	items[i] = it
}

// boxed is container/heap as its documentation shows it: pointers to items.
type boxed struct {
	items items
	seq   uint64
}

func (q *boxed) push(at int64, e event) {
	heap.Push(&q.items, &item{at, q.seq, e})
	q.seq++
}

func (q *boxed) pop() (int64, event) {
	it := heap.Pop(&q.items).(*item)
	return it.at, it.e
}

type items []*item

func (s items) Len() int           { return len(s) }
func (s items) Less(i, j int) bool { return s[i].before(s[j]) }
func (s items) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *items) Push(x any)        { *s = append(*s, x.(*item)) }
func (s *items) Pop() any {
	old := *s
	it := old[len(old)-1]
	old[len(old)-1] = nil
	*s = old[:len(old)-1]
	return it
}
