package page

import (
	"fmt"
	"slices"

	"labctl/report"
)

// herds are variants whose hits over time there is something to see of: more than one
// request and more than one bin. Where a load goes on, goodput tells more.
func herds(vs []report.Variant) []report.Variant {
	return slices.DeleteFunc(slices.Clone(vs), func(v report.Variant) bool {
		return v.Requests <= 1 || len(v.Bins) < 2 || len(v.Goodput) > 0
	})
}

// sameBins groups variants that can stand on one axis.
func sameBins(vs []report.Variant) [][]report.Variant {
	type key struct {
		ms, offset float64
		at         string
	}
	var order []key
	groups := map[key][]report.Variant{}
	for _, v := range vs {
		k := key{v.BinMS, v.BinOffsetMS, v.At}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], v)
	}
	var out [][]report.Variant
	for _, k := range order {
		out = append(out, groups[k])
	}
	return out
}

// wavesOf lays several variants over each other, a chart for each kind of bins.
func wavesOf(r report.Result, vs []report.Variant) []chart {
	var out []chart
	for _, group := range sameBins(vs) {
		if len(group) > 1 && differ(group) {
			out = append(out, overlay(r, group))
		}
	}
	return out
}

// differ reports whether there are variants to compare, and not one by two engines.
func differ(vs []report.Variant) bool {
	return slices.ContainsFunc(vs, func(v report.Variant) bool { return v.Name != vs[0].Name })
}

func overlay(r report.Result, vs []report.Variant) chart {
	b := binned{ms: vs[0].BinMS, offset: vs[0].BinOffsetMS}
	var words []string
	for _, v := range vs {
		b.names = append(b.names, doubted(r, v, nameAmong(v, vs)))
		b.counts = append(b.counts, v.Bins)
		if !twin(v, vs) {
			words = append(words, describeWaves(v, vs))
		}
	}
	f, _ := b.fold(mostPoints)
	c := chart{
		Title: "Waves of all variants " + placeText(vs[0]), Describe: sentences(words),
		Table: b.table(b.per("Hits")),
		plot:  plot{X: f.edges(), Time: true, Steps: true, YLabel: f.per("hits")},
	}
	var names []string
	for i, v := range vs {
		k := slices.Index(names, v.Name)
		if k < 0 {
			names = append(names, v.Name)
			k = len(names) - 1
		}
		l := line{Name: b.names[i], Y: f.heights(i), Color: k % colors, Dash: dash(k, twin(v, vs)), Hidden: twin(v, vs) || k >= colors}
		if covers(l, c.plot.Lines) {
			l.Dash = broken
		}
		c.plot.Lines = append(c.plot.Lines, l)
	}
	return c
}

// broken is the pattern of long dashes, between which the line below is seen.
const broken = 5

// covers reports whether a line lies on one that was drawn before, which nobody would
// see any more.
func covers(l line, before []line) bool {
	same := func(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }
	return !l.Hidden && slices.ContainsFunc(before, func(o line) bool { return !o.Hidden && slices.EqualFunc(o.Y, l.Y, same) })
}

// doubted marks a name that a warning is about, as the tables do.
func doubted(r report.Result, v report.Variant, name string) string {
	if len(doubtsAbout(r, v)) > 0 {
		return name + " (!)"
	}
	return name
}

// dash numbers the patterns of script and style: 0 is a whole line.
func dash(k int, virtual bool) int {
	if virtual {
		return 1 + k/colors
	}
	return 2 * (k / colors)
}

// twin is a variant of virtual time whose live run is there too.
func twin(v report.Variant, vs []report.Variant) bool {
	return v.Engine == "sim" && slices.ContainsFunc(vs, func(o report.Variant) bool { return o.Name == v.Name && o.Engine == "live" })
}

func nameAmong(v report.Variant, vs []report.Variant) string {
	for _, o := range vs {
		if o.Name == v.Name && o.Engine != v.Engine {
			return report.ShortName(v.Name) + " (" + engineName(v.Engine) + ")"
		}
	}
	return report.ShortName(v.Name)
}

// placeText says where hits were counted.
func placeText(v report.Variant) string {
	if v.At == "" {
		return "at the tail"
	}
	return "at " + report.ShortName(v.At)
}

