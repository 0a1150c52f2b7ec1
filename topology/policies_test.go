package topology_test

import (
	"strings"
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

const onB = "services.a.calls.b."

// stack names the policies of a's call, outermost first.
func stack(t topology.Topology) string {
	var names []string
	for _, p := range t.Services[1].Calls[0].Policies {
		names = append(names, p.Called())
	}
	return strings.Join(names, " ")
}

func setting(t *testing.T, top *topology.Topology, pathsAndValues ...string) {
	t.Helper()
	for i := 0; i < len(pathsAndValues); i += 2 {
		if err := top.Set(topology.Setting{Path: pathsAndValues[i], Value: pathsAndValues[i+1]}); err != nil {
			t.Fatal(err)
		}
	}
}

// A setting adds the policy that a call lacks in its usual place, whatever the
// order of the settings.
func TestUsualOrder(t *testing.T) {
	top := lab()
	setting(t, &top,
		onB+"balance.law", "random", onB+"pool.limit", "20", onB+"timeout", "1s", onB+"breaker.failures", "5",
		onB+"bulkhead.limit", "10", onB+"adaptive.target", "50ms", onB+"deadline.limit", "2s", onB+"deadline.check", "true", onB+"fallback.static", "true")
	equal(t, "stack", stack(top), "fallback deadline adaptive bulkhead retry breaker timeout pool balance")
	equal(t, "valid", message(top.Validate()), "")

	setting(t, &top, onB+"breaker", "none", onB+"balance", "none", onB+"adaptive", "none", onB+"breaker", "none")
	equal(t, "some taken out", stack(top), "fallback deadline bulkhead retry timeout pool")

	setting(t, &top, onB+"policies", "retry, bulkhead, timeout")
	equal(t, "another order, and the others taken out", stack(top), "retry bulkhead timeout")
}

// The order of a stack names what is there, each once.
func TestOrderRefuses(t *testing.T) {
	for _, tt := range []struct{ value, want string }{
		{"breaker,retry", `the call has no policy "breaker": it has retry`},
		{"retry,retry", `"retry" stands twice: name each policy once, outermost first`},
	} {
		top := lab()
		equal(t, tt.value, message(top.Set(topology.Setting{Path: onB + "policies", Value: tt.value})), onB+"policies: "+tt.want)
		equal(t, tt.value+" changes nothing", stack(top), "retry")
	}
}

// What contradicts itself is refused with the field and the cure.
func TestContradictions(t *testing.T) {
	for _, tt := range []struct {
		sentence string
		settings []string
		want     string
	}{
		{"an attempt may not take longer than all attempts together",
			[]string{onB + "deadline.limit", "1s", onB + "deadline.check", "true", onB + "timeout", "2s"},
			"timeout: 2s is longer than the deadline of 1s around it, and never reached: shorten it, or lengthen that"},
		{"nor a retry go on longer than its deadline",
			[]string{onB + "deadline.limit", "1s", onB + "deadline.enforce", "true", onB + "retry.max_elapsed", "2s"},
			"retry: 2s is longer than the deadline of 1s around it, and never reached: shorten it, or lengthen that"},
		{"a bulkhead of nobody", []string{onB + "bulkhead.limit", "0"},
			"bulkhead.limit: 0 is not from 1 to 10000000: with 0 no call would ever be made"},
		{"nobody waits where there is no queue", []string{onB + "pool.limit", "5", onB + "pool.queue", "none", onB + "pool.wait", "1s"},
			"pool.wait: nobody waits without a queue: leave wait out, or say how many may wait"},
		{"useful time of a deadline that nobody checks", []string{onB + "deadline.limit", "1s", onB + "deadline.enforce", "true", onB + "deadline.useful", "10ms"},
			"deadline.useful: a deadline that is not checked refuses no attempt: say check: true, or leave it out"},
		{"a deadline that nobody looks at", []string{onB + "deadline.limit", "1s"},
			"deadline.limit: a deadline that is not checked, not enforced and not sent on does nothing: say check, enforce, or a mode"},
		{"a breaker for each replica where none is chosen yet", []string{onB + "breaker.failures", "5", onB + "breaker.per", "host"},
			"breaker.per: no replica is chosen yet where it stands: put a balance outside it, such as policies: retry, balance, breaker"},
		{"more useful time than there is", []string{onB + "deadline.limit", "1s", onB + "deadline.check", "true", onB + "deadline.useful", "1s"},
			"deadline.useful: 1s are never left of 1s: say less, or raise the limit"},
		{"two reasons to open", []string{onB + "breaker.failures", "5", onB + "breaker.rate", "50%"},
			"breaker.rate: both a number of failures and a rate are given: choose one"},
		{"a volume of no rate", []string{onB + "breaker.failures", "5", onB + "breaker.volume", "10"},
			"breaker.volume: it belongs to a rate: say rate, or leave it out"},
		{"a limit with nothing to follow", []string{onB + "adaptive.max", "10"},
			"adaptive.target: without a latency to aim at the limit would have nothing to follow: say one, such as 100ms"},
		{"bounds the wrong way round", []string{onB + "adaptive.target", "1s", onB + "adaptive.min", "9", onB + "adaptive.max", "3"},
			"adaptive.min: 9 is above the max of 3: swap them"},
		{"a route that nobody asks for", []string{onB + "bulkhead.limit", "5", onB + "bulkhead.route", "slow"},
			"bulkhead.route: no client asks for \"slow\": give a herd that route, such as load.others.slow.clients: 1"},
	} {
		top := lab()
		setting(t, &top, tt.settings...)
		equal(t, tt.sentence, message(top.Validate()), "services.a.calls.b."+tt.want)
	}
	top := lab()
	equal(t, "0 failures", message(top.Set(topology.Setting{Path: onB + "breaker.failures", Value: "0"})),
		onB+"breaker.failures: 0 would stand for the default: say 1 or more, or leave it out")
	equal(t, "a half-open limit of 0", message(top.Set(topology.Setting{Path: onB + "breaker.permits", Value: "0"})),
		onB+"breaker.permits: a half-open breaker with 0 permits never closes again: say 1 or more")
}

// Each edge gets policies with a state of their own; a callee with replicas is
// called by way of a balancer, innermost unless the call says where.
func TestStack(t *testing.T) {
	top := lab()
	setting(t, &top, onB+"breaker.failures", "5", "services.b.replicas", "3", "services.b.balance", "least")
	call := top.Services[1].Calls[0]
	one, other := call.Stack(&top), call.Stack(&top)
	equal(t, "policies", len(one), 3)
	equal(t, "a state each", one[1] == other[1], false)
	balance, is := one[2].(*policy.BalanceState)
	equal(t, "balancer innermost", is, true)
	equal(t, "of all replicas", balance.Balance, policy.Balance{Hosts: 3, Law: policy.LeastInFlight})
	equal(t, "clients meet in it", call.Shares(&top), true)

	setting(t, &top, onB+"balance.law", "random", onB+"policies", "retry,balance,breaker")
	placed := top.Services[1].Calls[0].Stack(&top)
	equal(t, "policies", len(placed), 3)
	equal(t, "placed", placed[1].(*policy.BalanceState).Balance, policy.Balance{Hosts: 3, Law: policy.Random})

	setting(t, &top, onB+"policies", "retry,balance")
	equal(t, "nobody meets in chance", top.Services[1].Calls[0].Shares(&top), false)
}

// A policy may be for one route, or for all but one.
func TestStackOfRoutes(t *testing.T) {
	top := lab()
	setting(t, &top, "load.herd.route", "fast", "load.others.slow.clients", "3",
		onB+"bulkhead.limit", "5", onB+"bulkhead.route", "slow", onB+"timeout", "1s", onB+"timeout.route", "!slow")
	equal(t, "valid", message(top.Validate()), "")
	equal(t, "routes", strings.Join(top.Routes(), " "), "fast slow")
	equal(t, "clients", top.Load.Clients(), top.Load.Herd.Clients+3)
	equal(t, "the first client's herd", top.Load.HerdOf(0).Route, "fast")
	equal(t, "the last client's herd", top.Load.HerdOf(top.Load.Clients()-1).Route, "slow")
	s := top.Services[1].Calls[0].Stack(&top)
	slow, others := s[0].(*policy.Only), s[2].(*policy.Only)
	equal(t, "only slow", slow.Route == top.Route("slow") && !slow.Except, true)
	equal(t, "all but slow", others.Route == top.Route("slow") && others.Except, true)
}

// A clone shares no settings of a policy.
func TestCloneOfPolicies(t *testing.T) {
	top := lab()
	setting(t, &top, onB+"breaker.failures", "5", onB+"pool.limit", "9")
	copied := top.Clone()
	setting(t, &copied, onB+"breaker.failures", "7", onB+"pool.limit", "1")
	equal(t, "breaker", top.Services[1].Calls[0].Policies[1].Breaker.Failures, 5)
	equal(t, "pool", top.Services[1].Calls[0].Policies[2].Pool.Limit, 9)
}

// The rule of thumb and the exact bound: 3 retries, 1 s timeout, rests of 1, 2 and
// 4 s. The exact one is longer only when every rest is the longest, by one timeout.
func TestBound(t *testing.T) {
	for _, tt := range []struct {
		sentence       string
		settings       []string
		exact, article time.Duration
		ok             bool
	}{
		{"the article's", []string{onB + "retry.backoff", "exponential"}, 11 * time.Second, 15 * time.Second, true},
		{"every rest the longest", []string{onB + "retry.rest", "4s"}, 16 * time.Second, 15 * time.Second, true},
		{"no limit of attempts", []string{onB + "retry.attempts", "unlimited"}, 0, 0, false},
		{"no timeout", []string{onB + "timeout", "none"}, 0, 0, false},
		{"a timeout over all attempts bounds none of them", []string{onB + "policies", "timeout,retry"}, 0, 0, false},
	} {
		top := lab()
		setting(t, &top, onB+"retry.attempts", "4", onB+"retry.rest", "1s", onB+"retry.cap", "4s", onB+"timeout", "1s")
		setting(t, &top, tt.settings...)
		b, ok := top.Services[1].Calls[0].Bound()
		equal(t, tt.sentence, b, topology.Bound{Exact: tt.exact, Article: tt.article})
		equal(t, tt.sentence, ok, tt.ok)
	}
}

// An instant moves by the difference of two clocks; a duration does not.
func TestCarry(t *testing.T) {
	ahead, behind := skewed(200*time.Millisecond), skewed(-50*time.Millisecond)
	at := policy.Deadline{Mode: policy.Absolute, Value: int64(time.Second)}
	equal(t, "read by a clock that is ahead", topology.Carry(at, &topology.Service{}, ahead).Value, int64(800*time.Millisecond))
	equal(t, "written by one", topology.Carry(at, ahead, behind).Value, int64(1250*time.Millisecond))
	left := policy.Deadline{Mode: policy.Remaining, Value: int64(time.Second)}
	equal(t, "a duration", topology.Carry(left, ahead, behind), left)
}

// A policy says in a few words what it is set to.
func TestPolicyText(t *testing.T) {
	for _, tt := range []struct{ path, value, want string }{
		{"breaker.failures", "3", "breaker after 3 failures, open 1m0s"},
		{"breaker.rate", "50%", "breaker at 50%, open 1m0s"},
		{"bulkhead.limit", "10", "bulkhead of 10"},
		{"pool.limit", "20", "pool of 20"},
		{"deadline.limit", "300ms", "deadline 300ms not sent on"},
		{"timeout", "1s", "timeout 1s"},
		{"fallback.max_age", "5s", "fallback up to 5s old"},
		{"adaptive.target", "60ms", "adaptive limit, target 60ms, from 1"},
		{"budget.law", "envoy", "budget as envoy"},
		{"budget.ratio", "7.1%", "budget as finagle, 7.1%"},
		{"budget.floor", "0", "budget as finagle, no floor"},
		{"hedge.delay", "200ms", "hedge after 200ms, at most 2"},
		{"hedge.quantile", "p95", "hedge after p95, at most 2"},
		{"balance.failover", "true", "balance round-robin with failover"},
	} {
		top := lab()
		setting(t, &top, onB+"retry", "none", onB+tt.path, tt.value)
		equal(t, tt.path, top.Services[1].Calls[0].Policies[0].String(), tt.want)
	}
}

func skewed(d time.Duration) *topology.Service {
	return &topology.Service{Capacity: topology.Capacity{Skew: d}}
}

// What is allowed and seldom meant is said.
func TestDoubts(t *testing.T) {
	top := lab()
	setting(t, &top, onB+"pool.limit", "20")
	equal(t, "a queue without any limit", len(top.Doubts()), 1)
	equal(t, "code", top.Doubts()[0].Code, "unbounded-queue")
	setting(t, &top, onB+"pool.wait", "1s")
	equal(t, "with one", len(top.Doubts()), 0)
}
