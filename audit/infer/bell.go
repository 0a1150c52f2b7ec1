package infer

import "math"

// bells are a rival of all laws, which are even in their ranges: gaps that crowd around a
// nominal rest and are the rarer the farther away, as of a normal distribution.
func (s *spread) bells() []fit {
	means := make([]float64, s.retries())
	for k := range means {
		means[k] = mean(s.gaps.column(k))
	}
	all := []fit{s.bell(rule{}, means)}
	all[0].free = len(means) + 1
	for _, g := range []growth{fixed, linear, exponential} {
		if len(means) == 1 {
			break
		}
		f, _ := overFactors(g, func(factor float64) (fit, bool) {
			weights := make([]float64, len(means))
			for k := range weights {
				weights[k] = weight(g, factor, k)
			}
			return s.bell(rule{growth: g, factor: factor}, weights), true
		})
		all = append(all, f)
	}
	return all
}

// bell fits a normal distribution to the gaps, each as a multiple of the weight of its
// retry.
func (s *spread) bell(r rule, weights []float64) fit {
	var places []float64
	logs := 0.
	for k, w := range weights {
		for _, x := range s.gaps.column(k) {
			if x <= s.high[k] && w > 0 {
				places = append(places, x/w)
				logs += math.Log(w)
			}
		}
	}
	middle := mean(places)
	variance := 0.
	for _, x := range places {
		variance += (x - middle) * (x - middle) / float64(len(places))
	}
	f := fit{law: lawOther, rule: r, free: 2, crowded: true}
	if r.growth == exponential {
		f.free++
	}
	if r.growth != anyGrowth {
		f.rule.base = middle
	}
	n := float64(len(places))
	width := math.Sqrt(2 * math.Pi * math.E * variance)        // of the even distribution that is as uncertain
	f.loglik = -n * s.surprise(width*math.Exp(logs/max(n, 1))) // no narrower than the noise
	return f
}
