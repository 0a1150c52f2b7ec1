package infer

import (
	"math"
	"slices"
)

// atom finds the value that many gaps share at the upper end: a cap that is applied
// after the jitter, as everybody who drew more rests for exactly that long. Its place
// is the fullest window as wide as the noise that has next to nothing above it; 0 where there is none.
func (s *spread) atom() (ceiling float64) {
	var all []float64
	for k := range s.retries() {
		all = append(all, s.gaps.column(k)...)
	}
	slices.Sort(all)
	window := s.noise.p99
	fullest := 0
	for i := range all {
		end := i
		for end < len(all) && all[end] <= all[i]+window {
			end++
		}
		if above := len(all) - end; end-i > fullest && above*50 <= len(all) {
			fullest, ceiling = end-i, quantile(all[i:end], 0.5)
		}
	}
	whole := all[len(all)-1] - all[0]
	expected := float64(len(all)) * window / max(whole, window)
	enough := max(4, 0.06*float64(len(all)), expected+4*math.Sqrt(expected)+1)
	if float64(fullest) < enough || whole <= 3*window {
		return 0
	}
	return ceiling
}

// cutSpread are the extremes of what is below the cap, and how much is at it.
type cutSpread struct {
	*spread
	ceiling     float64
	below, at   []float64 // numbers of gaps
	least, most []float64 // of those below
	above       float64   // −log of the density of those above, which the machine made longer
}

func (s *spread) below(ceiling float64) *cutSpread {
	c := &cutSpread{spread: s, ceiling: ceiling}
	for k := range s.retries() {
		column := s.gaps.column(k)
		n, _ := slices.BinarySearch(column, ceiling-s.blur)
		end, _ := slices.BinarySearch(column, ceiling+s.noise.p99)
		c.below = append(c.below, float64(n))
		c.at = append(c.at, float64(end-n))
		for _, x := range column[end:] {
			c.above += s.stray(x - ceiling)
		}
		least, most := math.Inf(1), 0.
		if n > 0 {
			least, most = column[0], column[n-1]
		}
		c.least, c.most = append(c.least, least), append(c.most, most)
	}
	return c
}

// cut fits the laws with the cap applied after the jitter. There is no closed form:
// the share of gaps at the cap says how far above it a nominal rest is. The best of a
// grid is refined.
func (s *spread) cut(ceiling float64) []fit {
	c := s.below(ceiling)
	var all []fit
	for _, law := range []string{lawFull, lawEqual, lawShare} {
		for _, g := range []growth{fixed, linear, exponential} {
			if g == exponential && s.retries() < 2 {
				continue
			}
			if f, ok := c.search(law, g); ok {
				all = append(all, f)
			}
		}
	}
	return all
}

func (c *cutSpread) search(law string, g growth) (best fit, found bool) {
	shares, factors := []float64{0}, []float64{1}
	if law == lawShare {
		shares = steps(0.04, 1, 16)
	}
	if g == exponential {
		factors = steps(1.1, 4, 24)
	}
	for _, p := range shares {
		for _, factor := range factors {
			for _, base := range c.bases(law, p) {
				f := c.try(law, g, [3]float64{base, factor, p})
				if !found || f.loglik > best.loglik {
					best, found = f, true
				}
			}
		}
	}
	return c.refine(best, len(factors) > 1, len(shares) > 1), found && !math.IsInf(best.loglik, -1)
}

// bases are those that the first retry allows.
func (c *cutSpread) bases(law string, share float64) []float64 {
	_, to := fit{law: law, share: share}.bounds()
	first := c.most[0]
	if c.at[0] > 0 {
		first = c.ceiling
	}
	least := max(first, c.noise.p99) / to
	return steps(least*0.99, 8*least, 32)
}

// steps are n values from low to high, each the same factor above the one before.
func steps(low, high float64, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = low * math.Pow(high/low, float64(i)/float64(n-1))
	}
	return all
}

// refine walks uphill, with ever smaller steps.
func (c *cutSpread) refine(best fit, factor, share bool) fit {
	moves := []int{0}
	if factor {
		moves = append(moves, 1)
	}
	if share {
		moves = append(moves, 2)
	}
	for step := 0.06; step > 0.0005; step /= 1.6 {
		for _, which := range moves {
			for _, by := range []float64{1 + step, 1 / (1 + step)} {
				at := [3]float64{best.rule.base, best.rule.factor, best.share}
				at[which] *= by
				if f := c.try(best.law, best.rule.growth, at); f.loglik > best.loglik {
					best = f
				}
			}
		}
	}
	return best
}

// try is the likelihood of base, factor and share: in the range below the cap, and at
// it with what is left.
func (c *cutSpread) try(law string, g growth, at [3]float64) fit {
	f := fit{law: law, order: jitterThenCap, share: min(at[2], 1), free: 2}
	f.rule = rule{growth: g, base: at[0], factor: at[1], cap: c.ceiling}
	if g == exponential {
		f.free++
	}
	if law == lawShare {
		f.free++
	}
	f.loglik = -c.above
	from, to := f.bounds()
	d := at[0]
	for k := range c.low {
		switch g {
		case linear:
			d = at[0] * float64(k+1)
		case exponential:
			if k > 0 {
				d *= at[1]
			}
		}
		f.loglik -= c.missed(k, from*d, to*d)
	}
	return f
}

// missed is −log of the likelihood of the gaps of a retry, drawn from a range.
func (c *cutSpread) missed(k int, low, high float64) float64 {
	slack := c.blur
	if c.below[k] > 0 && (c.least[k] < low-slack || c.most[k] > high+slack) {
		return math.Inf(1)
	}
	sum := c.below[k] * c.surprise(high-low)
	if c.at[k] == 0 {
		return sum
	}
	if high <= c.ceiling {
		return math.Inf(1)
	}
	mass := min((high-c.ceiling)/(high-low), 1)
	return sum + c.at[k]*(math.Log(c.blur)-math.Log(mass))
}
