package sim

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/sim/queue"
)

// The herd that is measured: three attempts, a rest of 100 ms ± 50 %.
var jittered = set("services.client.calls.a.retry.rest=100ms", "services.client.calls.a.retry.jitter=50%")

// BenchmarkIndependent compares clients that share nothing with a loop without
// any ordering, policy or model: a random rest, an entry in a bin, nothing else.
// Per core, so run it with -cpu 1.
func BenchmarkIndependent(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { compare(b, lab([]int{3}, herd(n), jittered), fastest, noQueue) })
	}
}

// BenchmarkNested is the same for three layers of three attempts, per hit.
func BenchmarkNested(b *testing.B) {
	compare(b, lab([]int{3, 3, 3}, herd(100_000)), fastest, noQueue)
}

// BenchmarkCoupled compares clients in one event loop, all in flight at once,
// with a bare queue that does as many pops and pushes.
func BenchmarkCoupled(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			compare(b, lab([]int{3}, herd(n), jittered, workers(topology.MaxWorkers, 0)), fastest, bareQueue)
		})
	}
}

// compare runs the model and a floor in turn and reports the median of the
// ratios of their rates.
func compare(b *testing.B, top topology.Topology, w way, floor func(clients int) (hits int64)) {
	var ratios, rates, floors []float64
	for b.Loop() {
		model := hitsPerSecond(func() int64 {
			v, _ := mustRun(b, top, Options{way: w})
			return v.Hits
		})
		bare := hitsPerSecond(func() int64 { return floor(top.Load.Herd.Clients) })
		ratios, rates, floors = append(ratios, model/bare), append(rates, model/1e6), append(floors, bare/1e6)
	}
	for what, values := range map[string][]float64{"of-floor": ratios, "Mhits/s": rates, "floor-Mhits/s": floors} {
		slices.Sort(values)
		b.ReportMetric(values[len(values)/2], what)
	}
}

func hitsPerSecond(f func() int64) float64 {
	runtime.GC()
	start := time.Now()
	hits := f()
	return float64(hits) / time.Since(start).Seconds()
}

// sink keeps the floors' work from being optimised away.
var sink int64

// draw is a random rest by the standard library.
func draw(r *rand.Rand) time.Duration {
	return 50*time.Millisecond + time.Duration(r.Int64N(int64(100*time.Millisecond)))
}

func noQueue(clients int) int64 {
	var bins [16]int64
	r := rand.New(rand.NewPCG(1, 2))
	for range clients {
		var at time.Duration
		for range 3 {
			bins[at/(50*time.Millisecond)]++
			at += draw(r)
		}
	}
	sink += bins[3]
	return 3 * int64(clients)
}

func bareQueue(clients int) int64 {
	var q queue.Queue[event]
	r := rand.New(rand.NewPCG(1, 2))
	for i := range clients {
		q.Push(0, arrivals, event{job: int32(i)})
	}
	var hits int64
	for {
		at, _, ev, ok := q.Pop()
		if !ok {
			return hits
		}
		if hits++; ev.gen < 2 {
			ev.gen++
			q.Push(at+int64(draw(r)), retries, ev)
		}
	}
}
