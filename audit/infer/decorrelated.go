package infer

import "math"

// decorrelated fits the law that looks back: from the base to thrice the rest before.
func (s *spread) decorrelated(ceiling float64) []fit {
	all := []fit{s.lookingBack(0)}
	if ceiling > 0 {
		all = append(all, s.lookingBack(ceiling))
	}
	return all
}

// lookingBack tries bases up to the least gap. The first rests are at most thrice the
// base and the others at least the base, so that the best is in between: the mean of
// the bases by their likelihood is what comes nearest.
func (s *spread) lookingBack(ceiling float64) fit {
	most := math.Inf(1)
	for k := range s.low {
		most = min(most, s.low[k])
	}
	f := fit{law: lawDecorrelated, order: jitterThenCap, free: 2}
	if ceiling <= 0 {
		f.order, f.free = "", 1
	}
	if s.retries() == 1 {
		f.free++ // of one rest it is ±50 %, and no simpler
	}
	const steps = 40
	var bases, logliks []float64
	f.loglik = math.Inf(-1)
	for i := range steps {
		base := most * (1 - 0.3*float64(i)/steps)
		bases, logliks = append(bases, base), append(logliks, s.likelihoodFrom(base, ceiling))
		f.loglik = max(f.loglik, logliks[i])
	}
	sum, weights := 0., 0.
	for i, base := range bases {
		w := math.Exp(logliks[i] - f.loglik)
		sum, weights = sum+w*base, weights+w
	}
	f.rule = rule{growth: anyGrowth, base: sum / weights, cap: ceiling}
	return f
}

func (s *spread) likelihoodFrom(base, ceiling float64) float64 {
	loglik := 0.
	for _, row := range s.gaps.rows {
		last := base
		for _, x := range row {
			loglik -= s.surpriseAfter(last, x, base, ceiling)
			last = max(x, base)
		}
	}
	return loglik
}

// surpriseAfter is −log of the density of a gap that follows another. What is above
// the range is a gap that the machine made longer, in one of a hundred.
func (s *spread) surpriseAfter(last, x, base, ceiling float64) float64 {
	top := 3 * last
	if ceiling > 0 && x > ceiling-s.blur {
		if top <= ceiling {
			return s.stray(x - top)
		}
		return math.Log(s.blur) - math.Log((top-ceiling)/(top-base))
	}
	if x > top+s.noise.p99 {
		return s.stray(x - top)
	}
	return s.surprise(top - base)
}

func (s *spread) stray(by float64) float64 {
	tail := 20 * s.noise.p99
	return math.Log(100*tail) + max(by, 0)/tail
}
