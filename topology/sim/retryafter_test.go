package sim

import (
	"math"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// When a client comes again that was told to, in every way in which it can be run.
func TestRetryAfter(t *testing.T) {
	const client, skew = "services.client.calls.a.retry.", 300 * time.Millisecond
	late := slow(100 * time.Millisecond)
	for _, tt := range []struct {
		what  string
		fault string
		c     change
		hits  []time.Duration
		early int64
	}{
		{"seconds", "503+retry-after=2", set(), ms(0, 2000, 4000), 0},
		{"they count from the answer", "503+retry-after=2+delay=30ms", set(), ms(0, 2030, 4060), 0},
		{"and from its receipt", "503+retry-after=2", late, ms(100, 2300, 4500), 0},
		{"a rest that is longer holds", "503+retry-after=2", set(client + "rest=5s"), ms(0, 5000, 10_000), 0},
		{"a cap is the client's and does not", "503+retry-after=2", set(client+"rest=100ms", client+"cap=1s"), ms(0, 2000, 4000), 0},
		{"ignored", "503+retry-after=2", set(client+"rest=100ms", client+"retry_after=ignore"), ms(0, 100, 200), 2},
		{"a date that is in time at a whole second", "503+date-retry-after=2", set(), ms(0, 2000, 4000), 0},
		{"and is rounded up otherwise", "503+date-retry-after=2+delay=1ms", set(), ms(0, 3000, 6000), 0},
		{"what the way takes is not waited for again", "503+date-retry-after=2", late, ms(100, 3100, 6100), 0},
		{"a server that is ahead", "503+date-retry-after=2", func(top *topology.Topology) { top.Services[1].Skew = skew }, ms(0, 3000, 6000), 0},
		{"a server that is behind", "503+date-retry-after=2", func(top *topology.Topology) { top.Services[1].Skew = -skew }, ms(0, 2000, 4000), 0},
		{"a client that is ahead", "503+date-retry-after=2", func(top *topology.Topology) { top.Services[0].Skew = skew }, ms(0, 1700, 3700), 0},
		{"a client that is behind", "503+date-retry-after=2", func(top *topology.Topology) { top.Services[0].Skew = -skew }, ms(0, 2300, 5300), 0},
		{"text that is none", "503+raw-retry-after=soon", set(client + "rest=100ms"), ms(0, 100, 200), 0},
		{"zero", "503+retry-after=0", set(client + "rest=100ms"), ms(0, 100, 200), 0},
		{"more than there is time", "503+retry-after=99999999999", set("run.until=1h"), ms(0), 0},
		{"a throttle works out its own", "throttle=1/s", set(), ms(0), 0},
	} {
		tt.c = func(c change) change {
			return func(top *topology.Topology) { top.Tail().Fault = tt.fault; c(top) }
		}(tt.c)
		top := lab([]int{3}, tt.c)
		for _, w := range []way{fastest, general, coupled} {
			var at []time.Duration
			v, _ := mustRun(t, top, Options{way: w, Arrivals: func(a topology.Arrival) { at = append(at, time.Duration(a.At)) }})
			same(t, tt.what, at, tt.hits)
			equal(t, tt.what+": early hits", v.EarlyHits, tt.early)
		}
	}
}

// A gateway passes on the status and not the header; its own it sends.
func TestRetryAfterAtAGateway(t *testing.T) {
	same(t, "the tail's", run(t, lab([]int{2, 1}, set("services.b.fault=503+retry-after=2"))).at(), ms(0, 0))
	same(t, "its own", run(t, lab([]int{2, 1}, set("services.a.fault=ok+retry-after=2", "services.b.fault=503"))).at(), ms(0, 2000))
}

// A throttled herd comes back when it was told.
func TestThrottle(t *testing.T) {
	o := run(t, lab([]int{3}, herd(3), set("services.a.fault=throttle=1/s")))
	same(t, "hits", o.at(), ms(0, 0, 0, 1000, 1000, 2000))
	equal(t, "outcomes", o.words(), "200 200 200")
	equal(t, "effects", o.Effects, 3)
}

// What is on its way as a header is what was asked for.
func TestRetryAfterIsExact(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		what           string
		after          retryAfter
		server, client time.Duration
		want           time.Duration
	}{
		{"none", 0, 5, 5, 0},
		{"a year", waitFor(topology.MaxDuration), 5, 5, topology.MaxDuration},
		{"for ever", waitFor(math.MaxInt64), 5, 5, policy.Longest},
		{"a date", isDate | waitFor(2*s), s / 2, s / 2, 2*s + s/2},
		{"a date before the release", isDate | waitFor(2*s), -10*s - s/2, -10*s - s/2, 2*s + s/2},
		{"a date that has passed", isDate | waitFor(2*s), 0, 3 * s, 0},
		{"a date in a year", isDate | waitFor(topology.MaxDuration), 0, 0, topology.MaxDuration},
		{"a date beyond all", isDate | longest, 0, 0, policy.Longest},
		{"at the end of time", isDate | waitFor(s), math.MaxInt64, math.MaxInt64, policy.Longest},
	} {
		equal(t, tt.what, tt.after.sent(tt.server).wait(tt.client), tt.want)
	}
}
