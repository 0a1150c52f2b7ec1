package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestLatencySteps: steps follow each other without a gap, the longest latency of
// each belongs to it, and none is wider than 1/64 of what is in it.
func TestLatencySteps(t *testing.T) {
	for step := range latencySteps {
		longest := longestIn(step)
		equal(t, "step of its longest", stepOf(longest), step)
		if step+1 < latencySteps {
			equal(t, "the next begins after it", stepOf(longest+1), step+1)
		}
		if step > 0 {
			if before := longestIn(step - 1); longest-before > max(1, before/64+1) {
				t.Errorf("step %d is from %d to %d", step, before, longest)
			}
		}
	}
	equal(t, "the last", longestIn(latencySteps-1), math.MaxInt64)
	equal(t, "below zero", stepOf(-1), 0)
}

// TestLatencyQuantile compares with sorting: the nearest rank of the last thousand.
func TestLatencyQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &latencies{percent: rapid.IntRange(1, 99).Draw(t, "percent")}
		seed, shift := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 40).Draw(t, "shift")
		var all []time.Duration
		for n := range uint64(rapid.IntRange(1, 2500).Draw(t, "answers")) {
			d := time.Duration(RootLuck(seed, n, n/700).Draw(ForService) >> (24 + (int(n/700)*7+shift)%40))
			all = append(all, d)
			l.add(d)
		}
		last := slices.Clone(all[max(0, len(all)-latencyCount):])
		slices.Sort(last)
		want := longestIn(stepOf(last[(len(last)*l.percent+99)/100-1]))
		if got := l.quantile(); got != want || l.count != len(last) {
			t.Fatalf("%d %% of %d: got %v, want %v", l.percent, l.count, got, want)
		}
	})
}
