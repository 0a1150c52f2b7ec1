package infer

import (
	"fmt"
	"math"
	"strings"
	"time"

	"labctl/audit"
)

// rest infers the wait between attempts from the faults that are answered, or else
// from those that are not.
func (c *inquiry) rest() {
	c.plain = c.ownGaps().complete()
	t := c.plain
	if t.retries() == 0 {
		return
	}
	r := &audit.Rest{Samples: t.samples(), LongestMS: round(t.longest())}
	c.policy.Rest = r
	switch rest := t.withoutLongest(); {
	case unrested(t, c.noise):
		r.Growth, r.Jitter, r.Confidence = "fixed", lawNone, 1
	case c.likeWork(t):
		r.BaseMS = digits(t.quantiles(0.5)[0])
		c.undecided("rest: gaps of %s: rests of under %s, below what can be told from the client's own work", ranges(t), span(workLike))
	case !jittered(t, c.noise):
		c.steady(r, t)
	case rest.samples() < t.samples() && !jittered(rest, c.noise) && c.ruled(rest):
		c.steady(r, rest)
	default:
		c.random(r, t)
	}
	if r.Jitter == "" {
		r.Confidence = 0
		c.spread(r, t)
	}
	r.Base = time.Duration(r.BaseMS * float64(time.Millisecond))
	c.otherRests()
}

// spread measures how far the gaps of a jitter without a name are apart, for who must
// simulate something: nothing at all would be a herd that nobody saw.
func (c *inquiry) spread(r *audit.Rest, t *table) {
	if r.FirstMS != nil {
		t = t.from(1)
	}
	if !jittered(t, c.noise) {
		return
	}
	widest := 0.
	for k := range t.retries() {
		column := t.column(k)
		widest = max(widest, share(column[0], column[len(column)-1]))
	}
	first := t.column(0)
	r.MiddleMS, r.SpreadPercent = digits((first[0]+first[len(first)-1])/2), math.Round(1000*widest)/10
}

// ruled reports whether the shortest gaps follow a rule that they could break.
func (c *inquiry) ruled(t *table) bool {
	_, rules := c.firstApart(t.shortest())
	return len(rules) > 0 && t.retries() > complexity(rules[0])
}

// random infers the law of a jitter.
func (c *inquiry) random(r *audit.Rest, t *table) {
	if t.samples() < few {
		c.undecided("jitter: the gaps differ (%s), and %s are too few to know by which law", ranges(t), several(t.samples(), "gap", "gaps"))
		r.BaseMS = digits(t.column(0)[0])
		return
	}
	if c.firstAtOnce(t) {
		r.FirstMS = new(float64)
		t = t.from(1)
	}
	s := spreadOf(t, c.noise)
	found := s.choose()
	r.Confidence = math.Round(found.confidence*1000) / 1000
	s = found.spread
	even := s.uniformUnder(found.fit)
	c.describe(r, s, &found.fit)
	if r.FirstMS != nil && r.Factor > 0 {
		r.BaseMS = digits(r.BaseMS / r.Factor) // what the first rest would be
	}
	switch {
	case found.law == lawOther:
		c.undecided("jitter: gaps of %s follow none of the laws%s", ranges(t), added(found.fit))
	case !found.certain():
		c.undecided("jitter: gaps of %s may be drawn by %s", ranges(t), rivalsOf(found))
	case !even:
		c.undecided("jitter: gaps of %s are not spread evenly, as by every law here; the nearest is %s", ranges(t), lawText(found.fit))
	default:
		r.Jitter, r.Order = lawText(found.fit), found.order
	}
	if r.Jitter == "" {
		r.Order = ""
		c.growthWithoutLaw(r, t)
	}
}

// ranges describes gaps: "12 ms to 980 ms, 20 ms to 1.9 s".
func ranges(t *table) string {
	const shown = 5
	var words []string
	for k := range t.retries() {
		if k == shown {
			words = append(words, "…")
			break
		}
		column := t.column(k)
		from, to := span(column[0]), span(column[len(column)-1])
		if from != to {
			from += " to " + to
		}
		words = append(words, from)
	}
	return strings.Join(words, ", ")
}

func added(f fit) string {
	if f.widths == 0 {
		return ""
	}
	return fmt.Sprintf("; the nearest is up to %s added to each rest", span(f.widths))
}

// rivalsOf lists what may be, the likeliest first.
func rivalsOf(c choice) string {
	words := []string{fmt.Sprintf("%s (%.0f %%)", lawText(c.fit), 100*c.confidence)}
	for _, law := range laws() {
		if w := c.weights[law]; law != c.law && w >= 0.05 {
			words = append(words, fmt.Sprintf("%s (%.0f %%)", nameOf(law), 100*w))
		}
	}
	return strings.Join(words, " or ")
}

func nameOf(law string) string {
	switch law {
	case lawShare:
		return "±p"
	case lawOther:
		return "another law"
	}
	return law
}

// lawText is a law in the words of a lab's file.
func lawText(f fit) string {
	if f.law == lawShare {
		p := 100 * f.share
		return number(min(roundest(p*0.97, p*1.03, p), 100), 2) + "%"
	}
	return f.law
}

func round(ms float64) float64 { return math.Round(ms*1000) / 1000 }
