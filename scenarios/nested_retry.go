package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"labctl/report"
	"labctl/topology"
)

// powers is how many layers, and attempts, the 3ⁿ row and the kⁿ grid go up to.
const powers = 5

func nestedRetry() Scenario {
	const name = "nested-retry"
	return Scenario{
		Name:  name,
		Title: "Every layer retries, each thinking it is alone, and the effects multiply.",
		Text: `One request goes down a chain whose tail always answers 503. Each layer makes
up to three attempts. The tail is hit by the product of the attempts, not by
their sum: 3 × 3 = 9 with two retrying layers, 3 × 3 × 3 = 27 with three.

Read the hits column against the attempts per layer. outermost-only is the
cure: one layer owns the retries, and the tail gets 3 hits while a transient
error is still survived. The 3ⁿ row shows what each further layer costs;
--grid shows kⁿ for up to five attempts and five layers. --attempts 2,4,3 runs
a chain of your own, outermost layer first. --tree shows every attempt.`,
		Topology: topology.Topology{
			Load:     topology.Load{Herd: topology.Herd{Clients: 1}},
			Services: topology.Chain(1, 3, 3),
			Run:      topology.Run{Seed: 1, Bin: 50 * time.Millisecond},
		},
		Variants: slices.Concat([]Variant{
			{Name: "a3xb3"},
			{Name: "outermost-only", Set: []topology.Setting{set("services.b.calls.c.retry.attempts", "1")}},
			{Name: "client3xa3xb3", Set: []topology.Setting{set("services.client.calls.a.retry.attempts", "3")}},
		}, powerVariants(), gridVariants()),
		Grids: []Grid{
			{Name: "power3", Title: "3ⁿ: hits of one request through n layers of three attempts", ColName: "layers",
				Rows: []string{"hits"}, Cols: oneTo(powers)},
			{Name: "grid", Title: "kⁿ: hits of one request through n layers of k attempts", ColName: "layers", RowName: "attempts",
				Rows: oneTo(powers), Cols: oneTo(powers), OnRequest: true},
		},
		Figures: []Figure{
			figure(name, "a3xb3", "hits", 9, report.Exactly()),
			figure(name, "outermost-only", "hits", 3, report.Exactly()),
			figure(name, "client3xa3xb3", "hits", 27, report.Exactly()),
			{ID: name + "/power3.hits", Variants: names(powerVariants()), Field: "hits",
				Published: []int64{3, 9, 27}, Expected: []int64{3, 9, 27, 81, 243}},
			{ID: name + "/grid.hits", Variants: names(gridVariants()), Field: "hits",
				Published: "the product, not the sum", Expected: gridHits()},
			{ID: name + "/a3xb3.finding", Variants: []string{"a3xb3"}, Field: "finding",
				Published: "only one layer owns retries", Expected: "a and b both retry: 3 × 3 = 9"},
		},
	}
}

// powerVariants are chains of 1…5 layers of three attempts.
func powerVariants() []Variant {
	var out []Variant
	for n := 1; n <= powers; n++ {
		out = append(out, Variant{
			Name: fmt.Sprintf("power3-%d", n), Group: "power3",
			Services: topology.Chain(slices.Repeat([]int{3}, n)...),
		})
	}
	return out
}

// gridVariants are chains of n layers of k attempts, k row by row.
func gridVariants() []Variant {
	var out []Variant
	for k := 1; k <= powers; k++ {
		for n := 1; n <= powers; n++ {
			out = append(out, Variant{
				Name: fmt.Sprintf("grid-%dx%d", k, n), Group: "grid",
				Services: topology.Chain(slices.Repeat([]int{k}, n)...),
			})
		}
	}
	return out
}

// gridHits are kⁿ in the order of gridVariants.
func gridHits() []int64 {
	var out []int64
	for k := int64(1); k <= powers; k++ {
		for n, hits := 1, k; n <= powers; n, hits = n+1, hits*k {
			out = append(out, hits)
		}
	}
	return out
}

func names(vs []Variant) []string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Name)
	}
	return out
}

func oneTo(n int) []string {
	var out []string
	for i := 1; i <= n; i++ {
		out = append(out, strconv.Itoa(i))
	}
	return out
}
