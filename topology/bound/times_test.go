package bound_test

import (
	"testing"
	"time"

	"labctl/topology"
	"labctl/topology/bound"
)

const (
	second = time.Second
	never  = bound.Unbounded
)

// How long a client waits at worst: for services that may hang, and for services
// that answer in their own time.
func TestTimes(t *testing.T) {
	article := []string{onA + "timeout=1s", onA + "retry.rest=1s", onA + "retry.backoff=exponential", onA + "retry.cap=4s"}
	with := func(more ...string) topology.Topology {
		return chain(t, []int{4}, append(article[:len(article):len(article)], more...)...)
	}
	takes := func(d string) string { return "services.a.time=" + d }
	for _, tt := range []struct {
		sentence         string
		top              topology.Topology
		worst, answering time.Duration
	}{
		{"the article's: 4 × 1 s + 1 + 2 + 4 s", with(), 11 * second, 7 * second},
		{"every rest the longest", with(onA+"retry.rest=4s", onA+"retry.backoff=fixed"), 16 * second, 12 * second},
		{"attempts that answer", with(takes("100ms")), 11 * second, 7400 * time.Millisecond},
		{"jitter adds to the rests", with(onA + "retry.jitter=50%"), 14500 * time.Millisecond, 10500 * time.Millisecond},
		{"but not above a cap that comes after it", with(onA+"retry.jitter=50%", onA+"retry.order=jitter-then-cap"), 12500 * time.Millisecond, 8500 * time.Millisecond},
		{"decorrelated jitter: 3, 4, 4", with(onA + "retry.jitter=decorrelated"), 15 * second, 11 * second},
		{"linear: 1, 2, 3", with(onA + "retry.backoff=linear"), 10 * second, 6 * second},
		{"a cap that stops rests once more in vain", with(onA+"retry.cap=3s", onA+"retry.at_cap=stop"), 5 * second, 3 * second},
		{"no timeout", with(onA+"timeout=none", takes("1s")), never, 11 * second},
		{"no limit of attempts", with(onA+"retry.attempts=unlimited", "run.until=1h"), never, never},
		{"which a deadline ends", with(onA+"retry.attempts=unlimited", "run.until=1h", onA+"deadline.limit=9s", onA+"deadline.enforce=true"), 9 * second, 9 * second},
		{"a checked deadline lets the last attempt run", with(onA+"deadline.limit=9s", onA+"deadline.check=true"), 10 * second, 7 * second},
		{"unless there is a need for time", with(onA+"deadline.limit=9s", onA+"deadline.check=true", onA+"deadline.useful=1s"), 9 * second, 7 * second},
		{"elapsed time with the rest included", with(onA + "retry.max_elapsed=5s"), 6 * second, 5 * second},
		{"elapsed time without it", with(onA+"retry.max_elapsed=5s", onA+"retry.elapsed_rule=before-rest"), 10 * second, 7 * second},
		{"a timeout around all", with(onA + "policies=timeout,retry"), second, second},
		{"a wait for a place", with(onA+"bulkhead.limit=1", onA+"bulkhead.wait=2s"), 13 * second, 9 * second},
		{"one without an end", with(onA+"bulkhead.limit=1", onA+"bulkhead.queue=9"), never, never},
		{"inside the timeout it has one", with(onA+"pool.limit=1", onA+"pool.queue=9"), 11 * second, 11 * second},
		{"nobody may wait", with(onA+"bulkhead.limit=1", onA+"bulkhead.queue=none"), 11 * second, 7 * second},
		{"a hedge", with(onA+"hedge.delay=200ms", onA+"policies=hedge,timeout"), 1200 * time.Millisecond, 0},
		{"a hedge that learns its delay may be as late as an answer", with(onA+"hedge.quantile=p95", onA+"policies=hedge,timeout"), 2 * second, 0},
		{"the network, twice", with(onA + "latency=10ms"), 11 * second, 7080 * time.Millisecond},
		{"a long tail", with(takes("exponential:1ms")), 11 * second, 11 * second},
		{"a queue of 4 in front of 2 workers", with(takes("100ms"), "services.a.workers=2", "services.a.queue=4"), 11 * second, 8200 * time.Millisecond},
		{"a queue without a limit", with(takes("100ms"), "services.a.workers=2"), 11 * second, 11 * second},
		{"a hang", with("services.a.fault=hang"), 11 * second, 11 * second},
		{"a delay of the fault program", with("services.a.fault=503+delay=100ms"), 11 * second, 7400 * time.Millisecond},
		{"a Retry-After of 3 s: 3 + 3 + 4", with("services.a.fault=503+retry-after=3"), 14 * second, 10 * second},
		{"that is ignored", with("services.a.fault=503+retry-after=3", onA+"retry.retry_after=ignore"), 11 * second, 7 * second},
		{"a stall", with(takes("100ms"), "services.a.speed=10s..10.5s:0%"), 11 * second, 9400 * time.Millisecond},
		{"a deadline that comes in", chain(t, []int{1, 3}, onA+"deadline.limit=1s", onA+"deadline.mode=remaining", onB+"deadline.enforce=true"), never, 0},
		{"layers: 2 × (2 × 1 s)", chain(t, []int{2, 2}, onB+"timeout=1s"), never, 0},
		{"layers in their own time: 2 × (0.1 + 2 × 0.2)", chain(t, []int{2, 2}, takes("100ms"), "services.b.time=uniform:100ms..200ms"), never, second},
		{"layers, cut by a timeout", chain(t, []int{2, 2, 2}, onA+"timeout=5s", onB+"timeout=3s", onC+"timeout=1s"), 10 * second, 0},
	} {
		got := at(t, bound.Of(&tt.top), "client").Time
		equal(t, tt.sentence, got, bound.Time{Worst: tt.worst, Answering: tt.answering})
	}
}

// Calls in turn add up, calls at once count as the longest.
func TestTimesOfSeveralCalls(t *testing.T) {
	fan := []string{"services.client.calls.a.timeout=1s", "services.client.calls.b.timeout=3s", "services.a.time=200ms", "services.b.time=300ms"}
	inTurn := graph(t, "client: a b", "a:", "b:")
	change(t, &inTurn, fan...)
	equal(t, "in turn", at(t, bound.Of(&inTurn), "client").Time, bound.Time{Worst: 4 * second, Answering: 500 * time.Millisecond})
	change(t, &inTurn, "services.client.parallel=true")
	equal(t, "at once", at(t, bound.Of(&inTurn), "client").Time, bound.Time{Worst: 3 * second, Answering: 300 * time.Millisecond})
}

// What a call costs is said of every call, beside the rule of thumb where it applies.
func TestCalls(t *testing.T) {
	const onB = "services.a.calls.b."
	top := chain(t, []int{1, 4}, onB+"timeout=1s", onB+"retry.rest=1s", onB+"retry.backoff=exponential", onB+"retry.cap=4s")
	calls := bound.Of(&top).Calls
	equal(t, "client", calls[0], bound.Call{Path: "services.client.calls.a", From: "client", To: "a", Attempts: 1, Time: bound.Time{Worst: never, Answering: 7 * second}})
	equal(t, "a", calls[1], bound.Call{Path: "services.a.calls.b", From: "a", To: "b", Attempts: 4, Time: bound.Time{Worst: 11 * second, Answering: 7 * second}, Article: 15 * second})
	b, _ := top.Services[1].Calls[0].Bound()
	equal(t, "as the result of a run has it", b, topology.Bound{Exact: calls[1].Time.Worst, Article: calls[1].Article})
}
