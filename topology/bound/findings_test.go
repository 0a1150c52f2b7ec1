package bound_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labctl/topology"
	"labctl/topology/bound"
)

// codes are the findings as "severity code path", short of what all paths share.
func codes(r bound.Report) (out []string) {
	for _, f := range r.Findings {
		path := strings.ReplaceAll(strings.ReplaceAll(f.Path, "services.", ""), "calls.", "")
		out = append(out, fmt.Sprintf("%s %s %s", f.Severity, f.Code, path))
	}
	return out
}

const onA, onB, onC = "services.client.calls.a.", "services.a.calls.b.", "services.b.calls.c."

// sound is a retry about which there is nothing to say.
var sound = []string{onA + "retry.attempts=3", onA + "retry.rest=100ms", onA + "retry.backoff=exponential", onA + "retry.cap=1s", onA + "retry.jitter=full", onA + "timeout=1s"}

// Every small lab has exactly its findings.
func TestFindings(t *testing.T) {
	chainOf := func(n int, settings ...string) topology.Topology {
		return chain(t, slices.Repeat([]int{1}, n), append(slices.Clone(sound), settings...)...)
	}
	open := func(rate string, settings ...string) topology.Topology {
		return chainOf(1, append([]string{"load.rate=" + rate, "run.until=60s"}, settings...)...)
	}
	for _, tt := range []struct {
		sentence string
		top      topology.Topology
		want     []string
	}{
		{"sound: one client", chainOf(1), nil},
		{"sound: a herd", chainOf(1, "load.herd.clients=100"), nil},
		{"sound: three layers, of which one retries and the others wait long enough", chainOf(3, onA+"timeout=4s", onB+"timeout=2s", onC+"timeout=1s"), nil},
		{"sound: POST with a key", chainOf(1, "load.method=POST", "load.key=true"), nil},
		{"sound: a breaker inside the retry", chainOf(1, onA+"breaker.failures=5", "load.herd.clients=100"), nil},

		{"three layers retry", chainOf(3, onA+"timeout=20s", onB+"retry.attempts=3", onB+"timeout=4s", onC+"retry.attempts=3", onC+"timeout=1s"), []string{"warning layers-multiply b.c.retry"}},
		{"two policies of one call", chainOf(1, onA+"hedge.delay=200ms"), []string{"warning several-owners client.a.retry"}},
		{"a retry of what cannot succeed", chainOf(1, onA+"retry.on=5xx,404"), []string{"warning retry-hopeless client.a.retry"}},
		{"all of 4xx", chainOf(1, onA+"retry.on=4xx"), []string{"warning retry-hopeless client.a.retry"}},
		{"no timeout", chainOf(1, onA+"timeout=none"), []string{"warning retry-without-timeout client.a.retry"}},
		{"a POST without a key", chainOf(1, "load.method=POST"), []string{"warning unrepeatable-retried client.a.retry"}},
		{"which is not repeated", chainOf(1, "load.method=POST", onA+"retry.repeatable_only=true"), nil},
		{"a hedged POST", chainOf(1, "load.method=POST", onA+"retry=none", onA+"hedge.delay=200ms"), []string{"error unrepeatable-hedged client.a.hedge"}},
		{"a herd without jitter", chainOf(1, "load.herd.clients=100", onA+"retry.jitter=none"), []string{"warning no-jitter client.a.retry"}},
		{"a herd without a rest", chainOf(1, "load.herd.clients=100", onA+"retry.rest=0s"), []string{"warning no-jitter client.a.retry"}},
		{"one client without jitter", chainOf(1, onA+"retry.jitter=none"), nil},
		{"case A20: no jitter is left at the cap", chainOf(1, "load.herd.clients=100", onA+"retry.jitter=50%", onA+"retry.order=jitter-then-cap", onA+"retry.attempts=9"), []string{"note no-jitter-at-cap client.a.retry"}},
		{"case A20: a maximum of a minute that waits 90 s", chainOf(1, onA+"retry.rest=60s", onA+"retry.cap=60s", onA+"retry.jitter=50%"), []string{"note above-cap client.a.retry"}},
		{"and one that is never reached", chainOf(1, onA+"retry.cap=60s", onA+"retry.jitter=50%"), nil},
		{"no cap", chainOf(1, onA+"retry.cap=0s", onA+"retry.attempts=20"), []string{"warning no-cap client.a.retry"}},
		{"no cap and few attempts", chainOf(1, onA+"retry.cap=0s"), nil},
		{"no cap, but an end", chainOf(1, onA+"retry.cap=0s", onA+"retry.attempts=20", onA+"deadline.limit=1m", onA+"deadline.enforce=true"), nil},

		{"a timeout that the caller does not wait for", chainOf(2, onA+"retry=none", onB+"timeout=2s"), []string{"note timeout-above-caller a.b.timeout"}},
		{"which nobody is told", chainOf(2, onA+"retry=none", onA+"keep_working=true", onB+"timeout=2s"), []string{"warning timeout-above-caller a.b.timeout"}},
		{"no timeout at all, and nobody is told", chainOf(2, onA+"retry=none", onA+"keep_working=true"), []string{"warning timeout-above-caller a.b"}},
		{"attempts that the caller does not wait for", chainOf(2, onA+"retry=none", onB+"timeout=400ms", onB+"retry.attempts=3"), []string{"note timeout-above-caller a.b.retry"}},
		{"a deadline that is passed on", chainOf(2, onA+"retry=none", onA+"deadline.limit=1s", onA+"deadline.mode=remaining", onB+"deadline.check=true", onB+"timeout=400ms", onB+"retry.attempts=3"), nil},
		{"no answer in time", chainOf(1, onA+"latency=600ms"), []string{"error deadline-cannot-be-met client.a.timeout"}},
		{"no answer in time for its service time", chainOf(1, "services.a.time=uniform:2s..3s"), []string{"error deadline-cannot-be-met client.a.timeout"}},
		{"the first rest is over the deadline", chainOf(1, onA+"retry.rest=1s", onA+"retry.jitter=none", onA+"deadline.limit=1s", onA+"deadline.check=true"), []string{"warning deadline-cannot-be-met client.a.retry"}},
		{"the first rest is over the elapsed time", chainOf(1, onA+"retry.rest=1s", onA+"retry.jitter=none", onA+"retry.max_elapsed=900ms", onA+"timeout=500ms"), []string{"warning deadline-cannot-be-met client.a.retry"}},
		{"attempts that never fit", chainOf(1, onA+"retry.jitter=none", onA+"retry.attempts=9", onA+"deadline.limit=1s", onA+"deadline.check=true"), []string{"note deadline-cannot-be-met client.a.retry"}},
		{"with full jitter they may", chainOf(1, onA+"retry.attempts=9", onA+"deadline.limit=1s", onA+"deadline.check=true"), nil},

		{"a breaker outside the retry", chainOf(1, onA+"breaker.failures=5", onA+"policies=breaker,retry,timeout", "load.herd.clients=100"), []string{"warning breaker-outside-retry client.a.breaker"}},
		{"a breaker that sees too few calls", chainOf(1, onA+"breaker.failures=31", "load.herd.clients=10"), []string{"warning breaker-never-opens client.a.breaker"}},
		{"a breaker that sees just enough", chainOf(1, onA+"breaker.failures=30", "load.herd.clients=10"), nil},
		{"a rate over more calls than there are", chainOf(1, onA+"breaker.rate=50%", onA+"breaker.volume=31", "load.herd.clients=10"), []string{"warning breaker-never-opens client.a.breaker"}},
		{"an open loop may be long enough", open("10/s", onA+"breaker.failures=1000"), nil},
		{"a bulkhead over too small a pool", chainOf(1, onA+"bulkhead.limit=10", onA+"bulkhead.queue=none", onA+"pool.limit=5", onA+"pool.wait=1s"), []string{"note pool-below-bulkhead client.a.pool"}},
		{"where no rest is without a connection", chainOf(1, onA+"retry=none", onA+"bulkhead.limit=10", onA+"bulkhead.queue=none", onA+"pool.limit=5", onA+"pool.wait=1s"), []string{"warning pool-below-bulkhead client.a.pool"}},
		{"a limit that is never reached", chainOf(1, onA+"bulkhead.limit=5", onA+"bulkhead.queue=none", onA+"pool.limit=10", onA+"pool.wait=1s"), []string{"note limit-never-reached client.a.pool"}},
		{"both alike", chainOf(1, onA+"bulkhead.limit=10", onA+"bulkhead.queue=none", onA+"pool.limit=10", onA+"pool.wait=1s"), nil},
		{"a queue without an end", chainOf(1, onA+"bulkhead.limit=10", "load.herd.clients=11"), []string{"warning unbounded-queue client.a.bulkhead"}},
		{"a queue that a timeout ends", chainOf(1, onA+"pool.limit=10", "load.herd.clients=11"), nil},

		{"a budget that a share makes nothing of", chainOf(1, onA+"budget.ratio=200%", onA+"budget.floor=none", "load.herd.clients=100"), []string{"warning budget-does-nothing client.a.budget"}},
		{"case A09: a share of 20 % of a herd, and no floor", chainOf(1, onA+"budget.ratio=20%", onA+"budget.floor=none", "load.herd.clients=100"), nil},
		{"a floor that a herd never uses up", chainOf(1, onA+"budget.floor=20", "load.herd.clients=100"), []string{"warning budget-does-nothing client.a.budget"}},
		{"a floor that it does", chainOf(1, onA+"budget.floor=19", "load.herd.clients=100"), nil},
		{"case A09: a floor of 10/s at a request a second with 11 attempts", open("1/s", onA+"retry.attempts=11", onA+"budget.floor=10"), []string{"warning budget-does-nothing client.a.budget"}},
		{"case A09: with 20 it refuses some", open("1/s", onA+"retry.attempts=20", onA+"budget.floor=10"), nil},
		{"as many in flight as there are requests", chainOf(1, onA+"budget.law=envoy", onA+"budget.ratio=100%", "load.herd.clients=100"), []string{"warning budget-does-nothing client.a.budget"}},
		{"a floor for all clients", chainOf(1, onA+"budget.law=envoy", onA+"budget.floor=100", "load.herd.clients=100"), []string{"warning budget-does-nothing client.a.budget"}},
		{"500 tokens pay for 50 retries after a timeout", chainOf(1, onA+"budget.law=aws", "load.herd.clients=25"), []string{"warning budget-does-nothing client.a.budget"}},
		{"not for 52", chainOf(1, onA+"budget.law=aws", "load.herd.clients=26"), nil},
		{"a bucket that stays above half", chainOf(1, onA+"budget.law=grpc"), []string{"warning budget-does-nothing client.a.budget"}},
		{"case A10: one that does not", chainOf(1, onA+"budget.law=grpc", "load.herd.requests=100"), nil},
		{"a budget inside the retry", chainOf(1, onA+"budget.law=google", onA+"policies=retry,budget,timeout"), []string{"warning budget-does-nothing client.a.budget"}},
		{"a budget without a retry", chainOf(1, onA+"retry=none", onA+"budget.law=google"), []string{"note budget-does-nothing client.a.budget"}},
	} {
		if got := codes(bound.Of(&tt.top)); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.sentence, got, tt.want)
		}
	}
}

