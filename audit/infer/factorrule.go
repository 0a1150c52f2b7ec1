package infer

import (
	"math"
	"time"
)

// ruled reports whether the rests of the outermost layer of a product grow by a rule that
// somebody may have set: fixed, linear or exponential, the first retry perhaps at once, the
// last ones at a cap. Each of them is seen once only, and three random ones grow once in
// six times; those of the layers inside grow whenever they come, which is proof enough.
//
// Small rests follow every rule within the noise. So the odds count too that random ones
// would stand in this order and fit one of the two rules where it leaves them no choice.
func (g spacing) ruled(p Product) bool {
	rests := p[0].Rests
	if len(rests) < 3 || g.alike(rests[0], rests[len(rests)-1]) {
		return true // too few to be several layers, or fixed
	}
	first, last := rests[0], rests[len(rests)-1]
	fit := min(2*float64(g.within(last))/float64(last-first), 1)
	body, checks := rests, 0
	if first <= g.noise {
		body, checks = body[1:], 1
	}
	n := len(body)
	for n > 1 && (last-body[n-2]).Abs() <= g.within(last) {
		n, checks = n-1, checks+1
	}
	if n < len(body) {
		n-- // the cap need not be on the way
	}
	body, checks = body[:n], checks+max(n-2, 0)
	odds := 2 * math.Pow(fit, float64(checks)) / math.Gamma(float64(len(rests)+1))
	return odds < chance && (g.follow(body, onLine) || g.follow(body, onCurve))
}

// within is how far a rest may be from that of a rule: timers keep to it better than two
// rests that pass through a network keep to each other.
func (g spacing) within(rest time.Duration) time.Duration { return g.noise + rest/100 }

// follow reports whether rests are where a rule puts them between the first and the last.
func (g spacing) follow(rests []time.Duration, rule func(first, last, part float64) float64) bool {
	for i := 1; i < len(rests)-1; i++ {
		want := rule(float64(rests[0]), float64(rests[len(rests)-1]), float64(i)/float64(len(rests)-1))
		if (rests[i] - time.Duration(want)).Abs() > g.within(rests[i]) {
			return false
		}
	}
	return true
}

func onLine(first, last, part float64) float64 { return first + (last-first)*part }

func onCurve(first, last, part float64) float64 { return first * math.Pow(last/first, part) }
