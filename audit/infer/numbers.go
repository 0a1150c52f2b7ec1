package infer

import (
	"math"
	"slices"

	"labctl/audit"
)

// describe writes down the numbers of a fit, corrected for what extremes of a sample
// fall short of those of its law, and rounded within what is not known.
func (c *inquiry) describe(r *audit.Rest, s *spread, f *fit) {
	if f.law == lawOther && f.rule.base == 0 {
		r.BaseMS = round(mean(s.gaps.column(0)))
		return
	}
	short := float64(f.free) / float64(s.samples)
	switch f.law {
	case lawFull, lawEqual:
		f.rule.base *= 1 + short
		if f.order == capThenJitter {
			f.rule.cap *= 1 + 1/float64(s.samples)
		}
	case lawShare:
		f.share = min(f.share*(1+2/float64(s.samples)), 1)
	}
	unknown := min(short, 0.015) + s.blur/4/max(f.rule.base, 1)
	r.BaseMS = roundest(f.rule.base*(1-unknown), f.rule.base*(1+unknown), f.rule.base)
	if f.rule.cap > 0 {
		r.CapMS = c.noise.asMeant(f.rule.cap)
	}
	c.growth(r, s.retries(), *f)
}

// growth writes down how rests grow. Of laws that look back there is nothing to say.
func (c *inquiry) growth(r *audit.Rest, retries int, f fit) {
	g := f.rule.growth
	switch {
	case f.law == lawDecorrelated:
	case retries == 1:
		c.undecided("growth: there is one rest, which cannot grow")
	case g == anyGrowth:
		r.Growth, r.Factor = string(exponential), round(f.rule.cap/max(f.rule.base, 1e-9))
		c.undecided("factor: the second rest is the cap, so it is at least %s", number(r.Factor, 3))
	case g == linear && f.order == capThenJitter && 3*f.rule.base > f.rule.cap:
		r.Growth, r.Factor = string(exponential), 2
		c.undecided("growth: it doubles once, so it may as well be linear")
	case retries == 2 && g != fixed:
		r.Factor = 2
		if g == exponential {
			r.Factor = roundFactor(f.rule.factor)
		}
		c.undecided("growth: there are two rests, the second %s times the first: it may be exponential, linear, or of another rule", number(r.Factor, 3))
	case g == exponential:
		r.Growth, r.Factor = string(exponential), roundFactor(f.rule.factor)
	default:
		r.Growth = string(g)
	}
}

// growthWithoutLaw takes the growth of a fit back where the gaps of the first and the last
// retry do not show it: a fit that is none may bend it.
func (c *inquiry) growthWithoutLaw(r *audit.Rest, t *table) {
	const chance = 0.001
	grows := apart(t.column(0), t.column(t.retries()-1)) < chance
	if r.Growth != "" && grows == (r.Growth == string(fixed)) {
		r.Growth, r.Factor, r.CapMS = "", 0, 0
		c.undecided("growth: %s follow no law that would tell", ranges(t))
	}
}

func roundFactor(f float64) float64 {
	return roundest(f*0.98, f*1.02, f)
}

// steady infers the rests of a subject without jitter, as far as the gaps show that
// there is none.
func (c *inquiry) steady(r *audit.Rest, t *table) {
	rests := t.shortest()
	first, rules := c.firstApart(rests)
	if first {
		f := c.noise.asMeant(rests[0])
		if rests[0] <= 2*c.noise.of(0) {
			f = 0
		}
		r.FirstMS = &f
	}
	switch {
	case len(rules) == 0:
		c.unruly(r, rests)
	default:
		c.byRule(r, rests, rules, first)
	}
	r.Confidence = steadiness(t, rests, len(rules) > 0, c.noise)
	if r.BaseMS == 0 && r.Growth != "" {
		r.Confidence = 1
	}
	if r.Confidence < sure {
		c.undecided("jitter: none shows, but %s cannot exclude one of ±10 %%: too few, or too short", several(t.samples(), "gap", "gaps"))
		return
	}
	r.Jitter = lawNone
}

