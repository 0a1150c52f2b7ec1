package page

import (
	"fmt"

	"labctl/report"
)

// goodputOf draws what was asked, what the tail had to do for it, and what came of it.
func goodputOf(r report.Result, vs []report.Variant) []chart {
	var out []chart
	for _, v := range vs {
		if len(v.Goodput) < 2 {
			continue
		}
		b := binned{ms: v.BinMS, offset: v.BinOffsetMS,
			names:  []string{"good answers", "hits at the tail", "first attempts"},
			counts: [][]int64{v.Goodput, v.Bins, firstsOf(v)}}
		if v.At != "" {
			b.names[1] = "hits at " + report.ShortName(v.At)
		}
		f, _ := b.fold(mostPoints)
		c := chart{
			Title: nameAmong(v, vs), Describe: describeGoodput(v), Doubts: doubtsAbout(r, v),
			Table: b.table(b.per("Requests")),
			plot:  plot{X: f.edges(), Time: true, Steps: true, YLabel: f.per("count")},
		}
		looks := []line{{Color: 2, Fill: true}, {Color: 1}, {Color: 0, Dash: 1}}
		for i, name := range f.names {
			l := looks[i]
			l.Name, l.Y = name, f.heights(i)
			c.plot.Lines = append(c.plot.Lines, l)
		}
		if v.RecoveredMS > 0 {
			c.plot.Marks = []mark{{v.RecoveredMS, "recovered"}}
		}
		out = append(out, c)
	}
	return out
}

// firstsOf are the hits that are no retries: the load, as far as it got to the tail.
func firstsOf(v report.Variant) []int64 {
	out := make([]int64, len(v.Bins))
	for k, n := range v.Bins {
		out[k] = n
		if k < len(v.RetryBins) {
			out[k] -= v.RetryBins[k]
		}
	}
	return out
}

func describeGoodput(v report.Variant) string {
	good := int64(0)
	for _, n := range v.Goodput {
		good += n
	}
	k, most := highest(v.Bins)
	text := fmt.Sprintf("%s of %s answered well; %s at the tail, at most %s per %s, at %s. ",
		report.FormatCount(good), requestsText(v.Requests), hitsText(v.Hits), report.FormatCount(most), report.FormatBin(v.BinMS),
		report.FormatBin(float64(k)*v.BinMS-v.BinOffsetMS))
	switch {
	case v.RecoveredMS < 0:
		return text + "It does not recover: to the end fewer than 4 of 10 requests are answered well."
	case v.RecoveredMS > 0:
		return text + "From " + report.FormatBin(v.RecoveredMS) + " on at least 4 of 10 requests are answered well."
	}
	return text + "At least 4 of 10 requests are answered well all the time."
}
