package sim

import (
	"time"

	"pgregory.net/rapid"

	"labctl/faultserver/idempotency"
	"labctl/topology"
	"labctl/topology/policy"
)

// anyTime draws times that often coincide, so that ties happen.
func anyTime(t *rapid.T, name string) time.Duration {
	return time.Duration(rapid.SampledFrom([]int{0, 1, 2, 5, 10, 13, 50}).Draw(t, name)) * time.Millisecond
}

func anyDistribution(t *rapid.T, name string) topology.Distribution {
	d := topology.Always(anyTime(t, name))
	switch rapid.IntRange(0, 7).Draw(t, name+" shape") {
	case 0:
		return topology.Distribution{Shape: topology.UniformTime, A: d.A, B: d.A + 7*time.Millisecond}
	case 1:
		return topology.Distribution{Shape: topology.Exponential, A: d.A}
	case 2:
		return topology.Distribution{Shape: topology.Empirical, Values: ms(0, 3, 30)}
	}
	return d
}

func anyRetry(t *rapid.T) *policy.Retry {
	r := &policy.Retry{Attempts: rapid.IntRange(1, 4).Draw(t, "attempts")}
	if r.Rest.Base = anyTime(t, "rest"); r.Rest.Base > 0 {
		r.Rest.Backoff.Growth = rapid.SampledFrom([]policy.Growth{policy.Fixed, policy.Linear, policy.Exponential}).Draw(t, "growth")
		r.Rest.Jitter = rapid.SampledFrom([]policy.Jitter{{}, {Law: policy.Full}, {Law: policy.Proportional, Share: 500_000}, {Law: policy.Decorrelated}}).Draw(t, "jitter")
	}
	return r
}

// anyChain draws services that any client may call without meeting another.
func anyChain(t *rapid.T) topology.Topology {
	top := lab(make([]int, rapid.IntRange(1, 4).Draw(t, "layers")))
	addLoad(t, &top)
	addBehaviour(t, &top)
	return top
}

// addBehaviour says how services and calls are, where no client meets another.
func addBehaviour(t *rapid.T, top *topology.Topology) {
	for _, e := range top.Edges() {
		e.Call.Policies = []topology.Policy{{Retry: anyRetry(t)}}
		e.Call.Latency = anyDistribution(t, "latency")
	}
	for i := range top.Services[1:] {
		top.Services[i+1].Time = anyDistribution(t, "time")
		top.Services[i+1].Fault = rapid.SampledFrom([]string{"", "503", "ok", "503:30%", "reset:20%", "503@10ms..40ms", "503+delay=10ms", "503+delay=5ms:50%", "close@0s..20ms", "201", "429:50%",
			"429+retry-after=1:60%", "503+date-retry-after=1", "ok+retry-after=2", "503+raw-retry-after=soon", "lost:40%", "truncate+delay=5ms:30%",
			"slow+over=7ms", "slow+over=5ms+delay=2ms:50%", "malformed", "503+delay=uniform(1ms..9ms)"}).Draw(t, "fault")
		top.Services[i].Skew = anyTime(t, "skew") - 5*time.Millisecond
		if rapid.IntRange(0, 5).Draw(t, "speed") == 0 {
			top.Services[i+1].Speed = []topology.Speed{{From: 5 * time.Millisecond, Until: 30 * time.Millisecond}, {From: 40 * time.Millisecond, Until: time.Second, Percent: 50, To: 200}}
		}
	}
}

// addLoad draws clients, and when they ask for what.
func addLoad(t *rapid.T, top *topology.Topology) {
	top.Run.Seed = rapid.Uint64Range(0, 1000).Draw(t, "seed")
	top.Load.Herd.Clients = rapid.IntRange(1, 40).Draw(t, "clients")
	top.Load.Herd.Smear = anyTime(t, "smear")
	top.Load.Herd.Requests = rapid.IntRange(0, 3).Draw(t, "requests")
	top.Load.Herd.Think = anyDistribution(t, "think")
	top.Load.Herd.Start = anyTime(t, "start")
	if rapid.Bool().Draw(t, "pause") {
		top.Load.Herd.Pause = anyDistribution(t, "pause")
	}
	if top.Load.For = anyTime(t, "for"); top.Load.For > 0 {
		top.Load.Herd.Think.A += time.Millisecond // lets time go by
		top.Load.Herd.Requests = rapid.IntRange(1, 30).Draw(t, "requests at most")
	}
	if rapid.Bool().Draw(t, "two herds") {
		top.Load.Others = []topology.Herd{{Clients: rapid.IntRange(1, 20).Draw(t, "others"), Requests: 2, Route: rapid.SampledFrom([]string{"", "slow"}).Draw(t, "route"), Start: anyTime(t, "other start")}}
	}
}

