package page

import (
	"slices"
	"testing"

	"labctl/report"
)

func TestDescriptions(t *testing.T) {
	r := jittered()
	phased := herd("phased", "sim", []int64{62, 56, 30}, []int64{12, 56, 30})
	phased.BinMS, phased.BinOffsetMS = 1000, 780
	never := report.Variant{Name: "x", Requests: 10, Hits: 20, BinMS: 5000, Bins: []int64{5, 15}, Goodput: []int64{3, 0}, RecoveredMS: -1}
	always := never
	always.RecoveredMS = 0
	for _, c := range []struct{ name, got, want string }{
		{"waves", describeWaves(r.Variants[1], r.Variants), "jitter: first wave 200 from 0 ms, retry peak 127 at 100 ms, 600 hits in all"},
		{"one bin of retries", describeWaves(herd("x", "sim", []int64{3}, nil), nil), "First wave 3 from 0 ms, no retries, 3 hits in all"},
		{"an offset", describeWaves(phased, nil), "First wave 50 from 0 ms, retry peak 56 at 220 ms, 148 hits in all"},
		{"drift", driftText(r.Variants[1]), " Drift from the ideal: half of the hits within 1.2 ms, 99 of 100 within 3.4 ms, the worst 5.6 ms. 2 hits without a partner."},
		{"recovered", describeGoodput(outage().Variants[0]), "1,760 of 3,080 requests answered well; 4,400 hits at the tail, at most 680 per 5 s, at 35 s. From 60 s on at least 4 of 10 requests are answered well."},
		{"never", describeGoodput(never), "3 of 10 requests answered well; 20 hits at the tail, at most 15 per 5 s, at 5 s. It does not recover: to the end fewer than 4 of 10 requests are answered well."},
		{"always", describeGoodput(always), "3 of 10 requests answered well; 20 hits at the tail, at most 15 per 5 s, at 5 s. At least 4 of 10 requests are answered well all the time."},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
}

func TestALiveHerdIsShownAgainstItsIdeal(t *testing.T) {
	live, sim := herd("x", "live", []int64{4, 3, 1}, []int64{0, 3, 1}), herd("x", "sim", []int64{4, 4}, []int64{0, 4})
	scaled := sim
	scaled.Requests = 40
	shadowed := live
	shadowed.IdealBins = []int64{4, 2, 2}
	for name, c := range map[string]struct {
		vs   []report.Variant
		want [][]string // the lines of each chart
	}{
		"by its twin":                   {[]report.Variant{live, sim}, [][]string{{"hits", "of them retries", "ideal, in virtual time"}}},
		"by its shadow":                 {[]report.Variant{shadowed}, [][]string{{"hits", "of them retries", "ideal, in virtual time"}}},
		"not by a run of another scale": {[]report.Variant{live, scaled}, [][]string{{"hits", "of them retries"}, {"hits", "of them retries"}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got [][]string
			for _, chart := range singlesOf(report.Result{}, c.vs) {
				var names []string
				for _, l := range chart.plot.Lines {
					names = append(names, l.Name)
				}
				got = append(got, names)
			}
			if !slices.EqualFunc(got, c.want, slices.Equal) {
				t.Errorf("charts %q, want %q", got, c.want)
			}
		})
	}
}

func TestFoldAddsBinsUpWithoutLosingAny(t *testing.T) {
	counts := make([]int64, 1001)
	for i := range counts {
		counts[i] = int64(i)
	}
	b := binned{ms: 50, offset: 30, counts: [][]int64{counts, {7}}}
	f, per := b.fold(60)
	if per != 20 || f.ms != 1000 || f.bins() != 51 || f.start(1) != 970 {
		t.Errorf("%d bins to a row of %v ms, %d rows, the second from %v: want 20, 1000, 51, 970", per, f.ms, f.bins(), f.start(1))
	}
	if sum(f.counts[0]) != sum(counts) || sum(f.counts[1]) != 7 {
		t.Errorf("sums %d and %d, want %d and 7", sum(f.counts[0]), sum(f.counts[1]), sum(counts))
	}
}

func TestHysteresis(t *testing.T) {
	r := outage()
	charts := hysteresisOf(r, r.Variants)
	if len(charts) != 1 {
		t.Fatalf("%d pictures, want 1", len(charts))
	}
	if want := "At a load of 280 per 5 s, 280 are answered well on the way up and 0 on the way down."; charts[0].Describe != want {
		t.Errorf("%q, want %q", charts[0].Describe, want)
	}
	if x := charts[0].plot.X; !slices.IsSorted(x) {
		t.Errorf("loads %v are not in order", x)
	}
	flat := r.Variants[0]
	flat.Bins, flat.RetryBins = slices.Repeat([]int64{280}, 14), nil // a cut is no hysteresis of the load
	if n := len(hysteresisOf(r, []report.Variant{flat})); n != 0 {
		t.Errorf("%d pictures of a load that never changed", n)
	}
	served := r.Variants[0]
	served.Goodput = firstsOf(served)
	if n := len(hysteresisOf(r, []report.Variant{served})); n != 0 {
		t.Errorf("%d pictures although both ways are the same", n)
	}
}

func TestShades(t *testing.T) {
	for _, c := range []struct {
		n, low, high int64
		want         int
	}{{1, 1, 3125, 0}, {3125, 1, 3125, shades - 1}, {243, 1, 3125, 4}, {5, 5, 5, 0}, {0, 0, 0, 0}} {
		if got := shade(c.n, c.low, c.high); got != c.want {
			t.Errorf("shade of %d between %d and %d is %d, want %d", c.n, c.low, c.high, got, c.want)
		}
	}
}

func TestDoubtsStandBesideTheNumbersOfOneVariant(t *testing.T) {
	v := report.Variant{Name: "a", Engine: "live"}
	r := report.Result{Warnings: []report.Warning{
		{Variant: "a", Message: "its own"}, {Variant: "a", Engine: "sim", Message: "of the other engine"},
		{Variant: "a", Message: "of several"}, {Variant: "b", Message: "of several"}, {Message: "of all"},
	}}
	if got, want := doubtsAbout(r, v), []string{"its own"}; !slices.Equal(got, want) {
		t.Errorf("doubts %q, want %q", got, want)
	}
}

func TestALineThatLiesOnAnotherLetsItBeSeen(t *testing.T) {
	vs := []report.Variant{herd("a", "sim", []int64{4, 3}, []int64{0, 3}), herd("b", "sim", []int64{4, 2}, []int64{0, 2}), herd("c", "sim", []int64{4, 3}, []int64{0, 3})}
	var got []int
	for _, l := range overlay(report.Result{}, vs).plot.Lines {
		got = append(got, l.Dash)
	}
	if want := []int{0, 0, broken}; !slices.Equal(got, want) {
		t.Errorf("patterns %v, want %v", got, want)
	}
}
