package sim

import (
	"runtime/debug"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// At one instant replies come first, then timeouts and callers leaving, then
// retries, then new arrivals, and within a kind insertion order. Each row is a
// tie that goes the other way when two kinds are swapped.
func TestOrderOfTies(t *testing.T) {
	const client = "services.client.calls.a."
	keep := set(client + "keep_working=true")
	for _, tt := range []struct {
		what  string
		top   topology.Topology
		words string
		hits  []time.Duration
	}{
		{"a reply at the instant of its timeout wins",
			lab([]int{1}, set("services.a.fault=ok+delay=1s", client+"timeout=1s")), "200", ms(0)},
		{"a nanosecond later it does not",
			lab([]int{1}, set("services.a.fault=ok+delay=1000000001ns", client+"timeout=1s")), "timeout", ms(0)},
		{"a reply over the network too",
			lab([]int{1}, set("services.a.fault=ok", client+"timeout=1s"), slow(500*time.Millisecond)), "200", ms(500)},
		{"a worker that becomes free at the instant of a timeout serves the next, whose caller leaves then",
			lab([]int{1}, set("services.a.fault=ok", client+"timeout=1s"), keep, arriving(ms(0, 0)...), workers(1, time.Second)), "200 timeout", ms(0, 0)},
		{"a timeout comes before a retry: the worker is free for it",
			lab([]int{2}, set("services.a.fault=ok+delay=2s,ok", client+"timeout=1s", client+"retry.rest=1s"), arriving(0, 0),
				workers(1, 0), tail(func(c *topology.Capacity) { c.Queue = topology.Full })), "200 200", ms(0, 0, 1000, 2000)},
		{"a retry comes before a new arrival and gets the worker",
			lab([]int{2}, set("services.a.fault=503,ok", client+"retry.rest=1s"), arriving(ms(0, 2000)...),
				workers(1, time.Second), tail(func(c *topology.Capacity) { c.Queue = topology.Full })), "200 200", ms(0, 2000, 2000, 3000)},
		{"a worker is free before a new arrival",
			lab([]int{1}, set("services.a.fault=ok"), arriving(ms(0, 1000)...),
				workers(1, time.Second), tail(func(c *topology.Capacity) { c.Queue = topology.Full })), "200 200", ms(0, 1000)},
		{"an attempt at the start of an outage is inside it, one at its end outside",
			lab([]int{3}, set("services.a.fault=503@0s..2s,ok", client+"retry.rest=1s")), "200", ms(0, 1000, 2000)},
		{"nothing happens at the end of the run itself",
			lab([]int{policy.Unlimited}, set(client+"retry.rest=1s", "run.until=3s")), "cancelled", ms(0, 1000, 2000)},
	} {
		o := run(t, tt.top)
		equal(t, tt.what+": outcomes", o.words(), tt.words)
		same(t, tt.what+": hits", o.at(), tt.hits)
	}
}

// slow gives the client's calls a network latency each way.
func slow(d time.Duration) change {
	return func(top *topology.Topology) { top.Services[0].Calls[0].Latency = topology.Always(d) }
}

// Within a kind, who was first is first: 1,000 requests of one instant are
// served, answered and tried again in the order in which they came.
func TestInsertionOrder(t *testing.T) {
	const n = 1000
	for what, change := range map[string]change{
		"no capacity":              set(),
		"a delay":                  set("services.a.fault=503+delay=1ms"),
		"one worker, in no time":   workers(1, 0),
		"one worker":               workers(1, time.Microsecond),
		"ten workers, in no time":  workers(10, 0),
		"behind a slow first one":  func(top *topology.Topology) { top.Tail().Fault = "503+delay=1s,503"; top.Tail().Workers = 1 },
		"a network":                slow(time.Millisecond),
		"a timeout that never is":  set("services.client.calls.a.timeout=1h"),
		"a timeout that always is": set("services.a.fault=hang", "services.client.calls.a.timeout=1s"),
	} {
		o := run(t, lab([]int{3}, herd(n), change, set("services.client.calls.a.retry.rest=1s"), func(top *topology.Topology) {
			if top.Tail().Workers == 0 { // independent clients would come one after the other
				top.Tail().Workers = 2 * n
			}
		}))
		order := map[policy.Luck]int{}
		for i := range n {
			luck := policy.RootLuck(1, uint64(i), 0)
			for attempt := range 3 {
				order[luck.Attempt(policy.NewEdgeID("client", "a"), attempt+1)] = i + attempt*n
			}
		}
		for i, a := range o.arrivals {
			if order[a.Luck] != i {
				t.Fatalf("%s: hit %d is number %d", what, i, order[a.Luck])
			}
		}
	}
}

// A worker that hands on a long queue in no time needs no stack for it.
func TestALongQueueInNoTime(t *testing.T) {
	longUnderRace(t)
	const n = 100_000
	defer debug.SetMaxStack(debug.SetMaxStack(8 << 20)) // beyond it, the process dies
	v, _ := mustRun(t, lab([]int{1}, herd(n), set("services.a.fault=503+delay=1s,503"), workers(1, 0)), Options{})
	equal(t, "hits", v.Hits, n)
	equal(t, "failed", v.Outcomes.Failed, n)
	equal(t, "end", v.ElapsedMS, 1000)
}
