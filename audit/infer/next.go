package infer

import (
	"slices"
	"strconv"
	"strings"

	"labctl/audit"
)

// longer is the chance that a rest between these bounds is longer than that.
func (c *inquiry) longer(low, high, than float64) float64 {
	room := c.noise.of(high)
	if high-low < room {
		low -= room / 2
	}
	high += room / 2 // a base is not known better
	return min(max((high-than)/(high-low), 0), 1)
}

// next bounds the rest after the last attempt of a trial: what was asked for, where it
// is obeyed, or else the subject's own.
func (c *inquiry) next(t audit.Trial) (low, high float64) {
	low, high = c.ownRest(t)
	asked, is := askedMS(t.Probe.Fault.Name)
	switch g := gaps(t); {
	case !is || asked >= hugeWait || c.policy.RetryAfter == nil:
		return low, high
	case asked == 0 && (len(g) == 0 || millis(slices.Max(g)) > c.noise.of(0)):
		return low, high // nothing asked for is no wait to most
	}
	switch c.policy.RetryAfter.Seconds {
	case ignored:
		return low, high
	case exact:
		return asked, asked
	}
	return max(low, asked), max(high, asked)
}

// ownRest bounds the subject's own rest after the last attempt of a trial: by its law, or
// by what was seen where none is known.
func (c *inquiry) ownRest(t audit.Trial) (low, high float64) {
	r := c.policy.Rest
	if r == nil || r.BaseMS == 0 {
		return 0, 0
	}
	g := gaps(t)
	d := c.nominal(len(g))
	switch {
	case r.Jitter == lawDecorrelated:
		last := r.BaseMS
		if len(g) > 0 {
			last = max(millis(g[len(g)-1]), last)
		}
		return r.BaseMS, 3 * last
	case r.FirstMS != nil && len(g) == 0:
		return *r.FirstMS, *r.FirstMS
	case r.Growth == "" || r.Jitter == "":
		if low, high, steady := c.seen(len(g)); steady {
			return low, high
		}
		return 0, 2 * max(r.LongestMS, d)
	}
	from, to := fit{law: r.Jitter, share: shareOf(r.Jitter)}.bounds()
	if shareOf(r.Jitter) > 0 {
		from, to = 1-shareOf(r.Jitter), 1+shareOf(r.Jitter)
	}
	return from * d, to * d
}

// seen bounds the subject's own rests of a retry, from 0, where several were seen and do
// not differ. Those that a few calls alone came to are among them.
func (c *inquiry) seen(retry int) (low, high float64, steady bool) {
	column := c.ownGaps().column(retry)
	if len(column) < 2 || jittered(&table{rows: oneEach(column)}, c.noise) {
		return 0, 0, false
	}
	return column[0], column[len(column)-1], true
}

func oneEach(column []float64) [][]float64 {
	rows := make([][]float64, len(column))
	for i, x := range column {
		rows[i] = []float64{x}
	}
	return rows
}

// shareOf reads the p of a law such as 50%; 0 for others.
func shareOf(law string) float64 {
	p, err := strconv.ParseFloat(strings.TrimSuffix(law, "%"), 64)
	if err != nil {
		return 0
	}
	return p / 100
}

// nominal is the rest of a retry, from 0, by the rule that was inferred.
func (c *inquiry) nominal(k int) float64 {
	r := c.policy.Rest
	if r == nil {
		return 0
	}
	rule := rule{growth: growth(r.Growth), base: r.BaseMS, factor: r.Factor, cap: r.CapMS}
	switch {
	case rule.growth == anyGrowth && r.Factor > 0:
		rule.growth = exponential // as far as it was seen
	case rule.growth == anyGrowth:
		rule.growth = fixed
	}
	return rule.nominal(k)
}
