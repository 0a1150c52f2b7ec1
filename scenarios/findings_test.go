package scenarios_test

import (
	"context"
	"strings"
	"testing"

	"labctl/report"
	"labctl/scenarios"
	"labctl/topology/live"
)

// What is said of a herd's retries hangs on how much of the herd a bin holds, and not
// on where the run ended.
func TestHowRetriesComeBack(t *testing.T) {
	waves := func(n int, of int64) []int64 {
		bins := []int64{0}
		for range n {
			bins = append(bins, of)
		}
		return bins
	}
	const inStep, spread = "the whole herd comes back at once, ", "the retries spread over "
	for _, tt := range []struct {
		what string
		herd int64
		bins []int64
		want string
	}{
		{"storm", 50, waves(40, 50), inStep + "50 in one bin"},
		{"interrupted within a wave", 50, append(waves(28, 50), 12), inStep + "50 in one bin"},
		{"in the first", 50, append(waves(1, 50), 12), inStep + "50 in one bin"},
		{"two waves to a bin, and one in the last", 50, append(waves(20, 100), 50), inStep + "100 in one bin"},
		{"a wave at the edge of a bin", 200, []int64{0, 0, 198, 2, 0, 199, 1}, "nearly the whole herd comes back at once, 199 in one bin"},
		{"one that the edge cuts in two", 50, []int64{0, 50, 50, 20, 30, 50}, inStep + "50 in one bin"},
		{"jitter", 200, []int64{0, 100, 125, 75, 75, 25}, spread + "5 bins, 125 in the fullest"},
		{"interrupted", 200, []int64{0, 100, 60}, spread + "2 bins, 100 in the fullest"},
		{"full jitter, whose early bin holds second attempts too", 50, []int64{60, 36, 18, 12, 14, 8, 2}, spread + "7 bins, 60 in the fullest"},
		{"a part of the herd in one bin", 200, []int64{0, 0, 100}, spread + "one bin, 100 in the fullest"},
	} {
		equal(t, tt.what, returning(t, tt.herd, tt.bins), tt.want)
	}
}

// returning is what a run says whose retries came like this, up to the semicolon.
func returning(t *testing.T, herd int64, bins []int64) string {
	t.Helper()
	engine := func(context.Context, scenarios.Run) (report.Variant, []report.Warning, error) {
		v := report.Variant{Engine: "sim", Requests: herd, RetryBins: bins}
		for _, b := range bins {
			v.RetryPeak = max(v.RetryPeak, b)
		}
		return v, nil, live.ErrInterrupted // of which nothing is judged
	}
	r, err := plan(t, "storm", scenarios.Overrides{}).Run(t.Context(), engine)
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("%v, findings %v", err, r.Findings)
	}
	said, _, _ := strings.Cut(r.Findings[0].Message, ";")
	return said
}
