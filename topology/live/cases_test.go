package live_test

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"labctl/report"
	"labctl/topology"
	"labctl/topology/ledger"
	"labctl/topology/live"
	"labctl/topology/policy"
)

// Case A01: a three-hop mesh turns 1 call into 9, and nobody configured a retry
// (istio/istio#40091).
func TestCaseA01ThreeHopMeshTurnsOneCallIntoNine(t *testing.T) {
	for _, tt := range []struct {
		what     string
		attempts []int
		fault    string
		requests []int64 // client, a, b, c
		edges    int64
		ok       int64
	}{
		{"ui 1, a 3, b 3: 9", []int{1, 3, 3}, "503", []int64{1, 1, 3, 9}, 13, 0},
		{"ui also 3: 27", []int{3, 3, 3}, "503", []int64{1, 3, 9, 27}, 39, 0},
		{"retries off at b only: 3", []int{1, 3, 1}, "503", []int64{1, 1, 3, 3}, 7, 0},
		{"c fails its first two hits: once b succeeds, a must not retry", []int{1, 3, 3}, "503x2,ok", []int64{1, 1, 1, 3}, 5, 1},
		{"c fails its first three hits: a retries once", []int{1, 3, 3}, "503x3,ok", []int64{1, 1, 2, 4}, 7, 1},
		{"c is well", []int{3, 3, 3}, "ok", []int64{1, 1, 1, 1}, 3, 1},
	} {
		for net, n := range networks() {
			t.Run(tt.what+" over "+net, func(t *testing.T) {
				o := run(t, lab(t, tt.attempts, "services.c.fault="+tt.fault), n)
				same(t, "requests", o.requests(), tt.requests)
				equal(t, "calls on all edges", o.attempts(), tt.edges)
				equal(t, "amplification", o.Amplification, float64(tt.requests[3]))
				equal(t, "successes", o.Outcomes.OK, tt.ok)
				equal(t, "warnings", len(o.warnings), 0)
			})
		}
	}
}

// Case A02: app retries times SDK retries, and the word "retries" meaning two
// things (HKUDS/nanobot#2760, code_puppy#317, xagent#1494).
func TestCaseA02AppRetriesTimesSDKRetries(t *testing.T) {
	type words map[string]string // what each layer's retry is set to, in its own word
	for _, tt := range []struct {
		what   string
		layers []string
		set    words
		hits   int64
		policy []string
	}{
		{"an app of 3 retries over an SDK of 2", []string{"client", "app", "sdk", "api"},
			words{"app.calls.sdk.retry.retries": "3", "sdk.calls.api.retry.retries": "2"}, 12,
			[]string{"1 attempts (0 retries)", "4 attempts (3 retries)", "3 attempts (2 retries)"}},
		{"its SDK off: the SDK's factor is 3", []string{"client", "app", "sdk", "api"},
			words{"app.calls.sdk.retry.retries": "3", "sdk.calls.api.retry.retries": "0"}, 4,
			[]string{"1 attempts (0 retries)", "4 attempts (3 retries)", "1 attempts (0 retries)"}},
		{"3 attempts × 2 retries × 5 attempts", []string{"client", "app", "sdk", "http", "api"},
			words{"app.calls.sdk.retry.attempts": "3", "sdk.calls.http.retry.retries": "2", "http.calls.api.retry.attempts": "5"}, 45,
			[]string{"1 attempts (0 retries)", "3 attempts (2 retries)", "3 attempts (2 retries)", "5 attempts (4 retries)"}},
		{"the SDK off", []string{"client", "app", "sdk", "http", "api"},
			words{"app.calls.sdk.retry.attempts": "3", "sdk.calls.http.retry.retries": "0", "http.calls.api.retry.attempts": "5"}, 15,
			[]string{"1 attempts (0 retries)", "3 attempts (2 retries)", "1 attempts (0 retries)", "5 attempts (4 retries)"}},
		{"5 retries are 6 attempts: 54 and not 45", []string{"client", "app", "sdk", "http", "api"},
			words{"app.calls.sdk.retry.attempts": "3", "sdk.calls.http.retry.retries": "2", "http.calls.api.retry.retries": "5"}, 54,
			[]string{"1 attempts (0 retries)", "3 attempts (2 retries)", "3 attempts (2 retries)", "6 attempts (5 retries)"}},
	} {
		top := topology.Topology{Load: topology.Load{Herd: topology.Herd{Clients: 1}}, Run: topology.Run{Bin: time.Second}}
		ones := make([]int, len(tt.layers)-1)
		for i := range ones {
			ones[i] = 1
		}
		top.Services = chain(tt.layers, ones, "429")
		for path, value := range tt.set {
			top = change(t, top, "services."+path+"="+value)
		}
		for net, n := range networks() {
			o := run(t, top, n)
			equal(t, tt.what+" over "+net, o.Hits, tt.hits)
			for i, want := range tt.policy {
				p := o.Layers[i].Policy
				equal(t, tt.what+": "+o.Layers[i].Name, text(p.Attempts)+" attempts ("+text(p.Retries)+" retries)", want)
			}
		}
	}
}

