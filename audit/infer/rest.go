package infer

import (
	"fmt"
	"math"
	"slices"
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
	case !jittered(t, c.noise):
		c.steady(r, t)
	case rest.samples() < t.samples() && !jittered(rest, c.noise) && c.ruled(rest):
		c.steady(r, rest)
	default:
		c.random(r, t)
	}
	r.Base = time.Duration(r.BaseMS * float64(time.Millisecond))
	c.otherRests()
}

// ownWork is a gap, in milliseconds, that programs have who do not rest: their own work, a connection, and
// some other process in between. A rest shorter than that is none to a server.
const ownWork = 5.0

// unrested reports whether half of the gaps at least, after each attempt, are no longer
// than a client's own work: the longer ones are the machine's.
func unrested(t *table, noise tolerance) bool {
	limit := max(3*noise.p99, ownWork)
	for k := range t.retries() {
		if quantile(slices.Sorted(slices.Values(t.column(k))), 0.5) > limit {
			return false
		}
	}
	return true
}

// otherRests lists the failures that have rests of their own: some clients are slower
// after they were told that there were too many requests, or faster where no answer came.
func (c *inquiry) otherRests() {
	for _, q := range c.asked(audit.Status, audit.Transport) {
		if !q.retried() || q.Fault.Name == redirectLoop || q.resumed() || q.Fault.Name == c.readFrom {
			continue
		}
		if other := c.gapsOf(q).complete(); c.differs(other) {
			c.exception("%s: rests of its own, %s", q.Fault.Name, ranges(other))
		}
	}
}

// differs reports whether gaps are far from the subject's own: beyond the noise and half
// as long again, or two and a half times as long where they are random.
func (c *inquiry) differs(other *table) bool {
	times := 1.5
	if c.policy.Rest.Jitter != lawNone {
		times = 2.5
	}
	if len(other.rows) < 3 {
		times *= 2 // one trial may be the machine's
	}
	own, its := 0., 0.
	for k := range min(other.retries(), c.plain.retries()) {
		own += mean(c.plain.column(k))
		its += mean(other.column(k))
	}
	longer, shorter := max(own, its), min(own, its)
	return longer > times*shorter && longer-shorter > 4*c.noise.of(longer)+100
}

// ruled reports whether the shortest gaps follow a rule that they could break.
func (c *inquiry) ruled(t *table) bool {
	_, rules := c.firstApart(t.shortest())
	return len(rules) > 0 && t.retries() > complexity(rules[0])
}

// ownGaps are those of the question that was asked most often. Where that is not
// three times, all that agree with it in the number of attempts are taken together.
func (c *inquiry) ownGaps() *table {
	chosen := c.gapQuestion()
	if chosen == nil {
		return &table{}
	}
	c.readFrom = chosen.Fault.Name
	all := c.gapsOf(chosen)
	if len(chosen.trials) >= 3 || chosen.Fault.Group != audit.Status {
		return all
	}
	for _, q := range c.questions {
		if q != chosen && c.plainly(q) && q.most() == chosen.most() {
			all.rows = append(all.rows, c.gapsOf(q).rows...)
		}
	}
	return all
}

// plainly reports whether the rests of a question are the subject's own.
func (c *inquiry) plainly(q *question) bool {
	return q.Fault.Group == audit.Status && q.isPrimary(c) && q.retried() && q.Fault.Name != redirectLoop
}

func (c *inquiry) gapQuestion() *question {
	var chosen *question
	better := func(q *question) bool {
		return chosen == nil || len(q.trials) > len(chosen.trials) ||
			len(q.trials) == len(chosen.trials) && q.most() > chosen.most()
	}
	consider := func(questions []*question) {
		for _, q := range questions {
			if q.retried() && q.replays == 0 && q.Fault.Name != redirectLoop && !q.resumed() && better(q) {
				chosen = q
			}
		}
	}
	if q := c.on("503"); q != nil {
		consider([]*question{q})
	}
	consider(c.asked(audit.Status))
	if chosen == nil {
		consider(c.asked(audit.Transport))
	}
	return chosen
}

// random infers the law of a jitter.
func (c *inquiry) random(r *audit.Rest, t *table) {
	if t.samples() < few {
		c.undecided("jitter: the gaps differ (%s), and %s are too few to know by which law", ranges(t), several(t.samples(), "gap", "gaps"))
		r.BaseMS = digits(t.column(0)[0])
		return
	}
	s := spreadOf(t, c.noise)
	found := s.choose()
	r.Confidence = math.Round(found.confidence*1000) / 1000
	s = found.spread
	even := s.uniformUnder(found.fit)
	c.describe(r, s, &found.fit)
	switch {
	case found.law == lawOther:
		c.undecided("jitter: gaps of %s follow none of the laws%s", ranges(t), added(found.fit))
	case found.confidence < sure:
		c.undecided("jitter: gaps of %s may be drawn by %s", ranges(t), rivalsOf(found))
	case !even:
		c.undecided("jitter: gaps of %s are not spread evenly, as by every law here; the nearest is %s", ranges(t), lawText(found.fit))
		r.Confidence = 0
	default:
		r.Jitter, r.Order = lawText(found.fit), found.order
	}
	if r.Jitter == "" {
		r.Order = ""
	}
}

// ranges describes gaps: "12 ms to 980 ms, 20 ms to 1.9 s".
func ranges(t *table) string {
	var words []string
	for k := range t.retries() {
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
