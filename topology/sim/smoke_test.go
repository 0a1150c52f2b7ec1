package sim

import (
	"context"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

func herd(n int) topology.Topology {
	t := topology.Topology{Load: topology.Load{Herd: topology.Herd{Clients: n}}, Services: topology.Chain(3), Run: topology.Run{Bin: 50 * time.Millisecond, Seed: 1}}
	r := t.Services[0].Calls[0].Policies[0].Retry
	r.Rest.Base = 100 * time.Millisecond
	r.Rest.Jitter = policy.Jitter{Law: policy.Proportional, Share: 500000}
	return t
}

func TestSmoke(t *testing.T) {
	for _, general := range []bool{false, true} {
		start := time.Now()
		v, w, err := Run(context.Background(), herd(1000000), Options{general: general})
		t.Log(v.Hits, v.Bins, v.LatencyMS, w, err, time.Since(start))
		top := topology.Topology{Load: topology.Load{Herd: topology.Herd{Clients: 10000}}, Services: topology.Chain(3, 3, 3), Run: topology.Run{Bin: 50 * time.Millisecond, Seed: 1}}
		start = time.Now()
		v, w, err = Run(context.Background(), top, Options{general: general})
		t.Log(v.Hits, v.Bins, v.LatencyMS, w, err, time.Since(start))
	}
	top := herd(1000000)
	top.Tail().Workers = 10_000_000
	start := time.Now()
	v, w, err := Run(context.Background(), top, Options{})
	t.Log(v.Hits, v.Bins, v.LatencyMS, w, err, time.Since(start))
}