// firstApart finds the rules of the rests, of all but the first if that is none or
// all follow none.
func (c *inquiry) firstApart(rests []float64) (apart bool, rules []rule) {
	immediate := len(rests) > 1 && rests[0] <= 30 && rests[0] <= rests[1]/8 && rests[1] > 2*c.noise.of(0)
	if !immediate {
		if rules := steadyRules(rests, c.noise); len(rules) > 0 || len(rests) < 4 {
			return false, rules
		}
	}
	rules = steadyRules(rests[1:], c.noise)
	if len(rules) > 0 && !immediate && len(rests) < complexity(rules[0])+3 {
		return false, nil // the first is a number, too: 1, 1, 2, 3 is Fibonacci's, and not linear
	}
	return immediate || len(rules) > 0, rules
}

// byRule writes down a rule. Where several fit, exponential growth stands for all:
// there are too few rests for a difference.
func (c *inquiry) byRule(r *audit.Rest, rests []float64, rules []rule, apart bool) {
	best := typical(rules)
	grown := rests
	if apart {
		grown = rests[1:]
	}
	base := best.base
	if apart && best.growth == exponential {
		base /= best.factor // what the first rest would be
	}
	if r.BaseMS = c.noise.asMeant(base); base <= c.noise.of(0) {
		r.BaseMS = 0
	}
	if best.cap > 0 {
		r.CapMS = c.noise.asMeant(best.cap)
	}
	r.Growth = string(best.growth)
	switch {
	case len(grown) == 1 && r.BaseMS > 0:
		r.Growth = ""
		c.undecided("growth: there is one rest, which cannot grow")
	case len(grown) == 2 && best.growth == exponential:
		r.Growth, r.Factor = "", digits(best.factor)
		c.undecided("growth: there are two rests, %s: it may be exponential, linear, or of another rule", spans(grown))
	case best.growth == anyGrowth:
		r.Growth, r.Factor = string(exponential), digits(best.cap/max(best.base, 1e-9))
		c.undecided("factor: the second rest is the cap, so it is at least %s", number(r.Factor, 3))
	case best.growth == exponential:
		r.Factor = digits(best.factor)
		if slices.ContainsFunc(rules, func(r rule) bool { return r.growth != exponential }) {
			c.undecided("growth: %s may be exponential, linear, or of another rule: there are too few", spans(grown))
		}
	}
}

// typical is the rule that stands for all that fit: the one that says least where the
// cap hides the growth, or else an exponential one.
func typical(rules []rule) rule {
	for _, g := range []growth{anyGrowth, exponential} {
		if i := slices.IndexFunc(rules, func(r rule) bool { return r.growth == g }); i >= 0 {
			return rules[i]
		}
	}
	return rules[0]
}

// unruly describes rests that follow no rule.
func (c *inquiry) unruly(r *audit.Rest, rests []float64) {
	r.BaseMS = c.noise.asMeant(rests[0])
	last := rests[len(rests)-1]
	if last <= 20 && slices.Max(rests) <= 150 {
		r.BaseMS = 0
		c.undecided("rest: %s are no rest, or one that is shorter than the subject's own work", spans(rests))
		return
	}
	c.undecided("growth: rests of %s follow no rule that is fixed, linear or exponential", spans(rests))
}

// steadiness is the confidence that there is no jitter: against one of ±10 %, how
// likely it would be that gaps which need not agree do, by repetition or by a rule.
func steadiness(t *table, rests []float64, ruled bool, noise tolerance) float64 {
	spare := t.samples() - len(rests)
	if ruled {
		spare += max(len(rests)-2, 0)
	}
	odds := 1.
	for i := range max(spare, 0) {
		d := rests[i%len(rests)]
		odds *= min(1, 2*noise.of(d)/max(0.2*d, 1e-9))
	}
	return math.Round(1/(1+odds)*1000) / 1000
}
