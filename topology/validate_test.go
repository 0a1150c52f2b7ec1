package topology_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// A retry of the client that a refusal changes.
func clientRetry(t *topology.Topology) *policy.Retry {
	return t.Services[0].Calls[0].Policies[0].Retry
}

// Every refusal names the field and the cure.
func TestValidateRefuses(t *testing.T) {
	const year = topology.MaxDuration
	for _, tt := range []struct {
		what   string
		change func(*topology.Topology)
		want   string
	}{
		{"A lab has somebody who calls and somebody who answers.",
			func(t *topology.Topology) { t.Services = t.Services[:1] },
			"services: 1 is too few: a client and a tail are the least"},
		{"Beyond 64 layers nobody reads a chain any more.",
			func(t *topology.Topology) { t.Services = topology.Chain(slices.Repeat([]int{1}, 64)...) },
			"services.bl: more than 64 layers lie on the way to it: shorten the chain"},
		{"A name without letters cannot stand in a path.",
			func(t *topology.Topology) { t.Services[1].Name = "" },
			`services.: the name "" must be 1 to 64 letters, digits, - or _`},
		{"A dot would break the path of a setting, a slash that of a request.",
			func(t *topology.Topology) { t.Services[1].Name = "a.b/c" },
			`services.a.b/c: the name "a.b/c" must be 1 to 64 letters, digits, - or _`},
		{"Letters are ASCII letters: a name is a header's text, too.",
			func(t *topology.Topology) { t.Services[1].Name = "dịch-vụ" },
			`services.dịch-vụ: the name "dịch-vụ" must be 1 to 64 letters, digits, - or _`},
		{"A name of 65 bytes is too long.",
			func(t *topology.Topology) { t.Services[1].Name = strings.Repeat("a", 65) },
			fmt.Sprintf("services.%[1]s: the name %[1]q must be 1 to 64 letters, digits, - or _", strings.Repeat("a", 65))},
		{"Names are unique, or a path would mean two services.",
			func(t *topology.Topology) { t.Services[2].Name = "a" },
			"services.a: the name stands twice: names are unique"},
		{"A fault of the client would meet nobody.",
			func(t *topology.Topology) { t.Services[0].Fault = "503" },
			"services.client.fault: nobody calls the client: give the fault to another service"},
		{"A fault program that cannot be read says what is wrong in its own words.",
			func(t *topology.Topology) { t.Services[2].Fault = "503x0" },
			`services.b.fault: fault program: step 1 "503x0": count "x0" is not a number from 1 to 1000000000; write for example x2`},
		{"A policy of no kind does nothing.",
			func(t *topology.Topology) { t.Services[0].Calls[0].Policies[0] = topology.Policy{} },
			"services.client.calls.a.policies: an entry is exactly one of fallback, deadline, adaptive, bulkhead, budget, hedge, retry, breaker, timeout, pool, balance"},
		{"A policy of two kinds has no order.",
			func(t *topology.Topology) {
				t.Services[0].Calls[0].Policies[0].Timeout = &policy.TimeoutAfter{Limit: time.Second}
			},
			"services.client.calls.a.policies: an entry is exactly one of fallback, deadline, adaptive, bulkhead, budget, hedge, retry, breaker, timeout, pool, balance"},
		{"The client is the first service.",
			func(t *topology.Topology) { t.Services[0].Name = "caller" },
			`services: the first is "caller": start with client`},
		{"Somebody calls every service.",
			func(t *topology.Topology) { t.Services[1].Calls = nil },
			"services.b: nobody who stands before it calls it: let a service in front of it call it, or leave it out"},
		{"Nobody calls back: a request could go round for ever.",
			func(t *topology.Topology) {
				t.Services[1].Calls = append(t.Services[1].Calls, topology.Call{To: "client"})
			},
			"services.a.calls: client stands before it, so a request could go round for ever: put services in calling order, and break the cycle"},
		{"Nobody is passed by altogether.",
			func(t *topology.Topology) { t.Services[0].Calls[0].To = "b" },
			"services.a: nobody who stands before it calls it: let a service in front of it call it, or leave it out"},
		{"The tail calls nobody.",
			func(t *topology.Topology) { t.Services[2].Calls = []topology.Call{{To: "c"}} },
			`services.b.calls: no service "c" stands after it: add it there`},

		{"0 attempts would never call (case A11).",
			func(t *topology.Topology) { clientRetry(t).Attempts = 0 },
			"services.client.calls.a.retry.attempts: 0 would never call: say 1 for a single try (0 retries)"},
		{"-1 means unlimited; other negative numbers mean nothing.",
			func(t *topology.Topology) { clientRetry(t).Attempts = -2 },
			"services.client.calls.a.retry.attempts: -2 is negative: say 1 or more, or unlimited"},
		{"Whoever wants more than a million attempts wants no limit.",
			func(t *topology.Topology) { clientRetry(t).Attempts = 1_000_001 },
			"services.client.calls.a.retry.attempts: more than 1000000: say unlimited and give the run an end"},
		{"A rest is never negative.",
			func(t *topology.Topology) { clientRetry(t).Rest.Base = -time.Second },
			"services.client.calls.a.retry.rest: -1s is negative: say 0 or more"},
		{"A rest of over a year is a mistake.",
			func(t *topology.Topology) { clientRetry(t).Rest.Base = year + 1 },
			"services.client.calls.a.retry.rest: 8760h0m0.000000001s is over the limit of a year (8760h0m0s)"},
		{"A rest of nanoseconds is no rest that a machine could keep.",
			func(t *topology.Topology) { clientRetry(t).Rest.Base = 999 },
			"services.client.calls.a.retry.rest: 999ns is below 1µs: say 0 for no rest, or at least that"},
		{"A cap is never negative.",
			func(t *topology.Topology) { clientRetry(t).Rest.Cap = -1 },
			"services.client.calls.a.retry.cap: -1ns is negative: say 0 or more"},
		{"A cap of over a year is a mistake.",
			func(t *topology.Topology) { clientRetry(t).Rest.Cap = year + 1 },
			"services.client.calls.a.retry.cap: 8760h0m0.000000001s is over the limit of a year (8760h0m0s)"},
		{"A cap below the first rest would make the rest a lie.",
			func(t *topology.Topology) {
				clientRetry(t).Rest = policy.Rest{Base: time.Second, Cap: time.Millisecond}
			},
			"services.client.calls.a.retry.cap: 1ms is below the first rest of 1s: raise the cap or shorten the rest"},
		{"A growth of less than 1 shrinks.",
			func(t *topology.Topology) {
				clientRetry(t).Rest.Backoff = policy.Backoff{Growth: policy.Exponential, Factor: 1}
			},
			`services.client.calls.a.retry.backoff: backoff factor "0.001": choose a number from 1.001 to 1000 (fixed does not grow)`},
		{"A share of over 100 % gives negative rests.",
			func(t *topology.Topology) {
				clientRetry(t).Rest.Jitter = policy.Jitter{Law: policy.Proportional, Share: 2_000_000}
			},
			`services.client.calls.a.retry.jitter: jitter "200%": the share must be from 0% to 100%, so that no rest is negative`},
		{"A timeout of 0 ends before it begins.",
			func(t *topology.Topology) { setTimeout(t, 0) },
			"services.client.calls.a.timeout.limit: 0s would end before it began: say more than 0, or leave it out"},
		{"A timeout of over a year is none.",
			func(t *topology.Topology) { setTimeout(t, year+1) },
			"services.client.calls.a.timeout.limit: 8760h0m0.000000001s is over the limit of a year (8760h0m0s)"},

		{"A herd of nobody sends nothing.",
			func(t *topology.Topology) { t.Load.Herd.Clients = 0 },
			"load.herd.clients: 0 would send nothing: say 1 or more"},
		{"A billion clients are enough for any engine.",
			func(t *topology.Topology) { t.Load.Herd.Clients = topology.MaxClients + 1 },
			"load.herd.clients: 1000000001 is over the limit of 1000000000"},
		{"Fewer than no requests are none.",
			func(t *topology.Topology) { t.Load.Herd.Requests = -1 },
			"load.herd.requests: -1 is not from 1 to 1000000"},
		{"A million requests of one client are enough.",
			func(t *topology.Topology) { t.Load.Herd.Requests = topology.MaxRequests + 1 },
			"load.herd.requests: 1000001 is not from 1 to 1000000"},
		{"A method that no service knows is a misprint.",
			func(t *topology.Topology) { t.Load.Method = "GTE" },
			`load.method: "GTE": choose GET, HEAD, OPTIONS, PUT, DELETE, POST, PATCH`},
		{"Nobody starts before the release.",
			func(t *topology.Topology) { t.Load.Herd.Smear = -time.Second },
			"load.herd.smear: -1s is negative: say 0 or more"},

		{"A histogram has bins.",
			func(t *topology.Topology) { t.Run.Bin = 0 },
			"run.bin: 0s is too narrow: say at least 1µs, such as 50ms"},
		{"A bin of over a year is none.",
			func(t *topology.Topology) { t.Run.Bin = year + 1 },
			"run.bin: 8760h0m0.000000001s is over the limit of a year (8760h0m0s)"},
		{"The release falls into bin 0.",
			func(t *topology.Topology) { t.Run.BinOffset = -1 },
			"run.bin_offset: -1ns is negative: say 0 or more"},
		{"It falls into bin 0 and not on its end, which belongs to bin 1.",
			func(t *topology.Topology) { t.Run.BinOffset = t.Run.Bin },
			"run.bin_offset: 50ms is not inside a bin of 50ms: choose less"},
		{"A run does not end before it begins.",
			func(t *topology.Topology) { t.Run.Until = -1 },
			"run.until: -1ns is negative: say 0 or more"},
		{"Nobody calls the client, so it has no hits.",
			func(t *topology.Topology) { t.Run.At = "client" },
			`run.at: no hits are counted at "client": choose a, b`},
		{"Nor has a layer that is not there.",
			func(t *topology.Topology) { t.Run.At = "z" },
			`run.at: no hits are counted at "z": choose a, b`},
		{"A loop without a rest stays at one instant.",
			func(t *topology.Topology) {
				t.Services[1].Calls[0].Policies[0].Retry.Attempts, t.Run.Until = policy.Unlimited, time.Second
			},
			"services.a: retries without a limit and without a rest never let time go by: say a rest"},
		{"Decorrelated jitter has no growth.",
			func(t *topology.Topology) {
				clientRetry(t).Rest = policy.Rest{Base: time.Second, Cap: time.Minute, AtCap: policy.Stop, Jitter: policy.Jitter{Law: policy.Decorrelated}}
			},
			"services.client.calls.a.retry.at_cap: decorrelated jitter has no growth that could reach a cap and stop: say hold, or another jitter"},
		{"What may go on for ever needs an end.",
			func(t *topology.Topology) { t.Services[1].Calls[0].Policies[0].Retry.Attempts = policy.Unlimited },
			"run.until: a retries without a limit, so the run may never end: say when it ends"},
		{"So does what hangs while nobody watches the clock.",
			func(t *topology.Topology) { t.Services[2].Fault = "503x2,hang" },
			"run.until: b hangs and no call above stops it, so the run may never end: say when it ends, or give a call a timeout"},
		{"A stall is a hang as well.",
			func(t *topology.Topology) { t.Services[2].Fault = "ok,stall" },
			"run.until: b hangs and no call above stops it, so the run may never end: say when it ends, or give a call a timeout"},
		{"Connections are no engine's business.",
			func(t *topology.Topology) { t.Services[2].Fault = "conn:ok,close" },
			"services.b.fault: conn: needs real connections: use labctl serve or a faultserver, or each: for turns by request"},
		{"Nor those of a replica.",
			func(t *topology.Topology) { t.Services[2].Replica = []topology.ReplicaOf{{Fault: "conn:ok,close"}} },
			"services.b.replica.0.fault: conn: needs real connections: use labctl serve or a faultserver, or each: for turns by request"},
		{"A timeout does not end what its own call leaves working.",
			func(t *topology.Topology) {
				t.Services[1].Fault = "hang"
				setTimeout(t, time.Second)
				t.Services[0].Calls[0].KeepWorking = true
			},
			"run.until: a hangs and no call above stops it, so the run may never end: say when it ends, or give a call a timeout"},
		{"Nor does it reach what a call further down leaves working.",
			func(t *topology.Topology) {
				t.Services[2].Fault = "hang"
				setTimeout(t, time.Second)
				t.Services[1].Calls[0].KeepWorking = true
			},
			"run.until: b hangs and no call above stops it, so the run may never end: say when it ends, or give a call a timeout"},
	} {
		top := lab()
		tt.change(&top)
		equal(t, tt.what, message(top.Validate()), tt.want)
	}
}

