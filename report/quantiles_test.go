package report

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestConstantLatencyIsNotInvented(t *testing.T) {
	for _, samples := range []int{1, 10, maxSamples, maxSamples + 1} {
		var l Latencies
		for range samples {
			l.Add(time.Second)
		}
		kind := Exact
		if samples > maxSamples {
			kind = HDR3
		}
		if q := l.Quantiles(); q != (Quantiles{P50: 1000, P95: 1000, P99: 1000, Max: 1000, Kind: kind}) {
			t.Errorf("%d samples: %+v", samples, q)
		}
	}
}

func TestQuantilesAreNearestRank(t *testing.T) {
	var l Latencies
	for n := 20; n >= 1; n-- {
		l.Add(time.Duration(n) * ms)
	}
	if q := l.Quantiles(); q != (Quantiles{P50: 10, P95: 19, P99: 20, Max: 20, Kind: Exact}) {
		t.Errorf("got %+v", q)
	}
	if q := new(Latencies).Quantiles(); q != (Quantiles{Kind: Exact}) {
		t.Errorf("without samples: %+v", q)
	}
}

func TestExtremeLatencies(t *testing.T) {
	var l Latencies
	for range maxSamples {
		l.Add(-1)
	}
	l.Add(math.MaxInt64)
	if q := l.Quantiles(); q.P99 != 0 || q.Max != Milliseconds(math.MaxInt64) || q.Kind != HDR3 {
		t.Errorf("got %+v", q)
	}
}

// Past the limit three digits stay, and shards give what one fold gives.
func TestManyLatencies(t *testing.T) {
	for _, scale := range []int64{1, 977, int64(time.Second)} {
		var all, left, right Latencies
		var sorted []int64
		for i := range int64(maxSamples + 1000) {
			n := i * 7919 % 100_003 * scale
			sorted = append(sorted, n)
			all.Add(time.Duration(n))
			if i%3 == 0 {
				left.Add(time.Duration(n))
			} else {
				right.Add(time.Duration(n))
			}
		}
		slices.Sort(sorted)
		q := all.Quantiles()
		if want := Milliseconds(time.Duration(sorted[len(sorted)*95/100])); math.Abs(q.P95-want) > want/1000 {
			t.Errorf("p95 %v, want %v", q.P95, want)
		}
		left.Merge(&right)
		if merged := left.Quantiles(); merged != q || left.Count() != all.Count() {
			t.Errorf("merged %+v, added %+v", merged, q)
		}
	}
}
