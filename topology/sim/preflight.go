package sim

import (
	"fmt"
	"math"

	"labctl/topology"
	"labctl/topology/policy"
)

// perClient is the memory of one client in flight that shares something with
// others: its frames, its jobs and the events that wait for it.
const perClient = 400

// atOnce is how many attempts one client can have in flight if none is made twice:
// one, and one more for each call that is made beside another.
func atOnce(services []topology.Service) int64 {
	n := int64(1)
	for _, s := range services {
		if s.Parallel && len(s.Calls) > 1 {
			n += int64(len(s.Calls) - 1)
		}
	}
	return n
}

// MaxArrivals bounds the requests of an open loop.
const MaxArrivals = 10_000_000_000

// Check refuses what does not fit into so many bytes of memory, 0 for unknown.
// Clients that share nothing need none, however many there are.
func Check(t topology.Topology, memory int64) error {
	p, err := newPlan(t)
	if err != nil {
		return err
	}
	if t.Load.Open() {
		if n := arrivalsOf(t); n > MaxArrivals {
			return fmt.Errorf("load.rate: %d requests until %v are over the limit of %d: lower the rate or end the run sooner", n, t.Horizon(), int64(MaxArrivals))
		}
		return nil
	}
	need := int64(t.Load.Clients()) * perClient * atOnce(t.Services)
	if memory > 0 && !p.independent() && need > memory {
		return fmt.Errorf("%d clients that share a service need about %d MiB of memory, and %d MiB are free: use fewer clients",
			t.Load.Clients(), need>>20, memory>>20)
	}
	return nil
}

// arrivalsOf is the number of requests of an open loop, saturating.
func arrivalsOf(t topology.Topology) int64 {
	if n := len(t.Load.Rate.At); n > 0 {
		return int64(n)
	}
	var sum float64
	steps := t.Load.Rate.Steps
	for i, s := range steps {
		end := policy.Instant(t.Horizon())
		if i+1 < len(steps) {
			end = min(end, policy.Instant(steps[i+1].From))
		}
		if from := policy.Instant(s.From); end > from {
			sum += float64(end-from) * float64(s.Milli) / 1e12
		}
	}
	return int64(min(sum, math.MaxInt64/2))
}

// MaxHits is the worst case of a run: a day's work for one core.
const MaxHits = 1_000_000_000_000

// CheckHits refuses more hits than can be worked off.
func CheckHits(t topology.Topology) error {
	if field, is := t.Timeless(); is {
		return fmt.Errorf("%s: nothing that these clients do takes time, so in virtual time they would ask for ever at one instant: say a think time, a service time or a latency, or run it live", field)
	}
	if p, err := newPlan(t); err == nil && t.Fleet() && !p.independent() {
		return fmt.Errorf("per_client: clients that share a service's capacity or a policy run together, and would share the budget, too: leave out what they share, or per_client")
	}
	if hits := t.WorstHits(); hits > MaxHits && t.Horizon() == 0 {
		return fmt.Errorf("up to %d hits on the tail are over the limit of %d: use fewer attempts, layers, clients or requests, or give the run an end", hits, int64(MaxHits))
	}
	return nil
}
