package live_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/live"
	"labctl/topology/policy"
)

// A herd without jitter comes back as one block, twice.
func TestFixedRestsComeBackTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := run(t, lab(t, []int{3}, "load.herd.clients=200", "services.client.calls.a.retry.rest=100ms"), live.Pipe())
		same(t, "bins", o.Bins, []int64{200, 0, 200, 0, 200})
		same(t, "waves", o.Waves, []int64{200, 200})
		equal(t, "first wave", o.FirstWave, 200)
		equal(t, "peak", o.Peak, 200)
		equal(t, "spread", *o.SpreadMS, report.Spread{})
		equal(t, "warnings", len(o.warnings), 0)
	})
}

// ideal works out when the hits of a chain of retries on a tail that always
// fails at once should arrive, from the policies and their luck alone.
type ideal struct {
	top  topology.Topology
	bins *report.Bins
}

// call is what one layer does for one request; it returns the instant of its end.
func (i ideal) call(layer int, luck policy.Luck, first bool, at time.Duration) time.Duration {
	if layer == len(i.top.Services)-1 {
		i.bins.Add(at, first)
		return at
	}
	c := i.top.Services[layer].Calls[0]
	edge, retry := policy.NewEdgeID(i.top.Services[layer].Name, c.To), c.Retry()
	var rest time.Duration
	for n := 1; ; n++ {
		below := luck.Attempt(edge, n)
		at = i.call(layer+1, below, first && n == 1, at)
		if n == retry.Attempts {
			return at
		}
		rest = retry.Rest.After(n, rest, below.Draw(policy.ForJitter))
		at += rest
	}
}

// Every client's hits come exactly when its own luck says, whatever the order in
// which goroutines ran: bins of 1 µs agree with arithmetic.
func TestArrivalsAreThoseOfThePolicies(t *testing.T) {
	for what, settings := range map[string][]string{
		"±50 %":            {"services.client.calls.a.retry.jitter=50%"},
		"full":             {"services.client.calls.a.retry.jitter=full"},
		"equal, growing":   {"services.client.calls.a.retry.jitter=equal", "services.client.calls.a.retry.backoff=exponential"},
		"decorrelated":     {"services.client.calls.a.retry.jitter=decorrelated"},
		"a smeared start":  {"load.herd.smear=45ms"},
		"another seed":     {"run.seed=2", "services.client.calls.a.retry.jitter=full"},
		"requests in turn": {"load.herd.requests=2", "services.client.calls.a.retry.jitter=full"},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				arrive(t, lab(t, []int{3}, append(settings, "load.herd.clients=50", "run.bin=1us", "services.client.calls.a.retry.rest=100ms")...))
			})
		})
	}
	t.Run("in two layers", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			arrive(t, lab(t, []int{2, 3}, "load.herd.clients=50", "run.bin=1us", "load.herd.smear=45ms",
				"services.client.calls.a.retry.rest=50ms", "services.client.calls.a.retry.jitter=full",
				"services.a.calls.b.retry.rest=10ms", "services.a.calls.b.retry.jitter=50%"))
		})
	})
}

func arrive(t *testing.T, top topology.Topology) {
	want := ideal{top, report.NewBins(top.Run.Bin, 0)}
	for client := range uint64(top.Load.Herd.Clients) {
		luck := policy.RootLuck(top.Run.Seed, client, 0)
		at := policy.Uniform(luck.Draw(policy.ForArrival), top.Load.Herd.Smear)
		for n := range uint64(top.Load.PerClient(top.Load.Herd)) {
			at = want.call(0, policy.RootLuck(top.Run.Seed, client, n), true, at)
		}
	}
	o := run(t, top, live.Pipe())
	var ideal report.Variant
	want.bins.Fill(&ideal)
	same(t, "bins of 1 µs", o.Bins, ideal.Bins)
	same(t, "retries", o.RetryBins, ideal.RetryBins)
	equal(t, "hits", o.Hits, want.bins.Total())
	equal(t, "first wave", o.FirstWave, want.bins.FirstWave())
}

