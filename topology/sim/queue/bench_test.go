package queue_test

import (
	"fmt"
	"testing"
	"time"

	"labctl/topology/sim/queue"
)

// event has the size of a simulated one.
type event struct{ call, edge, path uint64 }

func numbered(i int) event { return event{uint64(i), 1, 2} }

// draws is a cheap stream, so that the queues are measured and not their input.
type draws uint64

// rest is U[50, 150] ms.
func (d *draws) rest() int64 {
	*d = *d*6364136223846793005 + 1442695040888963407
	return 50e6 + int64(uint64(*d)>>32*100e6>>32)
}

// contender is one way to keep the events. The three have the same methods but
// no common push and pop: a call through an interface would cost as much as a
// short queue does.
type contender interface {
	fill(n int)    // with events at 50 to 150 ms
	hold(n int)    // n times: pop the first, push it back 50 to 150 ms later
	instant(n int) // push n events at one instant, pop them
}

type radixHold struct {
	queue.Queue[event]
	draws draws
}

func (h *radixHold) fill(n int) {
	for i := range n {
		h.Push(h.draws.rest(), 0, numbered(i))
	}
}

func (h *radixHold) hold(n int) {
	for range n {
		at, kind, e, _ := h.Pop()
		h.Push(at+h.draws.rest(), kind, e)
	}
}

func (h *radixHold) instant(n int) {
	h.Reset()
	for i := range n {
		h.Push(50e6, 0, numbered(i))
	}
	for range n {
		h.Pop()
	}
}

type quadHold struct {
	quad
	draws draws
}

func (h *quadHold) fill(n int) {
	for i := range n {
		h.push(h.draws.rest(), numbered(i))
	}
}

func (h *quadHold) hold(n int) {
	for range n {
		at, e := h.pop()
		h.push(at+h.draws.rest(), e)
	}
}

func (h *quadHold) instant(n int) {
	for i := range n {
		h.push(50e6, numbered(i))
	}
	for range n {
		h.pop()
	}
}

type boxedHold struct {
	boxed
	draws draws
}

func (h *boxedHold) fill(n int) {
	for i := range n {
		h.push(h.draws.rest(), numbered(i))
	}
}

func (h *boxedHold) hold(n int) {
	for range n {
		at, e := h.pop()
		h.push(at+h.draws.rest(), e)
	}
}

func (h *boxedHold) instant(n int) {
	for i := range n {
		h.push(50e6, numbered(i))
	}
	for range n {
		h.pop()
	}
}

// race measures the contenders in turn, round by round, so that what else the
// machine does meets all of them: ratios travel, nanoseconds do not.
func race(b *testing.B, contenders []contender, events int, round func(contender)) {
	spent := make([]time.Duration, len(contenders))
	for b.Loop() {
		for i, c := range contenders {
			start := time.Now()
			round(c)
			spent[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(spent[0])/float64(b.N*events), "ns/event")
	b.ReportMetric(float64(spent[1])/float64(spent[0]), "×4ary")
	b.ReportMetric(float64(spent[2])/float64(spent[0]), "×container/heap")
	b.ReportMetric(0, "ns/op") // of all three together: says nothing
}

// BenchmarkHold measures pop and push in a queue of constant length.
func BenchmarkHold(b *testing.B) {
	for _, n := range []int{1, 2, 3, 4, 16, 64, 1e3, 1e4, 1e5, 1e6} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			contenders := []contender{new(radixHold), new(quadHold), new(boxedHold)}
			for _, c := range contenders {
				c.fill(n)
				c.hold(2 * n)
			}
			// Long enough a round that a contender warms the caches for itself.
			holds := min(max(n/4, 1<<14), 1<<17)
			race(b, contenders, holds, func(c contender) { c.hold(holds) })
		})
	}
}

// BenchmarkInstant measures push and pop when all events share one instant.
func BenchmarkInstant(b *testing.B) {
	for _, n := range []int{1e3, 1e6} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			contenders := []contender{new(radixHold), new(quadHold), new(boxedHold)}
			race(b, contenders, n, func(c contender) { c.instant(n) })
		})
	}
}

// BenchmarkAtOnce adds an event at Now to each hold, like a reply without
// latency.
func BenchmarkAtOnce(b *testing.B) {
	for _, n := range []int{1, 4, 28, 1e3, 1e6} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			h := new(radixHold)
			h.fill(n)
			h.hold(2 * n)
			for b.Loop() {
				at, _, e, _ := h.Pop()
				h.Push(at, 0, e)
				at, _, e, _ = h.Pop()
				h.Push(at+h.draws.rest(), 3, e)
			}
		})
	}
}