// Case A05: 280 requests per second to a service that can do 300. One retry of
// each is too much, and so is a budget above 300/280 − 1 = 7.14 %.
func TestRetriesExceedCapacity(t *testing.T) {
	for _, tt := range []struct {
		sentence string
		settings []string
		want     string
	}{
		{"one retry", nil, "it can do 300/s, and retries may make 560/s of a load of 280/s, so that an outage may not end by itself: load it with at most 150/s, or bound the retries by a budget"},
		{"no retry", []string{onA + "retry.attempts=1"}, ""},
		{"half the load", []string{"load.rate=149/s"}, ""},
		{"a budget of 5 %", []string{onA + "budget.ratio=5%", onA + "budget.floor=none"}, ""},
		{"one of 10 %", []string{onA + "budget.ratio=10%", onA + "budget.floor=none"}, "it can do 300/s, and retries may make 308/s of a load of 280/s, so that an outage may not end by itself: load it with at most 272.7/s, or bound the retries by a budget"},
		{"a floor that undoes the 5 %", []string{onA + "budget.ratio=5%", onA + "budget.floor=7"}, "it can do 300/s, and retries may make 301/s of a load of 280/s, so that an outage may not end by itself: load it with at most 279.1/s, or bound the retries by a budget"},
		{"what is late is dropped", []string{"services.a.drop=true"}, ""},
	} {
		top := chain(t, []int{2}, "load.rate=280/s", "run.until=60s", onA+"timeout=1s", "services.a.workers=1", "services.a.time=3333333ns")
		change(t, &top, tt.settings...)
		got := ""
		for _, f := range bound.Of(&top).Findings {
			if f.Code == "retries-exceed-capacity" {
				got = f.Message
			}
		}
		equal(t, tt.sentence, got, tt.want)
	}
}

