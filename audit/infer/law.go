package infer

import "math"

// The laws, in the words of a lab's file; ±p is written 50%. Other is none of them.
const (
	lawNone         = "none"
	lawFull         = "full"
	lawEqual        = "equal"
	lawShare        = "share"
	lawDecorrelated = "decorrelated"
	lawOther        = "other"
)

const (
	capThenJitter = "cap-then-jitter"
	jitterThenCap = "jitter-then-cap"
)

// prior is how likely a fit is before anything is seen, as a logarithm: few people say
// ±100 % or ±33 % where they mean full or equal, few invent a law, and few attempts get
// as far as a cap.
func (f fit) prior() float64 {
	odds := 1.
	switch f.law {
	case lawShare:
		odds = 6
	case lawOther:
		odds = 20
		if f.crowded {
			odds = 6 // as likely to be written as ±p, and the same at first sight
		}
	}
	if f.rule.cap > 0 {
		odds *= 4
	}
	return -math.Log(odds)
}

// A fit is a law with its best numbers.
type fit struct {
	law     string
	rule    rule
	share   float64 // p of ±p
	order   string  // where a cap was reached
	at      int     // the first retry that rests for the cap, where it comes first
	widths  float64 // of lawOther with a width added: how much
	loglik  float64
	crowded bool    // of lawOther: gaps that are the rarer the farther from the nominal rest
	outside float64 // how far gaps are below the ranges, as a share of the rest
	free    int     // numbers that were fitted
}

// score is the Bayesian information criterion, but for a factor: the higher the better.
func (f fit) score(samples int) float64 {
	return f.prior() + f.loglik - float64(f.free)*math.Log(float64(max(samples, 2)))
}

// bounds are the factors of a nominal rest between which a law draws.
func (f fit) bounds() (low, high float64) {
	switch f.law {
	case lawFull:
		return 0, 1
	case lawEqual:
		return 0.5, 1
	case lawShare:
		return 1 - f.share, 1 + f.share
	}
	return 1, 1
}

// A spread is what the likelihood of ranges needs of the gaps: their extremes, by
// retry. The gaps themselves are kept for laws that look back.
type spread struct {
	gaps    *table
	low     []float64
	high    []float64
	number  []float64 // of gaps
	samples int
	strays  int // gaps that were left out
	noise   tolerance
	blur    float64 // the width of the noise: a gap is not known better
}

func spreadOf(t *table, noise tolerance) *spread {
	s := &spread{gaps: t, samples: t.samples(), noise: noise, blur: noise.blur()}
	for k := range t.retries() {
		column := t.column(k)
		s.low = append(s.low, column[0])
		s.high = append(s.high, column[len(column)-1])
		s.number = append(s.number, float64(len(column)))
	}
	return s
}

// blur is the width of the uniform distribution that is as uncertain as the noise,
// taken as lognormal: e to its differential entropy.
func (t tolerance) blur() float64 {
	median := max(t.median, t.p99/100)
	sigma := math.Log(t.p99/median) / 2.326 // of the 99th percentile of a normal distribution
	return max(median*sigma*math.Sqrt(2*math.Pi*math.E), t.p99/10)
}

func (s *spread) retries() int { return len(s.low) }

// surprise is −log of the density of a gap in a range.
func (s *spread) surprise(width float64) float64 { return math.Log(max(width, s.blur)) }

// fits are all laws with all growths, caps and orders that the gaps allow, and the
// rivals.
func (s *spread) fits() []fit {
	all := append(s.rivals(), s.bells()...)
	if f, ok := s.points(); ok {
		all = append(all, f)
	}
	for _, law := range []string{lawFull, lawEqual, lawShare} {
		for _, g := range []growth{fixed, linear, exponential} {
			for at := 1; at <= s.retries(); at++ {
				if f, ok := s.uniform(law, g, at); ok {
					all = append(all, f)
				}
			}
		}
	}
	ceiling := s.atom()
	if ceiling > 0 {
		all = append(all, s.cut(ceiling)...)
	}
	return append(all, s.decorrelated(ceiling)...)
}

// overFactors tries a fit for the factors of an exponential growth, coarsely and then
// finely. Others have none to try.
func overFactors(g growth, try func(factor float64) (fit, bool)) (best fit, found bool) {
	if g != exponential {
		return try(1)
	}
	least := math.Log(1.1)
	low, high := least, math.Log(10)
	at := low
	for range 3 {
		step := (high - low) / 80
		for l := low; l <= high; l += step {
			if f, ok := try(math.Exp(l)); ok && (!found || f.loglik > best.loglik) {
				best, found, at = f, true, l
			}
		}
		low, high = max(at-step, least), at+step
	}
	return best, found
}

// rivals are what is no law: a range of its own for each retry, and a nominal rest
// with something added whose width does not grow.
func (s *spread) rivals() []fit {
	if s.retries() < 2 {
		return nil // of one rest anything is ±p
	}
	free := fit{law: lawOther, free: 2 * s.retries()}
	for k := range s.low {
		free.loglik -= s.number[k] * s.surprise(s.high[k]-s.low[k])
	}
	all := []fit{free}
	for _, g := range []growth{linear, exponential} {
		f, ok := overFactors(g, func(factor float64) (fit, bool) { return s.additive(g, factor) })
		if ok {
			all = append(all, f)
		}
	}
	return all
}

func (s *spread) additive(g growth, factor float64) (fit, bool) {
	base := math.Inf(1)
	for k := range s.low {
		base = min(base, s.low[k]/weight(g, factor, k))
	}
	width := 0.
	for k := range s.high {
		width = max(width, s.high[k]-base*weight(g, factor, k))
	}
	f := fit{law: lawOther, widths: width, rule: rule{growth: g, base: base, factor: factor}, free: 2}
	if g == exponential {
		f.free++
	}
	f.loglik = -float64(s.samples) * s.surprise(width)
	return f, base > 0
}