// singlesOf draws each variant on its own: hits, of them retries, and where they
// should have come.
func singlesOf(r report.Result, vs []report.Variant) []chart {
	var out []chart
	for _, v := range vs {
		ideal, shown := idealOf(v, vs)
		if twin(v, vs) && shownWith(v, vs) {
			continue
		}
		out = append(out, single(r, v, vs, ideal, shown))
	}
	return out
}

// shownWith reports whether a run in virtual time is the ideal of its live twin, so
// that it needs no chart of its own.
func shownWith(v report.Variant, vs []report.Variant) bool {
	return slices.ContainsFunc(vs, func(o report.Variant) bool { return o.Engine == "live" && sameRun(o, v) })
}

func sameRun(live, sim report.Variant) bool {
	return live.Name == sim.Name && sim.Engine == "sim" && live.Requests == sim.Requests &&
		live.BinMS == sim.BinMS && live.BinOffsetMS == sim.BinOffsetMS && live.At == sim.At
}

// idealOf is the same run in virtual time, as far as the result has it: the shadow of
// a live run, or its twin.
func idealOf(v report.Variant, vs []report.Variant) (bins []int64, known bool) {
	if v.Engine != "live" {
		return nil, false
	}
	if len(v.IdealBins) > 0 && v.At == "" {
		return v.IdealBins, true
	}
	i := slices.IndexFunc(vs, func(o report.Variant) bool { return sameRun(v, o) })
	if i < 0 {
		return nil, false
	}
	return vs[i].Bins, true
}

func single(r report.Result, v report.Variant, vs []report.Variant, ideal []int64, known bool) chart {
	b := binned{ms: v.BinMS, offset: v.BinOffsetMS, names: []string{"hits", "of them retries"}, counts: [][]int64{v.Bins, v.RetryBins}}
	if known {
		b.names, b.counts = append(b.names, "ideal, in virtual time"), append(b.counts, ideal)
	}
	f, _ := b.fold(mostPoints)
	name := report.ShortName(v.Name)
	if !shownWith(v, vs) {
		name = nameAmong(v, vs)
	}
	if known {
		name = report.ShortName(v.Name) + ", live against ideal"
	}
	c := chart{
		Title: name, Describe: describeWaves(v, nil) + "." + driftText(v), Doubts: doubtsAbout(r, v),
		Table: b.table(b.per("Hits")),
		plot:  plot{X: f.edges(), Time: true, Steps: true, YLabel: f.per("hits")},
	}
	looks := []line{{Color: 0, Fill: true}, {Color: 1, Fill: true}, {Color: 2, Dash: 1}}
	for i, name := range f.names {
		l := looks[i]
		l.Name, l.Y = name, f.heights(i)
		c.plot.Lines = append(c.plot.Lines, l)
	}
	return c
}

// describeWaves says what a histogram shows: the first wave, the waves behind it, and
// where they are highest.
func describeWaves(v report.Variant, vs []report.Variant) string {
	first := firstsOf(v)
	// The bin of the release may begin before it, which the hits in it do not.
	start := func(k int) string { return report.FormatBin(max(float64(k)*v.BinMS-v.BinOffsetMS, 0)) }
	text, lead := "", "First wave"
	if vs != nil {
		text, lead = nameAmong(v, vs)+": ", "first wave"
	}
	at := slices.IndexFunc(first, func(n int64) bool { return n > 0 })
	if at >= 0 {
		text += fmt.Sprintf("%s %s from %s", lead, report.FormatCount(v.FirstWave), start(at))
	} else {
		text += "no first wave"
	}
	if k, most := highest(v.RetryBins); most > 0 {
		text += fmt.Sprintf(", retry peak %s at %s", report.FormatCount(most), start(k))
	} else {
		text += ", no retries"
	}
	return text + ", " + hitsText(v.Hits) + " in all"
}

func highest(bins []int64) (k int, most int64) {
	for i, n := range bins {
		if n > most {
			k, most = i, n
		}
	}
	return k, most
}

// driftText is how far a live run was from virtual time.
func driftText(v report.Variant) string {
	d := v.DriftMS
	if d == nil {
		return ""
	}
	text := fmt.Sprintf(" Drift from the ideal: half of the hits within %s, 99 of 100 within %s, the worst %s.",
		report.FormatMillis(d.P50), report.FormatMillis(d.P99), report.FormatMillis(d.Max))
	if d.Unmatched > 0 {
		text += fmt.Sprintf(" %s without a partner.", hitsText(d.Unmatched))
	}
	return text
}