// addVariety lets routes and replicas differ, and requests carry deadlines and keys.
func addVariety(t *rapid.T, top *topology.Topology) {
	for i := range top.Services[1:] {
		s := &top.Services[i+1]
		fault := rapid.SampledFrom([]string{"", "503", "slow+over=3ms"})
		if rapid.Bool().Draw(t, "routes") && len(top.Routes()) > 1 {
			s.Routes = []topology.RouteOf{{Route: "slow", Fault: fault.Draw(t, "fault of a route"), Time: anyDistribution(t, "time of a route")}}
		}
		if rapid.Bool().Draw(t, "replicas") {
			s.Replicas, s.Balance = 3, policy.Random
			s.Replica = []topology.ReplicaOf{{}, {Fault: fault.Draw(t, "fault of a replica")}}
		}
		s.Idempotency = rapid.SampledFrom([]idempotency.Mode{idempotency.None, idempotency.StoreAfter, idempotency.ReserveFirst, idempotency.ReserveAndWait}).Draw(t, "idempotency")
	}
	top.Load.Key = rapid.Bool().Draw(t, "key")
	for _, e := range top.Edges() {
		call := e.Call
		if rapid.Bool().Draw(t, "deadline") {
			call.Policies = append([]topology.Policy{{Deadline: &policy.Within{
				Limit: rapid.SampledFrom([]time.Duration{0, 13, 60, 400}).Draw(t, "limit") * time.Millisecond,
				Mode:  rapid.SampledFrom([]policy.DeadlineMode{policy.Kept, policy.Absolute, policy.Remaining, policy.PerHop}).Draw(t, "mode"),
				Check: rapid.Bool().Draw(t, "check"), Enforce: rapid.Bool().Draw(t, "enforce"),
			}}}, call.Policies...)
			if d := call.Policies[0].Deadline; d.Limit == 0 { // it may have nothing to end a hang with
				d.Enforce = false
			}
		}
	}
}

// addShared puts policies around the calls in which clients meet.
func addShared(t *rapid.T, top *topology.Topology) {
	for _, e := range top.Edges() {
		call := e.Call
		bulkhead := &policy.Bulkhead{Limit: rapid.IntRange(1, 5).Draw(t, "limit"), Queue: rapid.IntRange(-1, 4).Draw(t, "places")}
		switch rapid.IntRange(0, 5).Draw(t, "shared") {
		case 0:
			call.Policies = append(call.Policies, topology.Policy{Pool: bulkhead})
		case 1:
			call.Policies = append([]topology.Policy{{Bulkhead: bulkhead}}, call.Policies...)
		case 2:
			call.Policies = append(call.Policies, topology.Policy{Breaker: &policy.Breaker{Failures: 3, OpenFor: 20 * time.Millisecond}})
		case 3:
			call.Policies = append([]topology.Policy{{Fallback: &policy.Fallback{}}}, call.Policies...)
		}
	}
}

// addTimeouts bounds calls, or their attempts, and says who tells whom.
func addTimeouts(t *rapid.T, top *topology.Topology) {
	for _, e := range top.Edges() {
		call := e.Call
		call.KeepWorking = rapid.Bool().Draw(t, "keep working")
		limit := func(name string) topology.Policy {
			p := topology.Policy{Timeout: timeout(anyTime(t, name) + 5*time.Millisecond)}
			p.Timeout.Mode = rapid.SampledFrom([]policy.DeadlineMode{policy.Kept, policy.Absolute, policy.Remaining}).Draw(t, name+" sent")
			return p
		}
		switch rapid.IntRange(0, 3).Draw(t, "timeouts") {
		case 0:
			call.Policies = append(call.Policies, limit("attempt"))
		case 1:
			call.Policies = append([]topology.Policy{limit("call")}, call.Policies...)
		case 2:
			call.Policies = append([]topology.Policy{limit("call")}, append(call.Policies, limit("attempt"))...)
		}
	}
	if hang := rapid.SampledFrom([]string{"", "hang", "hang:30%", "stall+delay=2ms:30%"}).Draw(t, "hang"); hang != "" {
		before := top.Tail().Fault
		if top.Tail().Fault = hang; top.Validate() != nil { // nobody would ever wake it
			top.Tail().Fault = before
		}
	}
}

// addCapacity lets clients meet.
func addCapacity(t *rapid.T, top *topology.Topology) {
	for i := range top.Services[1:] {
		c := &top.Services[i+1].Capacity
		if c.Workers = rapid.IntRange(0, 4).Draw(t, "workers"); c.Workers > 0 {
			c.Queue = rapid.SampledFrom([]int{0, 0, 1, 5, topology.Full}).Draw(t, "queue")
			c.Order = rapid.SampledFrom([]topology.Order{topology.FIFO, topology.LIFO}).Draw(t, "order")
			c.Drop = rapid.SampledFrom([]topology.Drop{topology.DropNone, topology.DropGone, topology.DropLate}).Draw(t, "drop")
		}
		c.Replicas = rapid.IntRange(0, 3).Draw(t, "replicas")
		c.Balance = rapid.SampledFrom([]policy.BalanceLaw{policy.RoundRobin, policy.Random, policy.LeastInFlight}).Draw(t, "balance")
	}
	if rapid.Bool().Draw(t, "open") {
		top.Load.Rate.At = make([]time.Duration, rapid.IntRange(1, 60).Draw(t, "arrivals"))
		for i := range top.Load.Rate.At {
			top.Load.Rate.At[i] = time.Duration(i/3) * 2 * time.Millisecond
		}
		top.Load.Rate.Workers = rapid.IntRange(0, 5).Draw(t, "load workers")
	}
}
