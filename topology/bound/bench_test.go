package bound_test

import (
	"fmt"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/bound"
	"labctl/topology/policy"
)

// big is 1 000 services in 50 layers, each of which calls ten of the next layers.
func big() topology.Topology {
	const width, layers, fan = 20, 50, 10
	name := func(i int) string {
		if i == 0 {
			return topology.ClientName
		}
		return fmt.Sprintf("s%d", i)
	}
	top := topology.Topology{Load: topology.Load{Herd: topology.Herd{Clients: 100}}, Run: topology.Run{Bin: time.Second}}
	for i := range width*layers + 1 {
		s := topology.Service{Name: name(i), Capacity: topology.Capacity{Time: topology.Always(time.Millisecond)}}
		first, n := (i+width-1)/width*width+1, fan // of the next layer
		if i == 0 {
			first, n = 1, width
		}
		for k := range n {
			if to := first + (i+k)%width; to <= width*layers {
				s.Calls = append(s.Calls, topology.Call{To: name(to), Policies: []topology.Policy{
					{Budget: &policy.Budget{}},
					{Retry: &policy.Retry{Attempts: 3, Rest: policy.Rest{Base: time.Duration(i+1) * time.Millisecond, Backoff: policy.Backoff{Growth: policy.Exponential}, Cap: time.Minute}}},
					{Breaker: &policy.Breaker{}}, {Timeout: &policy.TimeoutAfter{Limit: time.Second}},
				}})
			}
		}
		top.Services = append(top.Services, s)
	}
	return top
}

// A file of 1 000 services and 10 000 calls is bounded in well under a second.
func BenchmarkOf(b *testing.B) {
	top := big()
	for b.Loop() {
		bound.Of(&top)
	}
	b.ReportMetric(float64(len(top.Services)), "services")
	b.ReportMetric(float64(len(top.Edges())), "calls")
}