// A finding says in one line what is wrong, by how much, and what to do.
func TestMessages(t *testing.T) {
	for _, tt := range []struct {
		top  topology.Topology
		want string
	}{
		{chain(t, []int{3, 3, 3}), "warning: services.b.calls.c.retry: client, a and b all retry: 3 × 3 × 3 = 27 hits on c for one request: let one of them own the retries, and give the others 1 attempt [layers-multiply]"},
		{graph(t, "client: a*2 b*3", "a: c*2", "b: c*4", "c:"), "warning: services.b.calls.c.retry: client and b both retry: 3 × 4 = 12 hits on c for one request, and 16 hits with the other ways to it: let one of them own the retries, and give the others 1 attempt [layers-multiply]"},
		{chain(t, []int{3}, onA+"timeout=1s", onA+"retry.rest=60s", onA+"retry.cap=60s", onA+"retry.jitter=50%"), "note: services.client.calls.a.retry: the jitter comes after the cap of 1m0s, so a rest takes up to 1m30s: say order: jitter-then-cap, or lower the cap [above-cap]"},
		{chain(t, []int{1, 3}, onA+"timeout=1s", onB+"timeout=400ms"), "note: services.a.calls.b.retry: all its attempts may take 1.2s, and client leaves after 1s (timeout), so that the rest is never done: make it shorter, or let client wait longer [timeout-above-caller]"},
		{chain(t, []int{9}, onA+"retry.rest=100ms", onA+"timeout=1s", onA+"deadline.limit=450ms", onA+"deadline.check=true", onA+"timeout=200ms"), "note: services.client.calls.a.retry: only 5 of 9 attempts can begin within the 450ms of deadline: shorten the rests, or say fewer attempts [deadline-cannot-be-met]"},
	} {
		r := bound.Of(&tt.top)
		if len(r.Findings) == 0 {
			t.Fatalf("no finding, want %s", tt.want)
		}
		equal(t, "finding", r.Findings[0].String(), tt.want)
	}
}

// Routes that are treated alike are not told twice, and what is for one route is
// not put against what is for another.
func TestFindingsByRoute(t *testing.T) {
	top := chain(t, []int{1}, append(slices.Clone(sound), "load.herd.route=fast", "load.others.slow.clients=1", onA+"retry.on=404", onA+"breaker.failures=1", onA+"breaker.route=slow", onA+"policies=breaker,retry,timeout", onA+"retry.route=fast")...)
	if got, want := codes(bound.Of(&top)), []string{"warning retry-hopeless client.a.retry"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Of two budgets around each other only the outermost is asked.
func TestTwoBudgets(t *testing.T) {
	top := chain(t, []int{1}, append(slices.Clone(sound), onA+"budget.law=google", "load.herd.clients=100")...)
	call := &top.Services[0].Calls[0]
	second := call.Policies[0]
	second.Name = "second"
	call.Policies = slices.Insert(call.Policies, 1, second)
	if got, want := codes(bound.Of(&top)), []string{"warning budget-does-nothing client.a.second"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
