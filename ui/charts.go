package ui

import (
	"fmt"
	"slices"

	"labctl/report"
	"labctl/topology"
)

// Charts are the histograms as they are drawn.
type Charts struct {
	BinMS   float64 `json:"bin_ms"`
	StartMS float64 `json:"start_ms"` // of the first bin after the release; not above 0
	Group   int     `json:"group"`    // bins that share a bar, which shows the fullest of them; 1: none do
	Hits    []int64 `json:"hits"`
	FirstIs string  `json:"first_is"` // what hits that are no retries are called
	Retry   []int64 `json:"retry"`    // of these, those that are no first attempt; may be shorter
	Goodput []int64 `json:"goodput,omitempty"`

	AboutHits    string `json:"about_hits"` // for those who do not see the charts
	AboutRetries string `json:"about_retries"`
	AboutGoodput string `json:"about_goodput,omitempty"`
}

// mostBars is more than a screen has columns of pixels.
const mostBars = 4000

func chartsOf(t topology.Topology, v report.Variant) Charts {
	longest := max(len(v.Bins), len(v.Goodput))
	c := Charts{BinMS: v.BinMS, StartMS: 0 - v.BinOffsetMS, Group: max(1, (longest+mostBars-1)/mostBars)}
	c.FirstIs = "first attempts"
	if oneWave(t) {
		c.FirstIs = "first wave"
	}
	c.Hits, c.Retry, c.Goodput = fullest(v.Bins, c.Group), fullest(v.RetryBins, c.Group), fullest(v.Goodput, c.Group)
	c.AboutHits = about("Hits", v.Bins, v)
	c.AboutRetries = about("Retries", v.RetryBins, v)
	if len(v.Goodput) > 0 {
		c.AboutGoodput = about("Good answers, by when their requests began", v.Goodput, v)
	}
	return c
}

// fullest folds so many bins into one, which is the fullest of them.
func fullest(bins []int64, group int) []int64 {
	out := []int64{}
	for part := range slices.Chunk(bins, group) {
		out = append(out, slices.Max(part))
	}
	return out
}

// about says what there is to see in a histogram.
func about(what string, bins []int64, v report.Variant) string {
	var used, most, last int
	var sum int64
	for i, n := range bins {
		if n == 0 {
			continue
		}
		used++
		sum += n
		last = i
		if n > bins[most] {
			most = i
		}
	}
	if used == 0 {
		return what + " per " + report.FormatBin(v.BinMS) + ": none."
	}
	return fmt.Sprintf("%s per %s: %s in %s; the fullest has %s, at %s; the last is at %s.",
		what, report.FormatBin(v.BinMS), report.FormatCount(sum), bars(used),
		report.FormatCount(bins[most]), at(most, v), at(last, v))
}

func bars(n int) string {
	if n == 1 {
		return "one bin"
	}
	return report.FormatCount(int64(n)) + " bins"
}

// at is when a bin begins, after the release.
func at(bin int, v report.Variant) string {
	return report.FormatBin(max(float64(bin)*v.BinMS-v.BinOffsetMS, 0))
}
