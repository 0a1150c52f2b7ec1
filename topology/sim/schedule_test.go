package sim

import (
	"math"
	"testing"
	"time"

	"labctl/topology"
)

// instants are the arrivals of an open loop before an end.
func instants(r topology.Rate, until time.Duration) []time.Duration {
	var out []time.Duration
	s := topology.NewSchedule(r, 1)
	for {
		at, ok := s.Next()
		if !ok || time.Duration(at) >= until {
			return out
		}
		out = append(out, time.Duration(at))
	}
}

func TestEvenArrivals(t *testing.T) {
	step := func(from, milli int) topology.RateStep {
		return topology.RateStep{From: ms(from)[0], Milli: int64(milli)}
	}
	for _, tt := range []struct {
		what  string
		steps []topology.RateStep
		want  []time.Duration
	}{
		{"every 100 ms", []topology.RateStep{step(0, 10_000)}, ms(0, 100, 200, 300, 400)},
		{"from a later instant", []topology.RateStep{step(250, 10_000)}, ms(250, 350, 450)},
		{"twice as often from 200 ms, which belongs to the new rate", []topology.RateStep{step(0, 10_000), step(200, 20_000)}, ms(0, 100, 200, 250, 300, 350, 400, 450)},
		{"each step counts from its own start", []topology.RateStep{step(0, 10_000), step(150, 10_000)}, ms(0, 100, 150, 250, 350, 450)},
		{"a pause", []topology.RateStep{step(0, 10_000), step(100, 0), step(400, 10_000)}, ms(0, 400)},
		{"and the end", []topology.RateStep{step(0, 10_000), step(200, 0)}, ms(0, 100)},
		{"a step that is too short for its rate has its start", []topology.RateStep{step(0, 1), step(300, 10_000)}, ms(0, 300, 400)},
		{"two steps of one instant: the later holds", []topology.RateStep{step(0, 1000_000), step(0, 5_000)}, ms(0, 200, 400)},
	} {
		same(t, tt.what, instants(topology.Rate{Steps: tt.steps}, 500*time.Millisecond), tt.want)
	}
	same(t, "given instants", instants(topology.Rate{At: ms(3, 3, 7)}, time.Hour), ms(3, 3, 7))

	// Rounding does not add up: the millionth arrival at 3 per second is at a
	// third of a million seconds.
	third := instants(topology.Rate{Steps: []topology.RateStep{step(0, 3_000)}}, 333_334*time.Second)
	equal(t, "arrival 1,000,000", third[1_000_000], time.Duration(1_000_000_000_000_000/3))
}

// Poisson arrivals have the mean of their rate, gaps that are exponential, and a
// rate that changes with its step.
func TestPoissonArrivals(t *testing.T) {
	at := instants(topology.Rate{Poisson: true, Steps: []topology.RateStep{{Milli: 1000_000}, {From: 100 * time.Second, Milli: 4000_000}}}, 200*time.Second)
	paused := instants(topology.Rate{Poisson: true, Steps: []topology.RateStep{{Milli: 1000_000}, {From: time.Second}, {From: 2 * time.Second, Milli: 1000_000}}}, 3*time.Second)
	for _, d := range paused {
		if d >= time.Second && d < 2*time.Second {
			t.Fatalf("an arrival at %v, in the pause", d)
		}
	}
	between(t, "arrivals around a pause", len(paused), 1850, 2150)

	first, longer := 0, 0
	for i, d := range at {
		if d < 100*time.Second {
			first++
			if i > 0 && d-at[i-1] > time.Millisecond {
				longer++
			}
		}
		if i > 0 && d < at[i-1] {
			t.Fatalf("arrival %d at %v after one at %v", i, d, at[i-1])
		}
	}
	near(t, "arrivals in 100 s at 1,000 per second", float64(first), 100_000, 0.01)
	near(t, "arrivals in 100 s at 4,000 per second", float64(len(at)-first), 400_000, 0.005)
	near(t, "share of gaps over the mean", float64(longer)/float64(first), math.Exp(-1), 0.02)
}

// A closed loop with think time: each client asks again a while after its answer.
func TestThinkTime(t *testing.T) {
	for _, w := range []way{fastest, general, coupled} {
		top := lab([]int{1}, set("services.a.fault=ok", "load.herd.requests=3"), takes(10*time.Millisecond))
		top.Load.Herd.Think = topology.Always(30 * time.Millisecond)
		var at []time.Duration
		v, _ := mustRun(t, top, Options{way: w, Arrivals: func(a topology.Arrival) { at = append(at, time.Duration(a.At)) }})
		same(t, "hits", at, ms(0, 40, 80))
		equal(t, "end", v.ElapsedMS, 90)
	}
}

// Workers of an open loop: what is due while all are busy goes out as soon as one
// is free, in order.
func TestWorkersOfAnOpenLoop(t *testing.T) {
	o := run(t, lab([]int{1}, set("services.a.fault=ok"), takes(25*time.Millisecond), arriving(ms(0, 10, 20, 30, 200)...),
		func(top *topology.Topology) { top.Load.Rate.Workers = 2 }))
	same(t, "hits", o.at(), ms(0, 10, 25, 35, 200))
	var latencies []time.Duration
	for _, r := range o.requests {
		latencies = append(latencies, r.latency())
	}
	same(t, "latencies from when they were due", latencies, ms(25, 25, 30, 30, 25))
}
