package infer

// uniform fits a law whose range is a share of the nominal rest, which from retry at
// on is the cap.
func (s *spread) uniform(law string, g growth, at int) (fit, bool) {
	switch {
	case at < s.retries() && g == fixed:
		return fit{}, false // does not come to a cap
	case g == exponential && at < 2:
		return fit{}, false // the factor would be anything: see firstThenCap
	case g == linear && at < 2 && s.retries() > 2:
		return s.firstThenCap(law)
	case g == linear && at < 2 && s.retries() > 1:
		return fit{}, false // of two rests the second is never called a cap
	}
	f, ok := overFactors(g, func(factor float64) (fit, bool) { return s.scaled(law, g, factor, at) })
	f.free = 1
	if g == exponential {
		f.free++
	}
	if law == lawShare {
		f.free++
	}
	if at < s.retries() {
		f.free++
		f.order = capThenJitter
	}
	return f, ok && f.outside < 0.01
}

// firstThenCap is a rest that grows to its cap in one step.
func (s *spread) firstThenCap(law string) (fit, bool) {
	f, ok := s.scaled(law, anyGrowth, 1, 1)
	f.free, f.order = 2, capThenJitter
	if law == lawShare {
		f.free++
	}
	return f, ok && f.outside < 0.01 && f.rule.cap > 1.1*f.rule.base
}

// scaled fits base, cap and share to the extremes: the narrowest ranges that hold all
// gaps are the likeliest.
func (s *spread) scaled(law string, g growth, factor float64, at int) (fit, bool) {
	f := fit{law: law, at: at, rule: rule{growth: g, factor: factor}}
	weights := make([]float64, s.retries())
	for k := range weights {
		weights[k] = weight(g, factor, k)
	}
	low, high := s.extremes(0, at, weights)
	lowest, highest := s.extremes(at, s.retries(), nil) // of those at the cap; 0 where there are none
	if law == lawShare {
		f.share = max(share(low, high), share(lowest, highest))
	}
	_, to := f.bounds()
	f.rule.base = high / to
	if at < s.retries() {
		f.rule.cap = max(highest/to, f.rule.base*weights[at-1])
		if f.rule.cap <= 0 || g != anyGrowth && f.rule.cap > f.rule.base*weights[at]*1.03 {
			return f, false
		}
	}
	s.weigh(&f)
	return f, true
}

// weigh computes the likelihood of the ranges of a fit, and how far gaps are below them.
func (s *spread) weigh(f *fit) {
	from, to := f.bounds()
	for k := range s.low {
		d := f.rule.nominal(k)
		if by := (from*d - s.noise.p99 - s.low[k]) / max(d, 1e-9); by > 0 { // dear, so that the search turns back
			f.loglik -= 10 * by * float64(s.samples)
			f.outside = max(f.outside, by)
		}
		f.loglik -= s.number[k] * s.surprise((to-from)*d)
	}
}

// extremes of the gaps of some retries, as multiples of weights.
func (s *spread) extremes(from, to int, weights []float64) (low, high float64) {
	for k := from; k < to; k++ {
		w := 1.
		if weights != nil {
			w = weights[k]
		}
		if k == from || s.low[k]/w < low {
			low = s.low[k] / w
		}
		high = max(high, s.high[k]/w)
	}
	return low, high
}

// share is the p of the narrowest ±p around one nominal rest that has both.
func share(low, high float64) float64 {
	if high+low <= 0 {
		return 0
	}
	return (high - low) / (high + low)
}
