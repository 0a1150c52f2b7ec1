package report

import "fmt"

// Diff lists what changed between two results, by layer: everything a check
// would fail on, then settings and times, which it leaves alone.
func Diff(old, now Result) []Difference {
	found := Compare(old, now)
	before := map[variantKey]Variant{}
	for _, v := range old.Variants {
		before[keyOf(v)] = v
	}
	if old.Seed != now.Seed {
		found = append(found, informational("", "", "seed", old.Seed, now.Seed,
			fmt.Sprintf("%s: seed %d → %d, so luck differs", clean(now.Scenario), old.Seed, now.Seed)))
	}
	for _, v := range now.Variants {
		if was, ok := before[keyOf(v)]; ok {
			path := clean(now.Scenario) + "/" + label(v.Name)
			found = append(found, policyChanges(path, was, v)...)
			found = append(found, timeChanges(path, was, v)...)
		}
	}
	return found
}

func informational(variant, layer, field string, was, now any, message string) Difference {
	return Difference{Variant: variant, Layer: layer, Field: field, Was: was, Now: now,
		Message: message + " (not compared by check)", Informational: true}
}

func policyChanges(path string, was, now Variant) []Difference {
	var found []Difference
	if chain(was) != chain(now) {
		return nil
	}
	for i, n := range now.Layers {
		before, after := policyText(was.Layers[i].Policy), policyText(n.Policy)
		if before == after {
			continue
		}
		if before == "" {
			before = "none"
		}
		if after == "" {
			after = "none"
		}
		found = append(found, informational(now.Name, n.Name, "policy", before, after,
			fmt.Sprintf("%s: layer %s policy: %s, was %s", path, label(n.Name), after, before)))
	}
	return found
}

func timeChanges(path string, was, now Variant) []Difference {
	var found []Difference
	for _, t := range []struct {
		field    string
		was, now float64
	}{
		{"elapsed_ms", was.ElapsedMS, now.ElapsedMS},
		{"latency_ms.p50", was.LatencyMS.P50, now.LatencyMS.P50},
		{"latency_ms.p99", was.LatencyMS.P99, now.LatencyMS.P99},
	} {
		if t.was != t.now {
			found = append(found, informational(now.Name, "", t.field, t.was, t.now,
				fmt.Sprintf("%s: %s %s → %s", path, t.field, millis(t.was), millis(t.now))))
		}
	}
	if now.Engine != "live" {
		return found // in virtual time the bins were compared
	}
	for _, p := range []struct {
		field    string
		was, now int64
	}{{"peak", was.Peak, now.Peak}, {"retry_peak", was.RetryPeak, now.RetryPeak}} {
		if p.was != p.now {
			found = append(found, informational(now.Name, "", p.field, p.was, p.now,
				fmt.Sprintf("%s: %s %s → %s", path, p.field, count(p.was), count(p.now))))
		}
	}
	return found
}
