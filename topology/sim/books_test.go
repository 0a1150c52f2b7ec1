package sim

import (
	"testing"
	"time"

	"labctl/report"
	"labctl/topology"
)

// Where the time of a request goes: each attempt counts from when it is sent until
// its caller has the outcome, or until the end of the run.
func TestTimes(t *testing.T) {
	const client = "services.client.calls.a."
	for _, tt := range []struct {
		what    string
		changes []change
		total   []float64 // of client, a and b
	}{
		{"one after the other", []change{set("services.b.fault=503+delay=10ms")}, []float64{60, 60, 60}},
		{"rests are the caller's own", []change{set("services.b.fault=503+delay=10ms", client+"retry.rest=100ms")}, []float64{160, 60, 60}},
		{"a network", []change{set("services.b.fault=503+delay=10ms"), slow(5 * time.Millisecond)}, []float64{80, 80, 60}},
		{"a random one", []change{set("services.b.fault=ok+delay=10ms"), func(top *topology.Topology) {
			top.Services[0].Calls[0].Latency = topology.Distribution{Shape: topology.Empirical, Values: ms(5, 5, 5)}
		}}, []float64{20, 20, 10}},
		{"work that is stopped", []change{set("services.b.fault=ok+delay=1s", client+"timeout=100ms")}, []float64{200, 200, 200}},
		{"and work that is not", []change{set("services.b.fault=ok+delay=1s", client+"timeout=100ms", client+"keep_working=true")}, []float64{200, 2000, 2000}},
		{"cut", []change{set("services.b.fault=ok+delay=1s", "run.until=300ms")}, []float64{300, 300, 300}},
		{"an answer on the way at the end", []change{set("services.b.fault=ok", "run.until=7ms"), slow(5 * time.Millisecond)}, []float64{7, 7, 0}},
	} {
		o := run(t, lab([]int{2, 3}, tt.changes...))
		for i, want := range tt.total {
			equal(t, tt.what+": "+o.Layers[i].Name, o.Layers[i].Time.TotalMS, want)
		}
	}
}

// What the workers of a service saw.
func TestQueues(t *testing.T) {
	for _, tt := range []struct {
		what    string
		changes []change
		want    report.Bulkhead
	}{
		{"nobody waits", []change{workers(4, 25*time.Millisecond)}, report.Bulkhead{Limit: 4, InUse: 3, Admitted: 4}},
		{"one worker", []change{workers(1, 25*time.Millisecond)}, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 2, Admitted: 4, Queued: 3, MeanQueueMS: 30, LongestWaitMS: 45}},
		{"over a network", []change{workers(1, 25*time.Millisecond), slow(time.Second)}, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 2, Admitted: 4, Queued: 3, MeanQueueMS: 30, LongestWaitMS: 45}},
		{"one place", []change{workers(1, 25*time.Millisecond), tail(func(c *topology.Capacity) { c.Queue = 1 })}, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 1, Admitted: 3, Rejected: 1, Queued: 2, MeanQueueMS: 17.5, LongestWaitMS: 20}},
		{"who leaves", []change{workers(1, 25*time.Millisecond), set("services.client.calls.a.timeout=40ms", "services.a.order=lifo")}, report.Bulkhead{Limit: 1, InUse: 1, Waiting: 2, Admitted: 3, Left: 1, Queued: 2, MeanQueueMS: 12.5, LongestWaitMS: 20}},
	} {
		o := run(t, lab([]int{1}, append(tt.changes, set("services.a.fault=ok"), arriving(ms(0, 10, 20, 30)...))...))
		if o.Layers[1].Queue == nil {
			t.Fatalf("%s: no queue", tt.what)
		}
		equal(t, tt.what, *o.Layers[1].Queue, tt.want)
	}
	if q := run(t, lab([]int{1})).Layers[1].Queue; q != nil {
		t.Errorf("without a limit: %+v", q)
	}
}

// What the policies of an edge saw comes into the result; a place that is still
// taken is a leak only when nothing runs any more.
func TestSignals(t *testing.T) {
	const client = "services.client.calls.a."
	o := run(t, lab([]int{1}, herd(5), set("services.a.fault=503+delay=10ms", client+"breaker.failures=2", client+"bulkhead.limit=1", client+"bulkhead.queue=2", client+"fallback.static=true")))
	l := o.Layers[0]
	equal(t, "breaker", l.Breaker.Status, "open")
	equal(t, "rejected by it", l.Breaker.Rejected, 1)
	equal(t, "rejected by the bulkhead", l.Bulkhead.Rejected, 2)
	equal(t, "degraded", l.Fallback.Degraded, o.Outcomes.Degraded)
	equal(t, "all", o.Outcomes.Degraded, 5)
	equal(t, "leaked", l.Bulkhead.Leaked, 0)
	cut := run(t, lab([]int{1}, set("services.a.fault=503+delay=1s", client+"pool.limit=1", "run.until=10ms")))
	equal(t, "in use when it was cut", cut.Layers[0].Pool.InUse, 1)
	equal(t, "leaked when it was cut", cut.Layers[0].Pool.Leaked, 0)
}

// Calls that one freed place lets fail all at once are all answered.
func TestAFreePlaceForWhoIsLate(t *testing.T) {
	const client = "services.client.calls.a."
	o := run(t, lab([]int{1}, herd(5), set("services.a.fault=ok+delay=100ms", client+"pool.limit=1", client+"deadline.limit=50ms", client+"deadline.check=true")))
	equal(t, "outcomes", o.words(), "200 timeout timeout timeout timeout")
	equal(t, "late", o.Layers[0].Late, 4)
	equal(t, "end", o.ElapsedMS, 100)
}

// Time that is booked is the same whether an attempt is followed or simulated.
func TestTimesOfAllWays(t *testing.T) {
	top := lab([]int{3, 3}, herd(20), jittered, set("services.b.fault=503+delay=exponential(5ms)", "load.herd.smear=50ms"), func(top *topology.Topology) {
		top.Services[0].Calls[0].Latency = topology.Distribution{Shape: topology.UniformTime, A: time.Millisecond, B: 3 * time.Millisecond}
	})
	var first [2]report.TimeShare
	for i, w := range []way{fastest, general, coupled} {
		v, _ := mustRun(t, top, Options{way: w})
		got := [2]report.TimeShare{*v.Layers[1].Time, *v.Layers[2].Time}
		if i == 0 {
			first = got
		}
		equal(t, text(w), got, first)
		between(t, "a's share", got[0].TotalMS, 1, v.LatencyMS.Max)
	}
}
