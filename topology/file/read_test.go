package file_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/file"
	"labctl/topology/policy"
)

const small = "version: 1\nservices: {client: {calls: [{to: a}]}, a: {}}\n"

// everything says each thing that a file can say.
const everything = `version: 1
title: What a file can say
text: |
  First it says this.

    # This is no comment.
load:
  herd: {clients: 5, requests: 2, barrier: false, smear: 45ms, think: "uniform:1s..2s", pause: 3s, start: 1s}
  others: {slow: {clients: 60, start: 2s}}
  for: 10s
  method: POST
  key: true
services:
  client:
    parallel: true
    calls:
      - to: a
        chance: 30%
        latency: 5ms
        keep_working: true
        policies:
          - fallback: {}
          - deadline: {limit: 20s, mode: per-hop, check: true, enforce: true, useful: 1ms}
          - adaptive: {target: 100ms, initial: 2, min: 1, max: 9, decrease: 50%, increase: 3}
          - {name: places, bulkhead: {limit: 10, queue: none, per: route}, route: slow}
          - budget: {law: aws, tokens: 100, cost: 2, timeout_cost: 3}
          - hedge: {quantile: p95, max: 3, share_requests: 10%, share_extra: 5%, on: timeout, repeatable_only: true}
          - retry: {retries: 2, on: [5xx, 429, timeout], rest: 100ms, backoff: exponential:1.5, cap: 1s, at_cap: stop, jitter: 50%, order: jitter-then-cap, max_elapsed: 15s, elapsed_rule: before-rest, retry_after: ignore, repeatable_only: true}
          - breaker: {rate: 50%, window: 5s, volume: 10, open_for: 1s, permits: 2, successes: 3, fail_on: 503, ignore: [429], per: route, observe: true, forced: open}
          - timeout: 1s
          - pool: {limit: 4, queue: 8, wait: 250ms}
          - balance: {law: least, failover: true, eject_after: 5, eject_for: 30s, max_ejected: 50%}
      - to: b
  a: {time: exponential:5ms, workers: 20, order: lifo, queue: none, drop: true, replicas: 2, balance: random, skew: -200ms, idempotency: store-after, speed: ["30s..40s:0%", "50s..60s:100%..20%"], routes: {slow: {time: 3s, workers: 2, fault: 503}}, replica: {1: {fault: hang}}}
  b: {fault: "503x2,ok"}
variants:
  gentle: {set: {services.client.calls.a.retry.attempts: 1, services.b.fault: ""}, expect: {b.hits: 5}}
  open: {set: {load.rate: "280/s,5s:100.5/s", load.rate.poisson: true}}
  two: {services: {client: {calls: [{to: a}]}, a: {fault: 503}}}
run: {seed: 7, bin: 1s, bin_offset: 10ms, until: 1m, at: a, repeats: 20}
expect: {tail.amplification: "<= 27", recovered: true}
`

// What a file says is what the lab is.
func TestReadEverything(t *testing.T) {
	lab := read(t, everything)
	equal(t, "name", lab.Name, "checkout")
	equal(t, "title", lab.Title, "What a file can say")
	equal(t, "text", lab.Text, "First it says this.\n\n  # This is no comment.")
	equal(t, "repeats", lab.Repeats, 20)
	herd := lab.Topology.Load.Herd
	equal(t, "clients", herd.Clients, 5)
	equal(t, "no barrier", herd.NoBarrier, true)
	equal(t, "the other herd's route", lab.Topology.Load.Others[0].Route, "slow")
	calls := lab.Topology.Services[0].Calls
	equal(t, "policies", len(calls[0].Policies), len(topology.Kinds()))
	for i, kind := range topology.Kinds() {
		equal(t, "policies, outermost first", calls[0].Policies[i].Kind(), kind)
	}
	equal(t, "2 retries are attempts", calls[0].Retry().Attempts, 3)
	equal(t, "bare timeout", calls[0].Policies[8].Timeout.Limit, time.Second)
	equal(t, "a policy's name", calls[0].Policies[3].Called(), "places")
	equal(t, "a policy's route", calls[0].Policies[3].Route, "slow")
	equal(t, "a fallback at its defaults", *calls[0].Policies[0].Fallback, policy.Fallback{})
	a := lab.Topology.Service("a")
	equal(t, "the second replica's fault", a.Replica[1].Fault, "hang")
	equal(t, "a ramp", a.Speed[1], topology.Speed{From: 50 * time.Second, Until: time.Minute, Percent: 100, To: 20})
	equal(t, "expectations", len(lab.Expect), 2)
	equal(t, "a condition", lab.Expect[0], file.Expectation{Field: "tail.amplification", Condition: "<= 27", Line: 41, Column: 30})

	gentle, err := lab.Variant(lab.Variants[0])
	equal(t, "gentle", message(err), "")
	equal(t, "gentle's attempts", gentle.Services[0].Calls[0].Retry().Attempts, 1)
	equal(t, "the lab's stay", calls[0].Retry().Attempts, 3)
	two, err := lab.Variant(lab.Variants[2])
	equal(t, "two", message(err), "")
	equal(t, "a variant's own services", two.Services[1].Fault, "503")
}