// The smear is the spread, and it is wanted: no warning.
func TestSmear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		top := lab(t, []int{1}, "load.herd.clients=200", "load.herd.smear=45ms")
		earliest, latest := top.Load.Herd.Smear, time.Duration(0)
		for client := range uint64(200) {
			at := policy.Uniform(policy.RootLuck(1, client, 0).Draw(policy.ForArrival), top.Load.Herd.Smear)
			earliest, latest = min(earliest, at), max(latest, at)
		}
		o := run(t, top, live.Pipe())
		equal(t, "spread of the first wave", o.SpreadMS.FirstWave, report.Milliseconds(latest-earliest))
		equal(t, "spread at the gate", o.SpreadMS.Issue, report.Milliseconds(latest-earliest))
		equal(t, "elapsed", o.ElapsedMS, report.Milliseconds(latest))
		equal(t, "a request takes no longer for its late start", o.LatencyMS.Max, 0)
		equal(t, "warning", o.warning("spread-over-half-bin"), "")
	})
}

// Each client makes its requests in turn, each with a first attempt of its own.
func TestRequestsPerClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := run(t, lab(t, []int{3}, "load.herd.clients=10", "load.herd.requests=4", "services.a.fault=503+delay=60ms"), live.Pipe())
		equal(t, "requests", o.Requests, 40)
		equal(t, "hits", o.Hits, 120)
		equal(t, "amplification", o.Amplification, 3)
		equal(t, "first attempts", o.FirstWave, 40)
		equal(t, "the slowest request", o.LatencyMS.Max, 180)
		equal(t, "the last", o.ElapsedMS, 720)
		equal(t, "spread of the clients' first requests", o.SpreadMS.FirstWave, 0)
		equal(t, "warning", o.warning("spread-over-half-bin"), "")
	})
}

// A run that ends by its clock cuts what is in progress and says how much.
func TestUntil(t *testing.T) {
	for _, tt := range []struct {
		what            string
		settings        []string
		requests, hits  int64
		cancelled, fail int64
		elapsed         float64
		warning         string
	}{
		{"during a rest",
			[]string{"services.client.calls.a.retry.attempts=unlimited", "services.client.calls.a.retry.rest=100ms"},
			5, 15, 5, 0, 250, "the run was cut at 250ms with 5 requests in flight"},
		{"during an attempt",
			[]string{"services.a.fault=hang"}, 5, 5, 5, 0, 250, "the run was cut at 250ms with 5 requests in flight"},
		{"during work that nobody waits for: all have their answer",
			[]string{"services.a.fault=hang", "services.client.calls.a.timeout=60ms", "services.client.calls.a.keep_working=true"},
			5, 15, 0, 0, 180, "the run was cut at 250ms with 0 requests in flight"},
		{"a run that is over before is not cut",
			[]string{"services.client.calls.a.retry.rest=100ms"}, 5, 15, 0, 5, 200, ""},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := run(t, lab(t, []int{3}, append([]string{"load.herd.clients=5", "run.until=250ms"}, tt.settings...)...), live.Pipe())
				equal(t, "requests", o.Requests, tt.requests)
				equal(t, "hits", o.Hits, tt.hits)
				equal(t, "cancelled", o.Outcomes.Cancelled, tt.cancelled)
				equal(t, "failed", o.Outcomes.Failed, tt.fail)
				equal(t, "elapsed", o.ElapsedMS, tt.elapsed)
				equal(t, "warning", o.warning("cut"), tt.warning)
				equal(t, "mismatch", o.warning("hits-differ-from-attempts"), "")
			})
		})
	}
}

// Who had not started when the run ended asked for nothing.
func TestUntilBeforeTheStart(t *testing.T) {
	for _, barrier := range []string{"true", "false"} {
		synctest.Test(t, func(t *testing.T) {
			top := lab(t, []int{1}, "load.herd.clients=200", "load.herd.smear=45ms", "run.until=20ms", "load.herd.barrier="+barrier)
			var want int64
			for client := range uint64(200) {
				if policy.Uniform(policy.RootLuck(1, client, 0).Draw(policy.ForArrival), 45*time.Millisecond) < 20*time.Millisecond {
					want++
				}
			}
			o := run(t, top, live.Pipe())
			got := fmt.Sprintf("%d requests, %d attempts, %d hits, %d failed", o.Requests, o.attempts(), o.Hits, o.Outcomes.Failed)
			equal(t, "barrier "+barrier, got, fmt.Sprintf("%d requests, %[1]d attempts, %[1]d hits, %[1]d failed", want))
			equal(t, "mismatch", o.warning("hits-differ-from-attempts"), "")
		})
	}
}
