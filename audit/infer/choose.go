package infer

import (
	"math"
	"slices"
)

// sure is the confidence from which a law is named.
const sure = 0.75

// doubtful is the weight of another law from which ±p, which may have any width, is not
// named: a normal distribution looks like it.
const doubtful = 0.05

// few is the number of gaps below which no law of jitter is named.
const few = 12

// A choice is the law that explains the gaps best, and how sure that is.
type choice struct {
	fit
	spread     *spread // that it fits
	confidence float64
	weights    map[string]float64 // posterior, of each law
}

// certain reports whether the law can be named.
func (c choice) certain() bool {
	return c.confidence >= sure && (c.law != lawShare || c.weights[lawOther] < doubtful)
}

// laws in the order in which one that is as likely as another is preferred.
func laws() []string { return []string{lawFull, lawEqual, lawDecorrelated, lawShare, lawOther} }

// choose compares the best fit of each law.
func (s *spread) choose() choice {
	best := map[string]choice{}
	for _, s := range s.withoutStrays() {
		for _, f := range s.fits() {
			f.loglik -= float64(s.strays) * s.stray(0)
			if b, seen := best[f.law]; !seen || f.score(s.samples) > b.score(s.samples) {
				best[f.law] = choice{fit: f, spread: s}
			}
		}
	}
	top := choice{fit: fit{loglik: math.Inf(-1)}, spread: s}
	for _, law := range laws() {
		if f, has := best[law]; has && f.score(s.samples) > top.score(s.samples) {
			top = f
		}
	}
	top.weights = map[string]float64{}
	sum := 0.
	for _, law := range laws() {
		if f, has := best[law]; has {
			top.weights[law] = math.Exp(f.score(s.samples) - top.score(s.samples))
			sum += top.weights[law]
		}
	}
	for law := range top.weights {
		top.weights[law] /= sum
	}
	top.confidence = top.weights[top.law]
	top.fit = top.spread.roundly(top.fit)
	return top
}

// withoutStrays is the gaps as they are, and without those that the machine may have
// made longer: alone above the others of their retry, by more than the noise and by no
// more than a few times that.
func (s *spread) withoutStrays() []*spread {
	without := *s
	without.high, without.number = slices.Clone(s.high), slices.Clone(s.number)
	for k := range s.high {
		column := s.gaps.column(k)
		n := len(column)
		if n < 10 {
			continue
		}
		if by := column[n-1] - column[n-2]; by > s.noise.p99/2 && by < 8*s.noise.p99 {
			without.high[k] = column[n-2]
			without.number[k]--
			without.strays++
		}
	}
	if without.strays == 0 {
		return []*spread{s}
	}
	return []*spread{s, &without}
}

// roundly is a fit with the roundest factor that is nearly as likely: the base is the
// surer for it.
func (s *spread) roundly(f fit) fit {
	if f.rule.growth != exponential || f.law == lawOther {
		return f
	}
	round := roundest(f.rule.factor*0.97, f.rule.factor*1.03, f.rule.factor)
	g := f
	if f.order == jitterThenCap {
		c := s.below(f.rule.cap)
		g = c.refine(c.try(f.law, exponential, [3]float64{f.rule.base, round, f.share}), false, f.law == lawShare)
	} else {
		var ok bool
		if g, ok = s.scaled(f.law, exponential, round, f.at); !ok || g.outside > 0.01 {
			return f
		}
		g.free, g.order = f.free, f.order
	}
	if g.loglik < f.loglik-4 {
		return f
	}
	return g
}

// uniformUnder reports whether the gaps are spread evenly over the ranges of a fit:
// Kolmogorov and Smirnov's statistic, beyond what one sample in ten thousand has.
func (s *spread) uniformUnder(f fit) bool {
	places := s.places(f)
	slices.Sort(places)
	n := float64(len(places))
	worst := 0.
	for i, u := range places {
		worst = max(worst, math.Abs(u-float64(i)/n), math.Abs(float64(i+1)/n-u))
	}
	const critical = 2.23
	return worst*math.Sqrt(n) < critical
}

// places are where the gaps lie in the ranges of a fit, from 0 to 1. Those at a cap
// have no place.
func (s *spread) places(f fit) []float64 {
	var all []float64
	from, to := f.bounds()
	for _, row := range s.gaps.rows {
		last := f.rule.base
		for k, x := range row {
			low, high := from*s.uncapped(f, k), to*s.uncapped(f, k)
			if f.law == lawDecorrelated {
				low, high = f.rule.base, 3*last
			}
			last = max(x, f.rule.base)
			if f.order == jitterThenCap {
				if x > f.rule.cap-s.blur {
					continue
				}
				high = min(high, f.rule.cap)
			}
			if high > low {
				all = append(all, min(max((x-low)/(high-low), 0), 1))
			}
		}
	}
	return all
}

// uncapped is the nominal rest that the jitter is applied to.
func (s *spread) uncapped(f fit, k int) float64 {
	r := f.rule
	if f.order == jitterThenCap {
		r.cap = 0
	}
	return r.nominal(k)
}
