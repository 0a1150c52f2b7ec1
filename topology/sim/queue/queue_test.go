package queue_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"labctl/topology/sim/queue"

	"pgregory.net/rapid"
)

// entry is an event as the tests see it: seq is the number of its push.
type entry struct {
	at   int64
	kind uint8
	seq  int
}

func (a entry) compare(b entry) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.seq, b.seq))
}

// reference is what Queue promises, said in the plainest way: the first of a
// stable sort.
type reference struct {
	now     int64
	entries []entry
}

func (r *reference) push(e entry) { r.entries = append(r.entries, e) }

func (r *reference) pop() (entry, bool) {
	if len(r.entries) == 0 {
		return entry{}, false
	}
	slices.SortStableFunc(r.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind))
	})
	first := r.entries[0]
	r.entries = r.entries[1:]
	r.now = first.at
	return first, true
}

func pop(q *queue.Queue[int]) (entry, bool) {
	at, kind, seq, ok := q.Pop()
	return entry{at, kind, seq}, ok
}

// pair drives a queue and its reference together.
type pair struct {
	queue  queue.Queue[int]
	want   reference
	pushes int
}

func (p *pair) push(t *rapid.T) {
	e := entry{later(t, p.want.now), uint8(rapid.IntRange(0, queue.Kinds-1).Draw(t, "kind")), p.pushes}
	p.pushes++
	p.queue.Push(e.at, e.kind, e.seq)
	p.want.push(e)
}

func (p *pair) pop(t *rapid.T) {
	got, ok := pop(&p.queue)
	want, some := p.want.pop()
	if got != want || ok != some {
		t.Fatalf("popped %v, %v, want %v, %v", got, ok, want, some)
	}
	if p.queue.Now() != p.want.now || p.queue.Len() != len(p.want.entries) {
		t.Fatalf("now %d, length %d, want %d, %d", p.queue.Now(), p.queue.Len(), p.want.now, len(p.want.entries))
	}
}

// holds compares what the queue says of its present instant.
func (p *pair) holds(t *rapid.T) {
	kind := uint8(rapid.IntRange(0, queue.Kinds-1).Draw(t, "held kind"))
	want := slices.ContainsFunc(p.want.entries, func(e entry) bool { return e.at == p.want.now && e.kind <= kind })
	if got := p.queue.Holds(kind); got != want {
		t.Fatalf("holds kind %d or one before at %d: got %v, want %v", kind, p.want.now, got, want)
	}
}

// later draws an instant from now on: that very one, a close one, a round one
// (so that many meet), one at any power of two, or the last ones of all.
func later(t *rapid.T, now int64) int64 {
	var ahead int64
	switch rapid.IntRange(0, 9).Draw(t, "shape") {
	case 0, 1:
	case 2, 3:
		ahead = rapid.Int64Range(0, 3).Draw(t, "near")
	case 4, 5:
		ahead = 100 - now%100
	case 6, 7:
		ahead = 1 << rapid.IntRange(0, 62).Draw(t, "power")
	case 8:
		ahead = rapid.Int64Range(0, 5000).Draw(t, "any")
	case 9:
		return math.MaxInt64 - min(math.MaxInt64-now, rapid.Int64Range(0, 2).Draw(t, "last"))
	}
	return now + min(math.MaxInt64-now, ahead)
}

func TestPopsInTheOrderOfAStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pair
		p.queue.Ahead = func(seq *int) { // shows only what is still to come
			if !slices.ContainsFunc(p.want.entries, func(e entry) bool { return e.seq == *seq }) {
				t.Fatalf("push %d is shown ahead, and was popped", *seq)
			}
		}
		for range rapid.IntRange(1, 20).Draw(t, "phases") {
			pushes := rapid.IntRange(0, 80).Draw(t, "pushes")
			pops := rapid.IntRange(0, 60).Draw(t, "pops")
			for range pushes {
				p.push(t)
			}
			p.holds(t)
			for range pops {
				p.pop(t)
				p.holds(t)
				if rapid.IntRange(0, 3).Draw(t, "push between pops") == 0 {
					p.push(t)
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "reset") == 0 {
				p.queue.Reset()
				p.want = reference{}
			}
		}
		for p.queue.Len() > 0 {
			p.pop(t)
		}
		p.pop(t)
	})
}

// TestLongRuns holds many events for long, which a reference that sorts cannot.
// Kinds that only grow within an instant make the order of all pops a sorted one.
func TestLongRuns(t *testing.T) {
	delays := map[string]func(*draws) int64{
		"distinct":    (*draws).rest,
		"constant":    func(*draws) int64 { return 100e6 },
		"dense":       func(d *draws) int64 { return d.rest() % 512 },
		"round":       func(d *draws) int64 { return d.rest() / 10e6 * 10e6 },
		"two scales":  func(d *draws) int64 { return []int64{1e3, 30e9}[d.rest()%2] + d.rest()%1000 },
		"every scale": func(d *draws) int64 { return 1 << (d.rest() % 40) },
	}
	for name, delay := range delays {
		for _, n := range []int{1, 20, 40, 1000, 100_000} {
			var q queue.Queue[int]
			var d draws
			for seq := range n {
				q.Push(delay(&d), 3, seq)
			}
			last := entry{at: -1}
			for seq := n; seq < 4*n+1000; seq++ {
				e, ok := pop(&q)
				if !ok || last.compare(e) >= 0 {
					t.Fatalf("%s, %d: popped %v, %v after %v", name, n, e, ok, last)
				}
				last = e
				q.Push(e.at+max(delay(&d), 1), uint8(seq%queue.Kinds), seq)
			}
			if q.Len() != n {
				t.Errorf("%s: length %d, want %d", name, q.Len(), n)
			}
		}
	}
}
