package report

import (
	"fmt"
	"slices"
	"strings"
)

// variantDifferences compares two runs of one variant. The cause comes first:
// an extra attempt in one layer changes every count below it, and a list that
// starts with the tail would hide where to look.
func variantDifferences(path string, was, now Variant) []Difference {
	d := variantComparison{path: path, was: was, now: now}
	d.layers()
	d.count("requests", was.Requests, now.Requests)
	d.count("hits", was.Hits, now.Hits)
	d.count("effects", was.Effects, now.Effects)
	for i, o := range was.Outcomes.list() {
		d.count("outcomes."+o.name, o.n, now.Outcomes.list()[i].n)
	}
	if now.Engine == "sim" {
		d.bins("bins", was.Bins, now.Bins)
		d.bins("retry_bins", was.RetryBins, now.RetryBins)
	}
	if len(d.found) == 0 {
		return nil
	}
	if cause, ok := d.cause(); ok {
		return d.causeFirst(cause)
	}
	return d.found
}

type variantComparison struct {
	path     string
	was, now Variant
	found    []Difference
}

func (d *variantComparison) add(layer, field string, was, now any, message string) {
	d.found = append(d.found, Difference{Variant: d.now.Name, Layer: layer, Field: field, Was: was, Now: now, Message: message})
}

func (d *variantComparison) count(field string, was, now int64) {
	if was != now {
		d.add("", field, was, now, fmt.Sprintf("%s: %s %s → %s", d.path, field, count(was), count(now)))
	}
}

func (d *variantComparison) bins(field string, was, now []int64) {
	was, now = trimRight(was), trimRight(now)
	if slices.Equal(was, now) {
		return
	}
	k := 0
	for k < min(len(was), len(now)) && was[k] == now[k] {
		k++
	}
	d.add("", field, was, now, fmt.Sprintf("%s: %s differ from bin %d on (%s → %s)", d.path, field, k, count(binAt(was, k)), count(binAt(now, k))))
}

func binAt(bins []int64, k int) int64 {
	if k < len(bins) {
		return bins[k]
	}
	return 0
}

// layers compares layer by layer; a chain of other layers is one difference,
// since their numbers mean other things.
func (d *variantComparison) layers() {
	was, now := chain(d.was), chain(d.now)
	if was != now {
		d.add("", "layers", was, now, fmt.Sprintf("%s: the layers are %s, were %s", d.path, now, was))
		return
	}
	for i, n := range d.now.Layers {
		w := d.was.Layers[i]
		for _, c := range []struct {
			field    string
			was, now int64
		}{{"requests", w.Requests, n.Requests}, {"attempts", w.Attempts, n.Attempts}} {
			if c.was != c.now {
				d.add(n.Name, c.field, c.was, c.now, fmt.Sprintf("%s: layer %s %s %s → %s",
					d.path, label(n.Name), c.field, count(c.was), count(c.now)))
			}
		}
	}
}

func chain(v Variant) string {
	names := make([]string, len(v.Layers))
	for i, l := range v.Layers {
		names[i] = label(l.Name)
	}
	return strings.Join(names, " → ")
}

// cause finds the outermost layer whose settings changed, else the outermost
// one that calls more or less often per request. Settings go first because a
// layer's calls also change when the one below fails less.
func (d *variantComparison) cause() (Difference, bool) {
	if chain(d.was) != chain(d.now) {
		return Difference{}, false
	}
	for i, n := range d.now.Layers {
		w := d.was.Layers[i]
		if w.Policy == nil || n.Policy == nil || w.Policy.Attempts == n.Policy.Attempts {
			continue
		}
		if sameRatio(w, n) {
			return d.blame(w, n, "may make", allowed(w.Policy), allowed(n.Policy)), true
		}
		return d.blame(w, n, "makes", perRequest(w), perRequest(n)), true
	}
	for i, n := range d.now.Layers {
		w := d.was.Layers[i]
		if !sameRatio(w, n) {
			return d.blame(w, n, "makes", perRequest(w), perRequest(n)), true
		}
	}
	return Difference{}, false
}

func (d *variantComparison) blame(w, n Layer, verb, was, now string) Difference {
	noun := "attempts"
	if now == "1" {
		noun = "attempt"
	}
	text := fmt.Sprintf("%s: layer %s now %s %s %s per request, was %s", d.path, label(n.Name), verb, now, noun, was)
	if d.was.Hits != d.now.Hits {
		text += fmt.Sprintf(" (hits %s → %s)", count(d.was.Hits), count(d.now.Hits))
	}
	return Difference{Variant: d.now.Name, Layer: n.Name, Field: "attempts", Was: w.Attempts, Now: n.Attempts, Message: text}
}

// causeFirst replaces the layer's bare count with the sentence that explains it.
func (d *variantComparison) causeFirst(cause Difference) []Difference {
	rest := slices.DeleteFunc(d.found, func(o Difference) bool { return o.Layer == cause.Layer && o.Field == cause.Field })
	return append([]Difference{cause}, rest...)
}

func allowed(p *Policy) string {
	if p.Attempts < 0 {
		return "unlimited"
	}
	return count(int64(p.Attempts))
}

// sameRatio compares attempts per request without dividing.
func sameRatio(a, b Layer) bool {
	return float64(a.Attempts)*float64(b.Requests) == float64(b.Attempts)*float64(a.Requests)
}

func perRequest(l Layer) string {
	if l.Requests == 0 {
		return "0"
	}
	return number(float64(l.Attempts) / float64(l.Requests))
}
