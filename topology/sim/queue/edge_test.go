package queue_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"labctl/topology/sim/queue"
)

// A reply that arrives at once precedes what else happens at that instant.
func ExampleQueue() {
	const reply, arrival = 0, 3
	var q queue.Queue[string]
	q.Push(10, arrival, "first request")
	q.Push(10, arrival, "second request")
	for {
		at, kind, what, ok := q.Pop()
		if !ok {
			break
		}
		fmt.Println(at, what)
		if kind == arrival {
			q.Push(at, reply, "reply to the "+what)
		}
	}
	// Output:
	// 10 first request
	// 10 reply to the first request
	// 10 second request
	// 10 reply to the second request
}

// drain pops everything.
func drain(q *queue.Queue[int]) []entry {
	var all []entry
	for {
		e, ok := pop(q)
		if !ok {
			return all
		}
		all = append(all, e)
	}
}

func TestEdgeInstants(t *testing.T) {
	instants := []int64{0, math.MaxInt64, math.MaxInt64 - 1}
	for bit := range 63 {
		power := int64(1) << bit
		instants = append(instants, power-1, power, power+1)
	}
	for _, n := range []int{3, 30, len(instants)} { // in the front alone, and not
		var q queue.Queue[int]
		var want []entry
		for seq, at := range slices.Backward(instants[:n]) {
			kind := uint8(seq % queue.Kinds)
			q.Push(at, kind, n-seq)
			want = append(want, entry{at, kind, n - seq})
		}
		slices.SortFunc(want, entry.compare)
		if got := drain(&q); !slices.Equal(got, want) {
			t.Errorf("popped\n%v, want\n%v", got, want)
		}
		q.Push(math.MaxInt64, 0, 0) // the last instant can be pushed to for ever
		if e, ok := pop(&q); !ok || e.at != math.MaxInt64 {
			t.Errorf("popped %v, %v at the last instant", e, ok)
		}
	}
}

func TestAMillionEventsOfOneInstantKeepTheirOrder(t *testing.T) {
	const n = 1_000_000
	for _, at := range []int64{0, 1, 50e6, math.MaxInt64} {
		var q queue.Queue[int]
		for seq := range n {
			q.Push(at, uint8(seq%2), seq)
		}
		for i := range n {
			want := entry{at, uint8(i / (n / 2)), i*2%n + i/(n/2)}
			if got, ok := pop(&q); got != want || !ok {
				t.Fatalf("popped %v, want %v", got, want)
			}
		}
	}
}

func TestALowerKindAtNowIsNext(t *testing.T) {
	for _, n := range []int{2, 20, 200} {
		var q queue.Queue[int]
		for seq := range n {
			q.Push(7, 3, seq)
		}
		q.Pop()
		q.Push(7, 1, n)
		q.Push(7, 0, n+1)
		q.Push(7, 0, n+2)
		want := []entry{{7, 0, n + 1}, {7, 0, n + 2}, {7, 1, n}, {7, 3, 1}}
		if got := drain(&q)[:4]; !slices.Equal(got, want) {
			t.Errorf("%d: popped %v, want %v", n, got, want)
		}
	}
}

func TestPushPanics(t *testing.T) {
	tests := []struct {
		at   int64
		kind uint8
		want string
	}{
		{4, 0, "queue: push at 4, when it is 5 already"},
		{-1, 0, "queue: push at -1, when it is 5 already"},
		{5, queue.Kinds, "queue: push of kind 8, there are 8"},
	}
	for _, tt := range tests {
		var q queue.Queue[int]
		q.Push(5, 0, 0)
		q.Pop()
		func() {
			defer func() {
				if got := recover(); got != tt.want {
					t.Errorf("panic %v, want %q", got, tt.want)
				}
			}()
			q.Push(tt.at, tt.kind, 0)
		}()
		if q.Len() != 0 {
			t.Errorf("a refused event was queued")
		}
	}
}

func TestReset(t *testing.T) {
	var q queue.Queue[int]
	for _, n := range []int{0, 10, 100, 10_000} {
		for _, pops := range []int{0, 1, n / 2, n} {
			for seq := range n {
				q.Push(int64(seq%97*seq), uint8(seq%3), seq)
			}
			for range pops {
				q.Pop()
			}
			q.Reset()
			if e, ok := pop(&q); ok || q.Len() != 0 || q.Now() != 0 {
				t.Fatalf("after Reset: popped %v, length %d, now %d", e, q.Len(), q.Now())
			}
			q.Push(0, 0, -1)
			if got := drain(&q); !slices.Equal(got, []entry{{0, 0, -1}}) {
				t.Fatalf("after Reset popped %v", got)
			}
			q.Reset()
		}
	}
}

func TestNoAllocationPerEvent(t *testing.T) {
	for _, n := range []int{1, 32, 1000, 100_000} {
		var h radixHold
		h.fill(n)
		h.hold(10*n + 10_000) // blocks that a fluctuation needs are allocated by now
		if got := testing.AllocsPerRun(3, func() { h.hold(n) }); got != 0 {
			t.Errorf("%d events: %v allocations in as many holds", n, got)
		}
	}
	var q queue.Queue[int]
	wave := func() { // all at one instant, twice, and then a third that is dropped
		for seq := range 10_000 {
			q.Push(7, uint8(seq%2), seq)
		}
		for range 20_000 {
			at, kind, seq, _ := q.Pop()
			q.Push(at+100, kind, seq)
		}
		q.Reset()
	}
	if got := testing.AllocsPerRun(3, wave); got != 0 {
		t.Errorf("%v allocations in a run after Reset", got)
	}
}

func TestMemoryPerEvent(t *testing.T) {
	const n = 1_000_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var h radixHold
	h.fill(n)
	h.hold(n)
	runtime.GC()
	runtime.ReadMemStats(&after)
	got := float64(after.HeapAlloc-before.HeapAlloc) / n
	if want := 1.1 * float64(unsafe.Sizeof(event{})+16); got > want {
		t.Errorf("%.1f bytes per event, want at most %.1f", got, want)
	}
	runtime.KeepAlive(&h)
}
