package sim

import (
	"testing"
	"time"

	"labctl/topology"
)

// Three attempts at a and three at b, of 60 ms each, under a deadline of 300 ms:
// how many hits the tail gets, and when the client has its answer, depends on how
// the deadline travels, and on the clocks that it meets.
func TestDeadlines(t *testing.T) {
	const limit = "services.client.calls.a.deadline.limit=300ms"
	mode := func(mode string) change {
		return set(limit, "services.client.calls.a.deadline.mode="+mode, "services.client.calls.a.deadline.check=true",
			"services.a.calls.b.deadline.mode="+mode, "services.a.calls.b.deadline.check=true",
			"services.b.calls.c.deadline.mode="+mode, "services.b.calls.c.deadline.check=true")
	}
	skew := func(name string, d time.Duration) change {
		return func(top *topology.Topology) { top.Service(name).Skew = d }
	}
	delayed := set("services.b.fault=ok+delay=50ms")
	const short = 200 * time.Millisecond
	for _, tt := range []struct {
		what   string
		change []change
		hits   int64
		end    int
	}{
		{"none", nil, 9, 540},
		{"only the client's, which makes one attempt", []change{set(limit, "services.client.calls.a.deadline.check=true")}, 9, 540},
		{"not sent on", []change{mode("none")}, 9, 540},
		{"absolute", []change{mode("absolute")}, 5, 300},
		{"remaining", []change{mode("remaining")}, 5, 300},
		{"every hop starts it anew", []change{mode("per-hop")}, 6, 360},
		{"absolute, b is ahead and believes that it has passed", []change{mode("absolute"), skew("b", short)}, 2, 120},
		{"absolute, b is behind and believes that there is time", []change{mode("absolute"), skew("b", -short)}, 6, 360},
		{"absolute, the client is ahead and gives too much", []change{mode("absolute"), skew("client", short)}, 9, 540},
		{"all clocks are wrong alike", []change{mode("absolute"), skew("client", short), skew("a", short), skew("b", short)}, 5, 300},
		{"a duration needs no clocks that agree", []change{mode("remaining"), skew("b", short)}, 5, 300},
		{"but forgets what passes before its clock starts", []change{mode("remaining"), delayed}, 5, 400},
		{"as an instant does not", []change{mode("absolute"), delayed}, 4, 340},
	} {
		o := run(t, lab([]int{1, 3, 3}, append(tt.change, set("services.c.fault=503+delay=60ms"))...))
		equal(t, tt.what+": hits", o.Hits, tt.hits)
		same(t, tt.what+": end", o.ends(), ms(tt.end))
	}
}

// A remaining duration does not count on the network either, nor in a queue.
func TestARemainingDurationForgetsTheWay(t *testing.T) {
	const a = "services.a.calls.b.deadline."
	deadline := set("services.client.calls.a.deadline.limit=100ms", "services.client.calls.a.deadline.mode=remaining", a+"check=true")
	for _, tt := range []struct {
		what   string
		change change
		hits   []time.Duration
	}{
		{"at once", set(), ms(0, 60)},
		{"50 ms on the way", slow(50 * time.Millisecond), ms(50, 110)},
		{"50 ms of work", func(top *topology.Topology) { top.Services[1].Time = topology.Always(50 * time.Millisecond) }, ms(50, 110)},
	} {
		o := run(t, lab([]int{1, 5}, deadline, set("services.b.fault=503+delay=60ms"), tt.change))
		same(t, tt.what, o.at(), tt.hits)
		equal(t, tt.what+": a saw that it was late", o.Layers[1].Late, 1)
	}
}
