package sim

import (
	"slices"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// Cases A01 and A02: attempts multiply from layer to layer, and only as long as
// they fail.
func TestCasesA01A02Amplification(t *testing.T) {
	for _, tt := range []struct {
		what     string
		attempts []int
		settings []string
		counts   []int64
	}{
		{"A01: a three-hop mesh of 1 × 3 × 3", []int{1, 3, 3}, nil, []int64{1, 3, 9}},
		{"A01: the client retries too", []int{3, 3, 3}, nil, []int64{3, 9, 27}},
		{"A01: retries off at b only", []int{1, 3, 1}, nil, []int64{1, 3, 3}},
		{"A01: the tail recovers after two hits, and nobody above retries", []int{1, 3, 3}, []string{"services.c.fault=503x2,ok"}, []int64{1, 1, 3}},
		{"A02: 3 retries of the app × 2 of the SDK", []int{4, 3}, []string{"services.b.fault=429"}, []int64{4, 12}},
		{"A02: without the SDK's", []int{4, 1}, []string{"services.b.fault=429"}, []int64{4, 4}},
		{"A02: 3 × 3 × 5 attempts", []int{3, 3, 5}, []string{"services.c.fault=429"}, []int64{3, 9, 45}},
		{"A02: 5 retries are 6 attempts", []int{3, 3, 6}, []string{"services.c.fault=429"}, []int64{3, 9, 54}},
		{"a layer that never fails", []int{5, 5}, []string{"services.b.fault=ok"}, []int64{1, 1}},
		{"404 is not worth a retry", []int{5, 5}, []string{"services.b.fault=404"}, []int64{1, 1}},
	} {
		o := run(t, lab(tt.attempts, set(tt.settings...)))
		same(t, tt.what, o.counts(), tt.counts)
		equal(t, tt.what+": amplification", o.Amplification, float64(tt.counts[len(tt.counts)-1]))
	}
}

// Case A06, 3: a timeout of each attempt bounds the attempt and not the whole.
func TestCaseA06TheTimeoutIsPerAttempt(t *testing.T) {
	o := run(t, lab([]int{4}, set("services.a.fault=hang", "services.client.calls.a.timeout=2s",
		"services.client.calls.a.retry.rest=1s", "services.client.calls.a.retry.backoff=exponential")))
	same(t, "hits", o.at(), ms(0, 3000, 7000, 13000))
	same(t, "end: 4 × 2 s and rests of 1, 2, 4 s", o.ends(), ms(15000))
	equal(t, "outcome", o.words(), "timeout")
}

// Case A12: a cap that holds goes on at the cap, one that stops gives up after
// one last rest in vain.
func TestCaseA12HoldAndStop(t *testing.T) {
	grows := set("services.client.calls.a.retry.rest=1s", "services.client.calls.a.retry.backoff=exponential", "services.client.calls.a.retry.cap=60s")
	hold := run(t, lab([]int{policy.Unlimited}, grows, set("run.until=600s")))
	var want []time.Duration
	for _, s := range []int{0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363, 423, 483, 543} {
		want = append(want, time.Duration(s)*time.Second)
	}
	same(t, "hold", hold.at(), want)
	equal(t, "hold: warning", hold.warning("cut"), "the run was cut at 10m0s with 1 requests in flight")

	stop := run(t, lab([]int{policy.Unlimited}, grows, set("run.until=600s", "services.client.calls.a.retry.at_cap=stop")))
	same(t, "stop", stop.at(), want[:6])
	same(t, "stop: gives up", stop.ends(), ms(63_000))
	equal(t, "stop: rests in vain", stop.Layers[0].WastedRests, 1)
	// So it is for clients that need no event loop.
	straight := run(t, lab([]int{10}, grows, set("services.client.calls.a.retry.at_cap=stop")))
	same(t, "stop, straight", straight.ends(), ms(63_000))
	equal(t, "stop, straight: rests in vain", straight.Layers[0].WastedRests, 1)

	finite := run(t, lab([]int{4}, set("services.client.calls.a.retry.rest=1s")))
	same(t, "no rest follows the last attempt", finite.ends(), ms(3000))
}

// Case A15: 33,000 renewals at midnight, and what a random sleep makes of them.
func TestCaseA15Midnight(t *testing.T) {
	midnight := func(smear time.Duration, n int) topology.Topology {
		return lab([]int{1}, herd(33_000), seed(n), func(top *topology.Topology) {
			top.Load.Herd.Smear, top.Run.Bin = smear, time.Second
		})
	}
	sharp := run(t, midnight(0, 1))
	same(t, "no sleep", sharp.Bins, []int64{33_000})
	equal(t, "no sleep: peak", sharp.Peak, 33_000)

	within := 0
	const seeds = 40
	for n := range seeds {
		v, _ := mustRun(t, midnight(480*time.Second, n), Options{})
		equal(t, "480 s: sum", sum(v.Bins), 33_000)
		equal(t, "480 s: bins", len(v.Bins), 480)
		if v.Peak >= 90 && v.Peak <= 105 {
			within++
		}
	}
	between(t, "seeds of 40 with a peak of 90 to 105", within, 36, seeds)

	short, _ := mustRun(t, midnight(30*time.Second, 1), Options{})
	equal(t, "30 s: sum", sum(short.Bins), 33_000)
	equal(t, "30 s: bins", len(short.Bins), 30)
	for _, n := range short.Bins {
		near(t, "30 s: per second", float64(n), 1100, 0.13) // 4 standard deviations
	}
}

func sum(bins []int64) (n int64) {
	for _, b := range bins {
		n += b
	}
	return n
}

// Case A17: one worker that was to send ten requests per second, and a stall of
// ten seconds. Timed from when they were due, a tenth of the requests is slow;
// timed from when they were sent, one.
func TestCaseA17CoordinatedOmission(t *testing.T) {
	for _, tt := range []struct {
		what               string
		fromSend           bool
		p50, p95, p99, max float64 // ms
		slow               int     // over 100 ms
		mean               time.Duration
	}{
		{"from when they were due", false, 1, 5051, 9011, 10001, 101, 510 * time.Millisecond},
		{"from when they were sent", true, 1, 1, 1, 10001, 1, 11 * time.Millisecond},
	} {
		o := run(t, lab([]int{1}, set("services.a.fault=ok"), rate(10, 100*time.Second), workers(1, time.Millisecond), func(top *topology.Topology) {
			top.Tail().Speed = []topology.Speed{{From: 50 * time.Second, Until: 60 * time.Second}}
			top.Load.Rate.Workers, top.Load.Rate.FromSend = 1, tt.fromSend
		}))
		slow, total := 0, time.Duration(0)
		for _, r := range o.requests {
			total += r.latency()
			if r.latency() > 100*time.Millisecond {
				slow++
			}
		}
		q := o.LatencyMS
		equal(t, tt.what+": requests", o.Requests, 1000)
		same(t, tt.what+": quantiles", []float64{q.P50, q.P95, q.P99, q.Max}, []float64{tt.p50, tt.p95, tt.p99, tt.max})
		equal(t, tt.what+": over 100 ms", slow, tt.slow)
		equal(t, tt.what+": mean", (total / 1000).Round(10*time.Millisecond), tt.mean.Round(10*time.Millisecond))
		equal(t, tt.what+": said", o.warning("timed-from-send") != "", tt.fromSend)
	}
}

// Case A20: a cap of 60 s, applied before or after the jitter, by 10,000 clients.
func TestCaseA20CapAndJitter(t *testing.T) {
	for _, tt := range []struct {
		what, jitter, order string
		from, to, mean      float64 // s
		above, atCap        float64 // share
	}{
		{"cap, then jitter: up to 90 s", "50%", "cap-then-jitter", 30, 90, 60, 0.5, 0},
		{"jitter, then cap: half of all at the cap", "50%", "jitter-then-cap", 30, 60, 52.5, 0, 0.5},
		{"full", "full", "cap-then-jitter", 0, 60, 30, 0, 0},
		{"equal", "equal", "cap-then-jitter", 30, 60, 45, 0, 0},
	} {
		const n = 10_000
		o := run(t, lab([]int{2}, herd(n), set("services.client.calls.a.retry.rest=60s", "services.client.calls.a.retry.cap=60s",
			"services.client.calls.a.retry.jitter="+tt.jitter, "services.client.calls.a.retry.order="+tt.order)))
		var rests []float64
		above, atCap, total := 0.0, 0.0, 0.0
		for _, end := range o.ends() {
			s := end.Seconds()
			rests = append(rests, s)
			total += s
			if s > 60 {
				above++
			}
			if s == 60 {
				atCap++
			}
		}
		equal(t, tt.what+": draws", len(rests), n)
		between(t, tt.what+": smallest", slices.Min(rests), tt.from, tt.from+0.1)
		between(t, tt.what+": largest", slices.Max(rests), tt.to-0.1, tt.to)
		near(t, tt.what+": mean", total/n, tt.mean, 0.02)
		between(t, tt.what+": above 60 s", above/n, tt.above-0.02, tt.above+0.02)
		between(t, tt.what+": exactly 60 s", atCap/n, tt.atCap-0.02, tt.atCap+0.02)
	}
}
