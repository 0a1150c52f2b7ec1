package sim

import (
	"math"
	"testing"
	"time"

	"labctl/topology"
)

// queueing is an open loop of Poisson arrivals at a tail, that many requests long.
func queueing(perSecond, requests int, c topology.Capacity) topology.Topology {
	return lab([]int{1}, set("services.a.fault=ok"), rate(int64(perSecond), time.Duration(requests)*time.Second/time.Duration(perSecond)),
		tail(func(to *topology.Capacity) { *to = c }), func(top *topology.Topology) { top.Load.Rate.Poisson = true })
}

// What queueing theory says of one worker: Pollaczek and Khinchine's mean wait,
// ρ/(1−ρ) × S × (1+c²)/2, with c² 0 of constant and 1 of exponential times.
func TestMeanWait(t *testing.T) {
	longUnderRace(t)
	const n = 200_000
	for _, tt := range []struct {
		what   string
		time   topology.Distribution
		load   int // per second, of a service that takes 1 ms
		within float64
		want   float64 // mean wait in ms
	}{
		{"M/D/1 at 50 %", topology.Always(time.Millisecond), 500, 0.02, 0.5},
		{"M/D/1 at 80 %", topology.Always(time.Millisecond), 800, 0.06, 2},
		{"M/M/1 at 50 %", topology.Distribution{Shape: topology.Exponential, A: time.Millisecond}, 500, 0.04, 1},
		{"M/M/1 at 80 %", topology.Distribution{Shape: topology.Exponential, A: time.Millisecond}, 800, 0.1, 4},
	} {
		var total, busy time.Duration
		requests := 0
		o := run(t, queueing(tt.load, n, topology.Capacity{Workers: 1, Time: tt.time}))
		for i, r := range o.requests {
			total += r.latency()
			requests++
			if i == 0 || o.requests[i-1].end < r.start { // it found nobody
				busy += r.latency()
			} else {
				busy += r.end.Sub(o.requests[i-1].end)
			}
		}
		near(t, tt.what+": requests", float64(requests), n, 0.01)
		wait := float64(total-busy) / float64(requests) / 1e6
		near(t, tt.what+": mean wait", wait, tt.want, tt.within)
		near(t, tt.what+": utilisation", busy.Seconds()/(n/float64(tt.load)), float64(tt.load)/1000, 0.01)
	}
}

// Little's law: the mean number of requests in the system is their rate times
// the mean time that each spends there. The number is counted by looking at
// instants between events.
func TestLittlesLaw(t *testing.T) {
	longUnderRace(t)
	o := run(t, queueing(1800, 200_000, topology.Capacity{Workers: 2, Time: topology.Distribution{Shape: topology.UniformTime, B: 2 * time.Millisecond}}))
	var total time.Duration
	changes := map[int64]int{}
	const look = int64(10 * time.Millisecond)
	for _, r := range o.requests {
		total += r.latency()
		changes[(int64(r.start)+look-1)/look]++
		changes[(int64(r.end)+look-1)/look]--
	}
	looks := int64(o.ElapsedMS*1e6) / look
	inside, sum := 0, 0
	for i := range looks {
		inside += changes[i]
		sum += inside
	}
	number := float64(sum) / float64(looks)
	near(t, "number in the system", number, float64(o.Requests)/(o.ElapsedMS/1000)*(total.Seconds()/float64(o.Requests)), 0.03)
	if number < 2 {
		t.Errorf("%.2f requests in the system on average: that is no queue", number)
	}
}

// Service times by hashed luck have the mean of their distribution, within four
// standard errors; a constant one is exact.
func TestServiceTimes(t *testing.T) {
	const n = 40_000
	const S = 10 * time.Millisecond
	for _, tt := range []struct {
		d              topology.Distribution
		mean, variance float64 // ms
	}{
		{topology.Always(S), 10, 0},
		{topology.Distribution{Shape: topology.UniformTime, A: S, B: 3 * S}, 20, 400.0 / 12},
		{topology.Distribution{Shape: topology.Exponential, A: S}, 10, 100},
		{topology.Distribution{Shape: topology.LogNormal, A: S, Sigma: 0.5}, 10 * math.Exp(0.125), 100 * math.Exp(0.25) * (math.Exp(0.25) - 1)},
		{topology.Distribution{Shape: topology.Empirical, Values: ms(0, 10, 50)}, 20, (400 + 100 + 900) / 3.0},
	} {
		total := 0.0
		o := run(t, lab([]int{1}, herd(n), set("services.a.fault=ok"), tail(func(c *topology.Capacity) { c.Time = tt.d })))
		for _, r := range o.requests {
			total += float64(r.latency()) / 1e6
		}
		slack := 4*math.Sqrt(tt.variance/n) + 1e-9
		between(t, "mean of "+tt.d.String(), total/n, tt.mean-slack, tt.mean+slack)
	}
}