// Case A11: four attempts that were five (failsafe-go/failsafe-go#22).
func TestCaseA11FourAttemptsThatWereFive(t *testing.T) {
	const retry = "services.client.calls.a.retry."
	for _, tt := range []struct {
		set      string
		hits, ok int64
	}{
		{"attempts=4", 4, 0},
		{"retries=4", 5, 1},
		{"attempts=1", 1, 0},
		{"retries=0", 1, 0},
	} {
		for net, n := range networks() {
			o := run(t, lab(t, []int{1}, "services.a.fault=503x4,ok", retry+tt.set), n)
			equal(t, tt.set+" over "+net+": hits", o.Hits, tt.hits)
			equal(t, tt.set+" over "+net+": successes", o.Outcomes.OK, tt.ok)
			equal(t, tt.set+" over "+net+": failures", o.Outcomes.Failed, 1-tt.ok)
		}
	}
	top := lab(t, []int{1})
	top.Services[0].Calls[0].Policies[0].Retry.Attempts = 0
	equal(t, "attempts=0", text(top.Validate()),
		"services.client.calls.a.retry.attempts: 0 would never call: say 1 for a single try (0 retries)")
}

// Case A12: "cap" can mean "hold at the cap" or "stop at the cap"
// (kubernetes/kubernetes#131122).
func TestCaseA12HoldAtTheCapOrStopAtIt(t *testing.T) {
	const retry = "services.client.calls.a.retry."
	for _, tt := range []struct {
		atCap   string
		seconds []int // of the hits
		gaveUp  int64
		elapsed float64
	}{
		{"hold", []int{0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363, 423, 483, 543}, 0, 600_000},
		{"stop", []int{0, 1, 3, 7, 15, 31}, 1, 63_000}, // the last rest, of 32 s, is wasted
	} {
		synctest.Test(t, func(t *testing.T) {
			o := run(t, lab(t, []int{1}, retry+"attempts=unlimited", retry+"rest=1s", retry+"backoff=exponential", retry+"cap=60s",
				retry+"at_cap="+tt.atCap, "run.until=600s", "run.bin=1s"), live.Pipe())
			var seconds []int
			for second, n := range o.Bins {
				for range n {
					seconds = append(seconds, second)
				}
			}
			same(t, tt.atCap+": seconds of the hits", seconds, tt.seconds)
			equal(t, tt.atCap+": gave up", o.Outcomes.Failed, tt.gaveUp)
			equal(t, tt.atCap+": elapsed", o.ElapsedMS, tt.elapsed)
			equal(t, tt.atCap+": rests in vain", o.Layers[0].WastedRests, tt.gaveUp)
		})
	}
}

// Case A15: midnight, 33,000 renewals in the first seconds of the day
// (go-acme/lego#1656); here a thirtieth of them.
func TestCaseA15Midnight(t *testing.T) {
	const clients = 1100
	for _, tt := range []struct {
		smear       string
		bins        int
		least, most int64 // bounds of the fullest bin
	}{
		{"0s", 1, clients, clients}, // on an edge: all in the bin that starts there
		{"16s", 16, 75, 105},        // 68.75 per second
	} {
		synctest.Test(t, func(t *testing.T) {
			o := run(t, lab(t, []int{1}, "load.herd.clients="+text(clients), "load.herd.smear="+tt.smear, "run.bin=1s", "services.a.fault=ok"), live.Pipe())
			var sum int64
			for _, n := range o.Bins {
				sum += n
			}
			equal(t, tt.smear+": sum over the bins", sum, clients)
			equal(t, tt.smear+": bins", len(o.Bins), tt.bins)
			if o.Peak < tt.least || o.Peak > tt.most {
				t.Errorf("%s: %d in the fullest bin, want %d to %d", tt.smear, o.Peak, tt.least, tt.most)
			}
		})
	}
}

// Case A20: a one-minute maximum that waits ninety seconds
// (cenkalti/backoff#139): the largest rest stands beside the cap.
func TestCaseA20AOneMinuteMaximumThatWaitsNinetySeconds(t *testing.T) {
	for _, tt := range []struct{ jitter, order, largest string }{
		{"50%", "cap-then-jitter", "1m30s"},
		{"50%", "jitter-then-cap", "1m0s"},
		{"full", "cap-then-jitter", "1m0s"},
		{"equal", "cap-then-jitter", "1m0s"},
		{"decorrelated", "cap-then-jitter", "1m0s"},
		{"none", "cap-then-jitter", "1m0s"},
	} {
		const retry = "services.client.calls.a.retry."
		top := lab(t, []int{10}, retry+"rest=60s", retry+"cap=60s", retry+"jitter="+tt.jitter, retry+"order="+tt.order)
		got := *ledger.Describe(top.Services[0].Calls[0])
		want := report.Policy{Attempts: 10, Retries: 9, Rest: "1m0s", Backoff: "fixed", Cap: "1m0s", Jitter: tt.jitter, LargestRest: tt.largest}
		if tt.order == "jitter-then-cap" {
			want.Order = tt.order
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s, %s: %+v, want %+v", tt.jitter, tt.order, got, want)
		}

		// And no rest that is drawn exceeds it.
		limit, err := time.ParseDuration(tt.largest)
		if err != nil {
			t.Fatal(err)
		}
		rest, last := top.Services[0].Calls[0].Retry().Rest, time.Duration(0)
		for u := range uint64(10_000) {
			last = rest.After(9, last, policy.Luck(u).Draw(policy.ForJitter))
			if last < 0 || last > limit {
				t.Fatalf("%s, %s: a rest of %v", tt.jitter, tt.order, last)
			}
		}
	}
}
