package bound_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/topology"
	"labctl/topology/bound"
	"labctl/topology/policy"
	"labctl/topology/sim"
)

func anyTime(t *rapid.T, name string) time.Duration {
	return time.Duration(rapid.SampledFrom([]int{0, 1, 2, 5, 10, 13, 50}).Draw(t, name)) * time.Millisecond
}

func anyDistribution(t *rapid.T, name string) topology.Distribution {
	d := topology.Always(anyTime(t, name))
	switch rapid.IntRange(0, 5).Draw(t, name+" shape") {
	case 0:
		return topology.Distribution{Shape: topology.UniformTime, A: d.A, B: d.A + 7*time.Millisecond}
	case 1:
		return topology.Distribution{Shape: topology.Empirical, Values: []time.Duration{0, 3 * time.Millisecond, 30 * time.Millisecond}}
	}
	return d
}

func anyRetry(t *rapid.T) topology.Policy {
	r := &policy.Retry{Attempts: rapid.IntRange(1, 4).Draw(t, "attempts")}
	if r.Rest.Base = anyTime(t, "rest"); r.Rest.Base > 0 {
		r.Rest.Backoff.Growth = rapid.SampledFrom([]policy.Growth{policy.Fixed, policy.Linear, policy.Exponential}).Draw(t, "growth")
		r.Rest.Jitter = rapid.SampledFrom([]policy.Jitter{{}, {Law: policy.Full}, {Law: policy.Equal}, {Law: policy.Proportional, Share: 500_000}, {Law: policy.Decorrelated}}).Draw(t, "jitter")
		if rapid.Bool().Draw(t, "cap") {
			r.Rest.Cap = r.Rest.Base + anyTime(t, "above")
			r.Rest.Order = rapid.SampledFrom([]policy.Order{policy.CapThenJitter, policy.JitterThenCap}).Draw(t, "order")
			if r.Rest.Jitter.Law != policy.Decorrelated {
				r.Rest.AtCap = rapid.SampledFrom([]policy.AtCap{policy.Hold, policy.Stop}).Draw(t, "at cap")
			}
		}
	}
	if rapid.IntRange(0, 2).Draw(t, "elapsed") == 0 {
		r.MaxElapsed = anyTime(t, "max elapsed")
		r.Rule = rapid.SampledFrom([]policy.ElapsedRule{policy.AfterRest, policy.BeforeRest}).Draw(t, "rule")
	}
	r.RepeatableOnly = rapid.IntRange(0, 4).Draw(t, "repeatable only") == 0
	return topology.Policy{Retry: r}
}

// anyOther draws a policy that stands around or inside the retry.
func anyOther(t *rapid.T) topology.Policy {
	switch rapid.IntRange(0, 7).Draw(t, "kind") {
	case 0, 1:
		return topology.Policy{Timeout: &policy.TimeoutAfter{Limit: anyTime(t, "timeout") + time.Millisecond,
			Mode: rapid.SampledFrom([]policy.DeadlineMode{policy.Kept, policy.Absolute, policy.Remaining}).Draw(t, "sent")}}
	case 2, 3:
		return topology.Policy{Deadline: &policy.Within{
			Limit: rapid.SampledFrom([]time.Duration{0, 13, 60, 400}).Draw(t, "limit") * time.Millisecond,
			Mode:  rapid.SampledFrom([]policy.DeadlineMode{policy.Kept, policy.Absolute, policy.Remaining, policy.PerHop}).Draw(t, "mode"),
			Check: rapid.Bool().Draw(t, "check"), Enforce: rapid.Bool().Draw(t, "enforce"),
		}}
	case 4:
		return topology.Policy{Hedge: &policy.Hedge{Delay: anyTime(t, "delay") + time.Millisecond, Max: rapid.IntRange(2, 3).Draw(t, "max")}}
	case 5:
		return topology.Policy{Bulkhead: &policy.Bulkhead{Limit: rapid.IntRange(1, 3).Draw(t, "places"), Queue: rapid.SampledFrom([]int{-1, 0, 2}).Draw(t, "queue")}}
	case 6:
		return topology.Policy{Breaker: &policy.Breaker{Failures: 3, OpenFor: 20 * time.Millisecond}}
	}
	return topology.Policy{Budget: &policy.Budget{Law: rapid.SampledFrom([]policy.BudgetLaw{policy.Deposit, policy.Active, policy.PerRequest}).Draw(t, "law"), Floor: policy.NoFloor}}
}

