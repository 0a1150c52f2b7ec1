package infer

import (
	"math"
	"slices"
)

// A growth is one of the rules by which a nominal rest grows.
type growth string

const (
	fixed       growth = "fixed"
	linear      growth = "linear"
	exponential growth = "exponential"
	anyGrowth   growth = "" // the first rest, and from then on the cap: what is between was never seen
)

// A rule is a growth with its numbers, in milliseconds.
type rule struct {
	growth growth
	base   float64
	factor float64 // of an exponential one
	cap    float64 // 0: none was reached
}

// nominal is the rest of retry k, from 0.
func (r rule) nominal(k int) float64 {
	d := r.base * weight(r.growth, r.factor, k)
	if r.growth == anyGrowth && k > 0 {
		d = r.cap
	}
	if r.cap > 0 {
		return min(d, r.cap)
	}
	return d
}

// weight is a nominal rest ÷ base.
func weight(g growth, factor float64, k int) float64 {
	switch g {
	case linear:
		return float64(k + 1)
	case exponential:
		return math.Pow(factor, float64(k))
	}
	return 1
}

// steadyRules are the rules that a row of rests without jitter follows, the ones with
// the fewest numbers. Each leaves at least one rest that it did not need for its
// numbers, or it would fit anything; two rests are linear or exponential, whatever
// they are, and all that fit are returned.
func steadyRules(rests []float64, noise tolerance) []rule {
	var fitting []rule
	for _, r := range candidates(rests, noise) {
		spare := len(rests) > complexity(r) || len(rests) <= 2 || r.growth == anyGrowth
		if spare && follows(rests, r, noise) {
			fitting = append(fitting, r)
		}
	}
	slices.SortStableFunc(fitting, func(a, b rule) int { return complexity(a) - complexity(b) })
	for i, r := range fitting {
		if complexity(r) > complexity(fitting[0]) {
			return fitting[:i]
		}
	}
	return fitting
}

// complexity counts what a rule needs: linear growth is as simple as an exponential
// one, whose factor people choose among few.
func complexity(r rule) int {
	n := 1
	if r.growth != fixed {
		n++
	}
	if r.cap > 0 {
		n++
	}
	return n
}

func follows(rests []float64, r rule, noise tolerance) bool {
	for k, x := range rests {
		if math.Abs(x-r.nominal(k)) > noise.of(x) {
			return false
		}
	}
	return true
}

// candidates are the rules with numbers taken from the rests.
func candidates(rests []float64, noise tolerance) []rule {
	n := len(rests)
	all := []rule{{growth: fixed, base: mean(rests)}}
	if n >= 2 {
		all = append(all, linearThrough(rests, n))
		all = append(all, exponentialsThrough(rests, n)...)
	}
	for at := 2; at < n; at++ { // the first rest that is the cap's
		ceiling := mean(rests[at:])
		for _, r := range append(exponentialsThrough(rests, at), linearThrough(rests, at)) {
			if ceiling > rests[at-1]-noise.of(ceiling) && ceiling <= r.base*weight(r.growth, r.factor, at)+noise.of(ceiling) {
				r.cap = ceiling
				all = append(all, r)
			}
		}
	}
	if n >= 3 && mean(rests[1:]) > rests[0] {
		all = append(all, rule{growth: anyGrowth, base: rests[0], cap: mean(rests[1:])})
	}
	return all
}

// linearThrough fits base·k to the first rests, the longer ones counting more.
func linearThrough(rests []float64, n int) rule {
	sum := 0.
	for _, x := range rests[:n] {
		sum += x
	}
	return rule{growth: linear, base: sum / float64(n*(n+1)/2)}
}

// exponentialsThrough take the factor from the first and the last of the rests, once
// rounded and once as it is.
func exponentialsThrough(rests []float64, n int) []rule {
	if rests[0] <= 0 || rests[n-1] <= rests[0] {
		return nil
	}
	f := math.Pow(rests[n-1]/rests[0], 1/float64(n-1))
	return []rule{exponentialBy(roundest(f*0.98, f*1.02, f), rests[:n]), exponentialBy(f, rests[:n])}
}

func exponentialBy(f float64, rests []float64) rule {
	logs := 0.
	for k, x := range rests {
		logs += math.Log(max(x, 1e-9)) - float64(k)*math.Log(f)
	}
	return rule{growth: exponential, base: math.Exp(logs / float64(len(rests))), factor: f}
}

func mean(xs []float64) float64 {
	sum := 0.
	for _, x := range xs {
		sum += x
	}
	return sum / float64(max(len(xs), 1))
}
