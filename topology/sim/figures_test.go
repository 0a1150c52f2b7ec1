package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labctl/topology"
)

// seeds of every random figure.
const seeds = 25

// jitterHerd is that of the first article: 200 clients, three attempts, 100 ms ±50 %.
func jitterHerd(smear time.Duration) topology.Topology {
	return lab([]int{3}, herd(200), set("services.client.calls.a.retry.rest=100ms", "services.client.calls.a.retry.jitter=50%", "load.herd.smear="+smear.String()))
}

// waves is that of the third article: 50 clients, four attempts, waits of 1, 2,
// 4 s, in bins of a second.
func waves(jitter string, offset time.Duration) topology.Topology {
	return lab([]int{4}, herd(50), set("services.client.calls.a.retry.rest=1s", "services.client.calls.a.retry.backoff=exponential",
		"services.client.calls.a.retry.jitter="+jitter, "run.bin=1s", "run.bin_offset="+offset.String()))
}

// The histograms of the articles, as chi-square over the sum of all seeds. The
// bins of a herd vary a little less than independent draws would, so the test
// errs towards accepting; the last rows show that it still refuses.
func TestShapes(t *testing.T) {
	herdRetries := []float64{0, 100, 125, 75, 75, 25}
	smeared := []float64{0, 55, 109, 98, 84, 48, 7}
	phase0 := []float64{113.5, 31.2, 24.0, 12.5, 11.5, 6.3, 1.05}
	phased := []float64{61.6, 58.3, 32.0, 19.6, 12.5, 10.6, 4.9, 0.5}
	for _, tt := range []struct {
		what    string
		top     topology.Topology
		retries bool
		want    []float64
		fits    bool
	}{
		{"jitter-herd/jitter, sharp", jitterHerd(0), true, herdRetries, true},
		{"jitter-herd/smeared", jitterHerd(45 * time.Millisecond), true, smeared, true},
		{"waves/full-jitter", waves("full", 0), false, phase0, true},
		{"waves/full-jitter-phased", waves("full", 780*time.Millisecond), false, phased, true},
		{"a smeared herd is no sharp one", jitterHerd(45 * time.Millisecond), true, herdRetries, false},
		{"nor is equal jitter full", waves("equal", 0), false, phase0, false},
		{"nor are bins with a phase those without", waves("full", 780*time.Millisecond), false, phase0, false},
	} {
		total := make([]float64, 16)
		for n := range seeds {
			tt.top.Run.Seed = uint64(n)
			v, _ := mustRun(t, tt.top, Options{})
			bins := v.Bins
			if tt.retries {
				bins = v.RetryBins
			}
			for i, hits := range bins {
				total[i] += float64(hits)
			}
		}
		statistic, critical := chiSquare(tt.want, total)
		if (statistic <= critical) != tt.fits {
			t.Errorf("%s: chi-square %.1f, at most %.1f expected: %v", tt.what, statistic, critical, total)
		}
	}
}

// chiSquare compares the sums of all seeds with the means of one and gives the
// value that 1 % of true shapes exceed (Wilson and Hilferty's cube). Bins that
// expect less than five are pooled. The means are rounded, so they are scaled to
// the total.
func chiSquare(want, sums []float64) (statistic, critical float64) {
	share, total := 0.0, 0.0
	for _, w := range want {
		share += w
	}
	for _, s := range sums {
		total += s
	}
	expect, got, pools := 0.0, 0.0, 0
	for i := range sums {
		if i < len(want) {
			expect += want[i] / share * total
		}
		got += sums[i]
		if expect >= 5 || i == len(sums)-1 && expect+got > 0 {
			statistic += (got - expect) * (got - expect) / max(expect, 1)
			pools++
			expect, got = 0, 0
		}
	}
	k := float64(pools - 1)
	return statistic, k * math.Pow(1-2/(9*k)+2.3263478740408408*math.Sqrt(2/(9*k)), 3)
}

// The peaks that the articles read off one run, as medians of many.
func TestRetryPeaks(t *testing.T) {
	for _, tt := range []struct {
		smear  time.Duration
		median float64
	}{{0, 125}, {45 * time.Millisecond, 110}} {
		var peaks []int64
		top := jitterHerd(tt.smear)
		for n := range seeds {
			top.Run.Seed = uint64(n)
			v, _ := mustRun(t, top, Options{})
			equal(t, "first wave", v.FirstWave, 200)
			equal(t, "hits", v.Hits, 600)
			peaks = append(peaks, v.RetryPeak)
		}
		slices.Sort(peaks)
		between(t, "median retry peak, smear "+tt.smear.String(), float64(peaks[seeds/2]), tt.median-5, tt.median+5)
	}
}

// Figures that have no luck in them.
func TestExactFigures(t *testing.T) {
	fixed, _ := mustRun(t, lab([]int{3}, herd(200), set("services.client.calls.a.retry.rest=100ms")), Options{})
	same(t, "jitter-herd/fixed.waves", fixed.Waves, []int64{200, 200})
	equal(t, "jitter-herd/fixed.peak", fixed.Peak, 200)

	exponential, _ := mustRun(t, waves("none", 0), Options{})
	same(t, "waves/exponential.bins", exponential.Bins, []int64{50, 50, 0, 50, 0, 0, 0, 50})

	storm := func(backoff string) topology.Topology {
		return lab([]int{-1}, herd(50), set("services.a.fault=503@0s..2s,ok", "services.client.calls.a.retry.rest=50ms",
			"services.client.calls.a.retry.backoff="+backoff, "run.until=1h", "run.bin=2s"))
	}
	for backoff, bins := range map[string][]int64{"fixed": {2000, 50}, "exponential": {300, 50}} {
		v, warnings := mustRun(t, storm(backoff), Options{})
		same(t, "storm/"+backoff+".hits_during and after", v.Bins, bins)
		equal(t, "storm/"+backoff+": warnings", len(warnings), 0)
	}

	million, _ := mustRun(t, lab([]int{3}, herd(1_000_000), set("services.client.calls.a.retry.rest=100ms", "services.client.calls.a.retry.jitter=50%")), Options{})
	for i, share := range []float64{1, 0.5, 0.625, 0.375, 0.375, 0.125} {
		near(t, "bin of a million", float64(million.Bins[i]), share*1e6, 0.005)
	}
	equal(t, "hits of a million", sum(million.Bins), 3_000_000)
}

// Where every attempt fails, the tail gets clients × requests × Π attempts.
func TestClosedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		attempts := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 6).Draw(t, "attempts")
		n := rapid.IntRange(1, 20).Draw(t, "clients")
		requests := rapid.IntRange(1, 3).Draw(t, "requests")
		top := lab(attempts, herd(n))
		top.Load.Herd.Requests = requests
		want := int64(n * requests)
		for i, a := range attempts {
			want *= int64(a)
			top.Services[i].Calls[0].Policies[0].Retry.Rest = anyRetry(t).Rest
		}
		w := rapid.SampledFrom([]way{fastest, general, coupled}).Draw(t, "way")
		v := resultOf(t, top, Options{way: w})
		if v.v.Hits != want {
			t.Errorf("hits %d, want %d", v.v.Hits, want)
		}
	})
}