// anyStack draws up to two retries with others around, between and inside.
func anyStack(t *rapid.T) (stack []topology.Policy) {
	for i := range rapid.IntRange(0, 4).Draw(t, "policies") {
		p := anyOther(t)
		if rapid.IntRange(0, 2).Draw(t, "retry") == 0 || i == 1 {
			p = anyRetry(t)
		}
		if b := p.Bulkhead; b != nil && b.Queue >= 0 && rapid.Bool().Draw(t, "wait") {
			b.Wait = anyTime(t, "longest wait")
		}
		p.Name = fmt.Sprintf("p%d", i)
		stack = append(stack, p)
	}
	return stack
}

func anyChain(t *rapid.T) topology.Topology {
	top := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: rapid.IntRange(1, 8).Draw(t, "clients"), Requests: rapid.IntRange(1, 2).Draw(t, "requests")}},
		Services: topology.Chain(make([]int, rapid.IntRange(1, 3).Draw(t, "layers"))...),
		Run:      topology.Run{Seed: uint64(rapid.IntRange(0, 1000).Draw(t, "seed")), Bin: 50 * time.Millisecond},
	}
	top.Load.Method = rapid.SampledFrom([]string{"", "POST"}).Draw(t, "method")
	for i := range top.Services[1:] {
		call, s := &top.Services[i].Calls[0], &top.Services[i+1]
		call.Policies, call.Latency = anyStack(t), anyDistribution(t, "latency")
		call.KeepWorking = rapid.Bool().Draw(t, "keep working")
		s.Time = anyDistribution(t, "time")
		s.Fault = rapid.SampledFrom([]string{"", "503", "503:50%", "reset:60%", "503+delay=10ms", "503+retry-after=1:60%", "503+date-retry-after=1",
			"slow+over=7ms", "503+delay=uniform(1ms..9ms)", "hang:30%", "hang", "stall:30%", "lost"}).Draw(t, "fault")
		s.Skew = anyTime(t, "skew") - 5*time.Millisecond
		switch rapid.IntRange(0, 3).Draw(t, "capacity") {
		case 0:
			s.Workers, s.Queue = rapid.IntRange(1, 3).Draw(t, "workers"), rapid.SampledFrom([]int{0, 1, 5, topology.Full}).Draw(t, "service queue")
			s.Drop = rapid.SampledFrom([]topology.Drop{topology.DropNone, topology.DropGone, topology.DropLate}).Draw(t, "drop")
		case 1:
			s.Speed = []topology.Speed{{From: 5 * time.Millisecond, Until: 30 * time.Millisecond}, {From: 40 * time.Millisecond, Until: 90 * time.Millisecond, Percent: 50, To: 200}}
		}
	}
	return top
}

// No run gets above the bound, whatever the policies and the services do: neither
// the hits nor the time of any request.
func TestNoRunIsAboveTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := anyChain(t)
		if err := top.Validate(); err != nil {
			t.Skip(err)
		}
		report := bound.Of(&top)
		longest := time.Duration(0)
		v, _, err := sim.Run(context.Background(), top, sim.Options{Ended: func(start, end policy.Instant, _ policy.Outcome) {
			longest = max(longest, end.Sub(start))
		}})
		if err != nil {
			t.Fatal(err)
		}
		client := report.Services[0].Time
		if longest > client.Worst || longest > client.Answering {
			t.Errorf("a request took %v, the bound is %+v", longest, client)
		}
		for i, s := range report.Services {
			if s.Time.Worst < s.Time.Answering {
				t.Errorf("%s: the worst case is below what it takes while all answer: %+v", s.Name, s.Time)
			}
			if got, most := v.Layers[i].Requests, topology.SatMul(s.Hits, v.Requests); got > most {
				t.Errorf("%d hits on %s, the bound is %d", got, s.Name, most)
			}
		}
	})
}

// anyGraph draws a small graph whose calls only retry.
func anyGraph(t *rapid.T) topology.Topology {
	n := rapid.IntRange(2, 8).Draw(t, "services")
	top := topology.Topology{Load: topology.Load{Herd: topology.Herd{Clients: 1}}, Run: topology.Run{Bin: time.Second}}
	for i := range n {
		s := topology.Service{Name: topology.LayerName(i)}
		for to := i + 1; to < n; to++ {
			if to == i+1 || rapid.Bool().Draw(t, "calls") {
				attempts := rapid.IntRange(1, 4).Draw(t, "attempts")
				s.Calls = append(s.Calls, topology.Call{To: topology.LayerName(to), Policies: []topology.Policy{{Retry: &policy.Retry{Attempts: attempts}}}})
			}
		}
		top.Services = append(top.Services, s)
	}
	return top
}