// What a file leaves out is what the lab is without it.
func TestReadLittle(t *testing.T) {
	lab := read(t, small)
	want := topology.Topology{
		Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
		Services: []topology.Service{{Name: "client", Calls: []topology.Call{{To: "a"}}}, {Name: "a"}},
		Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
	}
	if !reflect.DeepEqual(lab.Topology, want) {
		t.Errorf("got %+v", lab.Topology)
	}
}

// Several notations say the same.
func TestReadNotations(t *testing.T) {
	services := func(calls string) string { return "version: 1\nservices: {client: {calls: " + calls + "}, a: {}}\n" }
	const rest = "\nservices: {client: {calls: [{to: a}]}, a: {time: 1ms}}\nrun: {until: 1s}\n"
	for _, same := range [][]string{
		{
			services("[{to: a, policies: [{retry: {attempts: 3}}, {timeout: 1s}]}]"),
			services("[{to: a, policies: [{retry: {retries: 2}}, {timeout: {limit: 1s}}]}]"),
			services("[{retry: {attempts: 3}, timeout: 1s, to: a}]"),
			services("{a: {retry: {attempts: 3}, timeout: 1s}}"),
			"version: 1\nservices:\n  client:\n    calls:\n    - to: a\n      policies:\n      - retry:\n          attempts: \"3\"\n      - timeout: 1000ms\n  a: {}\n",
		},
		{
			"version: 1\nservices: {client: {calls: [{to: a}]}, a: {workers: 1, drop: gone}}\n",
			"version: 1\nservices: {client: {calls: [{to: a}]}, a: {workers: 1, drop: true}}\n",
		},
		{
			services("[{to: a, timeout: {limit: 1s, mode: none}}]"),
			services("[{to: a, policies: [{timeout: 1s}]}]"),
		},
		{
			"version: 1\nload: {rate: 280/s}" + rest,
			"version: 1\nload: {rate: {steps: 280/s}}" + rest,
			"version: 1\nload: {rate: [280/s]}" + rest,
		},
		{
			"version: 1\nload: {herd: {think: 1s}, for: 10s}" + rest,
			"version: 1\nload: {loop: {think: 1s}, for: 10s}" + rest,
		},
		{
			"version: 1\nload: {others: {slow: {clients: 2}}}" + rest,
			"version: 1\nload: {others: [{route: slow, clients: 2}]}" + rest,
		},
		{small, "services: {a: {}, client: {calls: {a: {}}}}\nversion: 1\n", strings.ReplaceAll(small, "\n", "\r\n"), "\uFEFF" + small, "---\n" + small + "...\n"},
	} {
		want := said(read(t, same[0]))
		for _, text := range same[1:] {
			if got := said(read(t, text)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s\n got %+v\nwant %+v", text, got, want)
			}
		}
	}
}

// Services are sorted into calling order, and one that has it keeps it.
func TestReadSortsServices(t *testing.T) {
	for _, tt := range []struct{ services, want string }{
		{"{c: {}, a: {calls: [{to: c}, {to: b}]}, b: {calls: [{to: c}]}, client: {calls: [{to: a}]}}", "client a b c"},
		{"{client: {calls: [{to: b}, {to: a}]}, a: {}, b: {}}", "client a b"},
		{"{client: {calls: [{to: b}, {to: a}]}, b: {}, a: {}}", "client b a"},
	} {
		var names []string
		for _, s := range read(t, "version: 1\nservices: "+tt.services+"\n").Topology.Services {
			names = append(names, s.Name)
		}
		equal(t, tt.services, strings.Join(names, " "), tt.want)
	}
}

// Findings about a field show where it stands, or what holds it.
func TestPosition(t *testing.T) {
	lab := read(t, everything)
	for _, tt := range []struct {
		path         string
		line, column int
	}{
		{"services.client.calls.a.retry.attempts", 28, 13},
		{"services.client.calls.a.retry.cap", 28, 97},
		{"services.client.calls.a.places.limit", 25, 39},
		{"services.client.calls.a.bulkhead.limit", 25, 28},
		{"services.client.calls.a.timeout", 30, 13},
		{"services.client.calls.a.timeout.limit", 30, 13},
		{"services.b", 35, 3},
		{"services.b.workers", 35, 3},
		{"variants.open.set.load.rate", 38, 16},
		{"run.until", 40, 43},
		{"nowhere", 0, 0},
	} {
		line, column := lab.Position(tt.path)
		if line != tt.line || column != tt.column {
			t.Errorf("%s is at %d:%d, want %d:%d", tt.path, line, column, tt.line, tt.column)
		}
	}
}
