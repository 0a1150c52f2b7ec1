package infer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"labctl/audit"
)

// Factors is what the hits of exactly one request say of the layers above the tail that
// retry: their attempts multiply to the number of hits, and each rests in a way of its
// own.
type Factors struct {
	Count    int       // hits
	All      []Product // every way to write the count as a product of layers, whatever the gaps
	Possible []Product // those that the gaps agree with, fewest layers first; none: see Why
	Alone    bool      // the first of them is the answer, see Possible
	Why      string    // there is none, or more than one, or a doubt about the only one; else ""
	Bursts   []int     // hits between long gaps, where there are two kinds of gaps
}

// A Product is a way in which layers may have made the hits, outermost first.
type Product []Factor

// A Factor is one layer of a product.
type Factor struct {
	Attempts int             // per request that reaches it
	Rests    []time.Duration // before its second, third … attempt: medians of the gaps there
}

// Rest is the median of the rests: what tells the layer from others.
func (f Factor) Rest() time.Duration { return middle(f.Rests) }

// String is "3 × 9".
func (p Product) String() string {
	if len(p) == 0 {
		return "1"
	}
	var words []string
	for _, f := range p {
		words = append(words, strconv.Itoa(f.Attempts))
	}
	return strings.Join(words, " × ")
}

const (
	// MaxFactored is the most hits that are taken apart.
	MaxFactored = 10_000
	// maxFactors is the most layers of a product.
	maxFactors = 5
	// chance is how likely a pattern may come about by jitter alone and still count.
	chance = 0.05
)

// FactorHits finds the products that the hits of one request may be. Layers whose rests differ
// make a pattern of gaps: the attempts of the innermost stand together, the next layer's
// rest is between such groups, and so on. Layers that rest alike cannot be told apart by
// it; then all products stay possible. Noise is how much two gaps of the same rest may
// differ, beside a twentieth of them.
//
// Rests of one layer need a rule as well where they are seen once only: that they grow may
// be chance, so the products of more layers stay possible.
//
// It would rather find nothing than something wrong: a last group that a deadline cut
// short, and replays behind the back of all policies, make no product.
func FactorHits(hits []audit.Hit, noise time.Duration) Factors {
	f := Factors{Count: len(hits)}
	switch {
	case f.Count < 2:
		return f.alone()
	case f.Count > MaxFactored:
		f.Why = fmt.Sprintf("not taken apart: more than %d hits", MaxFactored)
		return f
	}
	g := spacingOf(hits, noise)
	f.All = products(f.Count)
	f.Bursts = g.bursts()
	among, doubt := numbered(hits, f.All)
	f.Possible = g.steady(among)
	if len(f.Possible) == 0 {
		f.Possible = g.separated(among)
	}
	return f.judge(g, doubt)
}

func (f Factors) alone() Factors {
	if f.Count == 1 {
		f.Possible, f.Alone = []Product{{}}, true
	}
	return f
}

// judge says whether the first product is the answer.
func (f Factors) judge(g spacing, doubt string) Factors {
	if len(f.Possible) == 0 {
		f.Why = f.noProduct(doubt)
		return f
	}
	best := f.Possible[0]
	chancy := len(f.Possible) > 1 && g.isSteady(best) && !g.ruled(best) // see steady
	rivals := slices.DeleteFunc(slices.Clone(f.Possible[1:]), func(p Product) bool { return !chancy && g.unlikely(p, best) })
	f.Alone = len(rivals) == 0
	switch {
	case chancy:
		f.Why = "the rests of " + best.String() + " grow, but by no rule: random ones of more layers do so too, now and then; probe again"
	case !f.Alone:
		f.Why = "several products have such gaps: layers that rest alike, or at random, cannot be told apart"
	case len(f.Possible) > 1:
		f.Why = "unless two layers rest alike"
	case doubt != "":
		f.Why = doubt
	case f.Count == 4 && len(best) == 2 && best[1].Rest() > g.noise:
		f.Why = "four hits show this once only, which may be chance: probe again"
	}
	return f
}

// unlikely reports whether a product only takes a layer of the best one apart into layers
// that rest alike, although other layers rest in another way. It would be a coincidence,
// but where they do not rest at all, or are many: four attempts are one layer of curl's,
// nine hardly are.
func (g spacing) unlikely(p, best Product) bool {
	restless := 0
	for _, f := range p {
		if f.Rest() <= g.noise {
			restless++
		}
	}
	_, apart := byLuck(best, p)
	return apart > 0 && apart <= 4 && len(best) > 1 && restless < 2
}

// noProduct says what the bursts look like instead.
func (f Factors) noProduct(doubt string) string {
	text := "not a product"
	switch {
	case doubt != "":
		return text + ": " + doubt
	case len(f.Bursts) < 2:
		return text + ": the gaps follow no pattern: they are random, or several requests were under way"
	}
	text += ": bursts of " + joined(f.Bursts)
	first, last := f.Bursts[0], f.Bursts[len(f.Bursts)-1]
	same := func(ns []int) bool { return !slices.ContainsFunc(ns, func(n int) bool { return n != ns[0] }) }
	switch {
	case same(f.Bursts[:len(f.Bursts)-1]) && last < first:
		text += ": the last is short, so something ended the retries: a deadline, a budget, or the end of the wait"
	case same(f.Bursts[1:]) && last > first:
		text += ": the first is short, as where HTTP stacks replay requests on connections that they use again"
	}
	return text
}

func joined(ns []int) string {
	var words []string
	for i, n := range ns {
		if i == 12 {
			words = append(words, "…")
			break
		}
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ", ")
}

// products lists the ordered ways to write n as a product of numbers from 2, those of
// fewer first.
func products(n int) []Product {
	var out []Product
	var down func(left int, so Product)
	down = func(left int, so Product) {
		if left == 1 {
			out = append(out, slices.Clone(so))
			return
		}
		for f := left; f >= 2; f-- {
			if left%f == 0 && (len(so) < maxFactors-1 || f == left) {
				down(left/f, append(so, Factor{Attempts: f}))
			}
		}
	}
	down(n, nil)
	slices.SortStableFunc(out, func(a, b Product) int { return len(a) - len(b) })
	return out
}

// middle is the median of durations; 0 of none.
func middle(ds []time.Duration) time.Duration {
	if len(ds) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(ds))
	return sorted[len(sorted)/2]
}

// choose is the number of ways to choose k of n, as far as it matters.
func choose(n, k int) float64 {
	c := 1.0
	for i := range min(k, n-k) {
		c = c * float64(n-i) / float64(i+1)
	}
	return math.Min(c, 1e18)
}