func setTimeout(t *topology.Topology, limit time.Duration) {
	t.Services[0].Calls[0].Policies = []topology.Policy{{Timeout: &policy.TimeoutAfter{Limit: limit}}}
}

// What stands exactly on a limit is accepted.
func TestValidateAccepts(t *testing.T) {
	for _, tt := range []struct {
		what   string
		change func(*topology.Topology)
	}{
		{"The smallest lab: a client and a tail.", func(t *topology.Topology) { t.Services = topology.Chain(1) }},
		{"64 layers, client and tail included.", func(t *topology.Topology) {
			t.Services = topology.Chain(1)
			for i := 2; i < 64; i++ {
				last := &t.Services[len(t.Services)-1]
				last.Calls = []topology.Call{{To: topology.LayerName(i)}}
				t.Services = append(t.Services, topology.Service{Name: topology.LayerName(i)})
			}
		}},
		{"A call without policies is one attempt.", func(t *topology.Topology) { t.Services[0].Calls[0].Policies = nil }},
		{"Names with all that is allowed, 64 bytes long.", func(t *topology.Topology) {
			name := "Az09-_" + strings.Repeat("x", 58)
			t.Services[1].Name, t.Services[0].Calls[0].To = name, name
		}},
		{"A million attempts.", func(t *topology.Topology) { clientRetry(t).Attempts = topology.MaxAttempts }},
		{"A rest of a microsecond.", func(t *topology.Topology) { clientRetry(t).Rest.Base = time.Microsecond }},
		{"A cap that is the first rest.", func(t *topology.Topology) {
			clientRetry(t).Rest = policy.Rest{Base: time.Second, Cap: time.Second}
		}},
		{"A rest of a year.", func(t *topology.Topology) { clientRetry(t).Rest.Base = topology.MaxDuration }},
		{"The shortest timeout there is.", func(t *topology.Topology) { setTimeout(t, 1) }},
		{"A share of 100 %.", func(t *topology.Topology) {
			clientRetry(t).Rest.Jitter = policy.Jitter{Law: policy.Proportional, Share: 1_000_000}
		}},
		{"A billion clients.", func(t *topology.Topology) { t.Load.Herd.Clients = topology.MaxClients }},
		{"The release a nanosecond before the end of bin 0.", func(t *topology.Topology) { t.Run.BinOffset = t.Run.Bin - 1 }},
		{"Retries without a limit, in a run that ends.", func(t *topology.Topology) {
			clientRetry(t).Attempts, t.Run.Until = policy.Unlimited, time.Second
			clientRetry(t).Rest.Base = time.Millisecond
		}},
		{"A hang that a timeout two hops up ends.", func(t *topology.Topology) {
			t.Services[2].Fault = "hang"
			setTimeout(t, time.Second)
		}},
		{"A hang in a run that ends.", func(t *topology.Topology) { t.Services[2].Fault, t.Run.Until = "hang", time.Second }},
		{"A histogram of a layer in the middle.", func(t *topology.Topology) { t.Run.At = "a" }},
		{"A fault in the middle.", func(t *topology.Topology) { t.Services[1].Fault = "503x2,ok" }},
	} {
		top := lab()
		tt.change(&top)
		equal(t, tt.what, message(top.Validate()), "")
	}
}
