package page

import (
	"fmt"
	"math"

	"labctl/report"
)

// Hysteresis is goodput that depends on where the load came from: the same load is
// served on the way up and an outage on the way down.

// levels is how many steps of load are told apart.
const levels = 16

// level is the mean goodput at one load, on the way up and down again.
type level struct {
	load             float64 // per bin, in the middle of the level
	up, down         float64
	upBins, downBins int
}

// hysteresisOf draws variants whose load rises and falls again, and where that makes a
// difference.
func hysteresisOf(r report.Result, vs []report.Variant) []chart {
	var out []chart
	for _, v := range vs {
		ls := levelsOf(v)
		worst, gap := widest(ls)
		if gap < tells {
			continue
		}
		c := chart{
			Title: nameAmong(v, vs) + ": the way up and the way down", Doubts: doubtsAbout(r, v),
			Describe: describeHysteresis(v, ls[worst]),
			plot:     plot{XLabel: "load: first attempts per " + report.FormatBin(v.BinMS), YLabel: "good answers per " + report.FormatBin(v.BinMS)},
		}
		c.fill(ls)
		out = append(out, c)
	}
	return out
}

// tells is the share of the load by which both ways must differ to be worth a picture.
const tells = 0.25

// levelsOf sorts the bins by their load, those up to the highest apart from those
// behind it.
func levelsOf(v report.Variant) []level {
	load := firstsOf(v)
	n := min(len(load), len(v.Goodput))
	if n < 4 {
		return nil
	}
	top, most := highest(load[:n])
	ls := make([]level, levels+1)
	for k := range n {
		l := &ls[int(math.Round(float64(load[k])/float64(most)*levels))]
		l.load += float64(load[k])
		if k <= top {
			l.up, l.upBins = l.up+float64(v.Goodput[k]), l.upBins+1
		} else {
			l.down, l.downBins = l.down+float64(v.Goodput[k]), l.downBins+1
		}
	}
	return means(ls)
}

// means leaves out what was passed through in a single bin: the load of a bin in which
// it changes is neither.
func means(ls []level) []level {
	var out []level
	for _, l := range ls {
		if l.upBins+l.downBins < 2 {
			continue
		}
		l.load /= float64(l.upBins + l.downBins)
		l.up /= float64(max(l.upBins, 1))
		l.down /= float64(max(l.downBins, 1))
		out = append(out, l)
	}
	return out
}

// widest is the level at which both ways differ most, in shares of its load. A load
// that never changed has one level and no ways.
func widest(ls []level) (at int, gap float64) {
	both := 0
	for i, l := range ls {
		if l.upBins < 2 || l.downBins < 2 || l.load == 0 {
			continue
		}
		both++
		if g := math.Abs(l.up-l.down) / l.load; g > gap {
			at, gap = i, g
		}
	}
	if both < 2 {
		return 0, 0
	}
	return at, gap
}

func (c *chart) fill(ls []level) {
	up, down, asked := line{Name: "on the way up", Color: 2}, line{Name: "on the way down", Color: 1}, line{Name: "all that is asked", Color: 0, Dash: 1}
	var rows [][]string
	for _, l := range ls {
		c.plot.X = append(c.plot.X, l.load)
		up.Y, down.Y = append(up.Y, point(l.up, l.upBins)), append(down.Y, point(l.down, l.downBins))
		asked.Y = append(asked.Y, point(l.load, 1))
		rows = append(rows, []string{rounded(l.load, 1), rounded(l.up, l.upBins), rounded(l.down, l.downBins)})
	}
	c.plot.Lines = []line{asked, up, down}
	c.Table = numbersTable("Mean of good answers", []string{"load", "on the way up", "on the way down"}, rows)
}

func point(f float64, bins int) *float64 {
	if bins == 0 {
		return nil
	}
	f = math.Round(10*f) / 10
	return &f
}

func rounded(f float64, bins int) string {
	if bins == 0 {
		return "–"
	}
	return report.FormatNumber(math.Round(10*f) / 10)
}

func describeHysteresis(v report.Variant, l level) string {
	return fmt.Sprintf("At a load of %s per %s, %s are answered well on the way up and %s on the way down.",
		rounded(l.load, 1), report.FormatBin(v.BinMS), rounded(l.up, l.upBins), rounded(l.down, l.downBins))
}
