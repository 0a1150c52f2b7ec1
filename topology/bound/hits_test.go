package bound_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labctl/topology"
	"labctl/topology/bound"
)

// layersOf is "client × a × b: 3 × 3 × 3".
func layersOf(s bound.Service) string {
	var names, factors []string
	for _, l := range s.Layers {
		names, factors = append(names, l.Name), append(factors, fmt.Sprint(l.Attempts))
	}
	return strings.Join(names, " ") + ": " + strings.Join(factors, " ")
}

// The hits of one request are the product of the attempts on a way, and the sum
// over all ways.
func TestHits(t *testing.T) {
	for _, tt := range []struct {
		sentence string
		top      topology.Topology
		at       string
		hits     int64
		layers   string
	}{
		{"three layers of three", chain(t, []int{3, 3, 3}), "c", 27, "client a b: 3 3 3"},
		{"case A01: two hops of a mesh retry by default", chain(t, []int{1, 3, 3}), "c", 9, "a b: 3 3"},
		{"case A01: retries off at b only", chain(t, []int{1, 3, 1}), "c", 3, "a: 3"},
		{"case A02: an application's 3 retries × an SDK's 2", chain(t, []int{4, 3}), "b", 12, "client a: 4 3"},
		{"case A02: 3 × 3 × 5 retries, which are 6 attempts", chain(t, []int{3, 3, 6}), "c", 54, "client a b: 3 3 6"},
		{"two ways add up, and the worst is named", graph(t, "client: a*2 b*3", "a: c*2", "b: c*4", "c:"), "c", 16, "client b: 3 4"},
		{"calls at once count like calls in turn", graph(t, "client: a b", "a: c*2", "b: c*2", "c:"), "c", 4, "a: 2"},
		{"a hedge multiplies as a retry does", chain(t, []int{3}, onA+"hedge.delay=1s", onA+"hedge.max=2"), "a", 6, "client: 6"},
		{"no limit", chain(t, []int{2, 1}, onB+"retry.attempts=unlimited", onB+"retry.rest=1s", "run.until=1m"), "b", bound.Unlimited, fmt.Sprintf("client a: 2 %d", bound.Unlimited)},
		{"a time that ends the retries", chain(t, []int{1}, onA+"retry.attempts=unlimited", onA+"retry.rest=1s", onA+"retry.max_elapsed=5s", "run.until=1m"), "a", 6, "client: 6"},
		{"tested before the rest, it lets the last one cross it", chain(t, []int{1}, onA+"retry.attempts=9", onA+"retry.rest=1s", onA+"retry.max_elapsed=4500ms", onA+"retry.elapsed_rule=before-rest"), "a", 6, "client: 6"},
		{"full jitter may be no rest at all", chain(t, []int{9}, onA+"retry.rest=1s", onA+"retry.jitter=full", onA+"retry.max_elapsed=5s"), "a", 9, "client: 9"},
		{"a timeout around them", chain(t, []int{9}, onA+"retry.rest=1s", onA+"timeout=3s", onA+"policies=timeout,retry"), "a", 3, "client: 3"},
		{"one that keeps the work going ends nothing", chain(t, []int{9}, onA+"retry.rest=1s", onA+"timeout=3s", onA+"policies=timeout,retry", onA+"keep_working=true"), "a", 9, "client: 9"},
		{"a deadline that came in", chain(t, []int{1, 9}, onA+"deadline.limit=300ms", onA+"deadline.mode=remaining", onB+"deadline.check=true", onB+"retry.rest=100ms"), "b", 3, "a: 3"},
		{"a cap that stops", chain(t, []int{9}, onA+"retry.rest=1s", onA+"retry.backoff=exponential", onA+"retry.cap=5s", onA+"retry.at_cap=stop"), "a", 3, "client: 3"},
		{"a budget of a request", chain(t, []int{9}, onA+"budget.law=google", onA+"budget.attempts=4"), "a", 4, "client: 4"},
		{"a POST that is not retried", chain(t, []int{9}, "load.method=POST", onA+"retry.repeatable_only=true"), "a", 1, ": "},
	} {
		s := at(t, bound.Of(&tt.top), tt.at)
		equal(t, tt.sentence, s.Hits, tt.hits)
		equal(t, tt.sentence+": layers", layersOf(s), tt.layers)
	}
}

// Routes do not multiply each other's retries.
func TestHitsByRoute(t *testing.T) {
	top := chain(t, []int{3, 4}, "load.herd.route=fast", "load.others.slow.clients=1", "services.client.calls.a.retry.route=fast", "services.a.calls.b.retry.route=!fast")
	s := at(t, bound.Of(&top), "b")
	equal(t, "hits", s.Hits, 4)
	equal(t, "layers", layersOf(s), "a: 4")
}

// Ways are counted, not walked: 40 layers of two services have 2³⁹ of them.
func TestManyWays(t *testing.T) {
	lines := []string{"client: a1*2 b1*2"}
	for i := 1; i < 40; i++ {
		lines = append(lines, fmt.Sprintf("a%d: a%d*2 b%d*2", i, i+1, i+1), fmt.Sprintf("b%d: a%d*2 b%d*2", i, i+1, i+1))
	}
	top := graph(t, append(lines, "a40:", "b40:")...)
	s := at(t, bound.Of(&top), "b40")
	equal(t, "ways", s.Ways, 1<<39)
	equal(t, "worst way", s.Product, 1<<40)
	equal(t, "hits", s.Hits, bound.Unlimited) // 2⁷⁹ are beyond counting
}

// Walking every way gives the same as one pass over the calls.
func TestOnePassIsEveryWay(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		top := anyGraph(r)
		report := bound.Of(&top)
		hits, product, ways := map[string]int64{}, map[string]int64{}, map[string]int64{}
		var walk func(name string, attempts int64)
		walk = func(name string, attempts int64) {
			hits[name] += attempts
			product[name] = max(product[name], attempts)
			ways[name]++
			for _, c := range top.Service(name).Calls {
				walk(c.To, attempts*int64(c.Attempts()))
			}
		}
		walk(topology.ClientName, 1)
		for _, s := range report.Services {
			equal(r, "hits on "+s.Name, s.Hits, hits[s.Name])
			equal(r, "worst way to "+s.Name, s.Product, product[s.Name])
			equal(r, "ways to "+s.Name, s.Ways, ways[s.Name])
			named := int64(1)
			for _, l := range s.Layers {
				named *= l.Attempts
			}
			equal(r, "layers to "+s.Name, named, s.Product)
		}
	})
}
