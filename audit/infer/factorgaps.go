package infer

import (
	"math"
	"slices"
	"time"

	"labctl/audit"
)

// spacing is the times from the end of each hit to the next, which are rests and what comes
// on top of them.
type spacing struct {
	of    []time.Duration
	noise time.Duration
}

func spacingOf(hits []audit.Hit, noise time.Duration) spacing {
	g := spacing{noise: noise}
	for i := 1; i < len(hits); i++ {
		g.of = append(g.of, max(hits[i].At-max(hits[i-1].At, hits[i-1].End), 0))
	}
	return g
}

// alike reports whether two gaps may be the same rest.
func (g spacing) alike(a, b time.Duration) bool {
	return max(a, b)-min(a, b) <= g.noise+max(a, b)/20
}

// place is which attempt of which layer of a product follows gap i: the outermost whose
// turn ends there. inner[l] is how many hits one attempt of layer l makes.
func place(p Product, inner []int, i int) (layer, attempt int) {
	for l := range p {
		if (i+1)%inner[l] == 0 {
			return l, (i + 1) / inner[l] % p[l].Attempts
		}
	}
	return len(p) - 1, 0 // not reached: the innermost attempt is one hit
}

// innerOf is how many hits one attempt of each layer makes.
func innerOf(p Product) []int {
	inner := make([]int, len(p))
	n := 1
	for l := len(p) - 1; l >= 0; l-- {
		inner[l] = n
		n *= p[l].Attempts
	}
	return inner
}

// classes sorts the gaps by the rest that they would be: by layer and attempt.
func (g spacing) classes(p Product) [][][]time.Duration {
	inner := innerOf(p)
	out := make([][][]time.Duration, len(p))
	for l := range p {
		out[l] = make([][]time.Duration, p[l].Attempts-1)
	}
	for i, gap := range g.of {
		l, attempt := place(p, inner, i)
		out[l][attempt-1] = append(out[l][attempt-1], gap)
	}
	return out
}

// withRests is the product with the rests that its gaps show.
func (g spacing) withRests(p Product) Product {
	out := slices.Clone(p)
	for l, layer := range g.classes(p) {
		out[l].Rests = nil
		for _, class := range layer {
			out[l].Rests = append(out[l].Rests, middle(class))
		}
	}
	return out
}

// steady lists the products that need no jitter: each rest is the same whenever it comes,
// and those of a layer never shrink. Behind one whose growth may be chance, see ruled, come
// those that take its outermost layer apart.
func (g spacing) steady(among []Product) []Product {
	var out []Product
	for _, p := range among {
		if !g.isSteady(p) {
			continue
		}
		p = g.withRests(p)
		out = append(out, p)
		if !g.ruled(p) {
			out = append(out, g.apart(p, among)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Product) int { return len(a) - len(b) })
	return slices.CompactFunc(out, sameAttempts)
}

// apart lists the products that are p but for its outermost layer, which is several there.
func (g spacing) apart(p Product, among []Product) []Product {
	var out []Product
	inner := p[1:]
	for _, q := range among {
		if len(q) > len(p) && sameAttempts(q[len(q)-len(inner):], inner) {
			out = append(out, g.withRests(q))
		}
	}
	return out
}

func sameAttempts(a, b Product) bool {
	return slices.EqualFunc(a, b, func(a, b Factor) bool { return a.Attempts == b.Attempts })
}

func (g spacing) isSteady(p Product) bool {
	for _, layer := range g.classes(p) {
		last := time.Duration(0)
		for _, class := range layer {
			if low := slices.Min(class); !g.alike(low, slices.Max(class)) || low < last && !g.alike(low, last) {
				return false
			}
			last = max(last, middle(class))
		}
	}
	return true
}

// separated lists the products that jitter leaves recognisable: every rest of a layer is
// longer than twice any of the layers inside it. The finest such product says most; one
// that takes two of its layers for one is listed where their pattern may be luck. Where
// there is just one kind of gap, and it is random, every product may have made it.
func (g spacing) separated(among []Product) []Product {
	var fit []Product // by the number of layers
	for _, p := range among {
		if g.isSeparated(p) {
			fit = append(fit, g.withRests(p))
		}
	}
	if len(fit) == 0 {
		return nil
	}
	finest := fit[len(fit)-1]
	if len(finest) > 1 {
		return slices.DeleteFunc(fit, func(p Product) bool { odds, apart := byLuck(p, finest); return apart == 0 || odds < chance })
	}
	if len(g.bursts()) > 1 {
		return nil
	}
	out := slices.Clone(among)
	for i, p := range out {
		out[i] = g.withRests(p)
	}
	return out
}

func (g spacing) isSeparated(p Product) bool {
	longest := time.Duration(0) // of the layers inside
	classes := g.classes(p)
	for l := len(p) - 1; l >= 0; l-- {
		all := slices.Concat(classes[l]...)
		if l < len(p)-1 && slices.Min(all) < 2*longest+g.noise {
			return false
		}
		longest = max(longest, slices.Max(all))
	}
	return true
}

// byLuck is how likely the long gaps of a layer of p, which the finest product gives to
// layers of their own, would stand at equal distances if their order meant nothing. Apart
// is the most attempts of a layer of p that the finest takes apart, 1 where they are the
// same, and 0 where p is no coarser form of it.
func byLuck(p, finest Product) (odds float64, apart int) {
	odds, apart = 1, 1
	groups, l := 1, 0
	for _, f := range p {
		for n := f.Attempts; n > 1; l++ {
			if l == len(finest) || n%finest[l].Attempts != 0 {
				return 0, 0
			}
			if n > finest[l].Attempts {
				odds *= math.Pow(choose(n-1, finest[l].Attempts-1), -float64(groups))
				apart = max(apart, f.Attempts)
			}
			groups *= finest[l].Attempts
			n /= finest[l].Attempts
		}
	}
	return odds, apart
}

// bursts are the numbers of hits between long gaps, where there are two kinds of gaps that
// take turns: all long ones at least four times all short ones, of which there are two, and
// a short one behind a long one. Else there are none.
func (g spacing) bursts() []int {
	sorted := slices.Sorted(slices.Values(g.of))
	cut, widest := time.Duration(-1), 4.0
	for i := 2; i < len(sorted); i++ {
		ratio := float64(sorted[i]) / float64(sorted[i-1]+g.noise)
		if ratio >= widest {
			cut, widest = sorted[i], ratio
		}
	}
	if cut < 0 {
		return nil
	}
	var out []int
	n := 1
	for _, gap := range g.of {
		if gap >= cut {
			out, n = append(out, n), 0
		}
		n++
	}
	out = append(out, n)
	if slices.Max(out[1:]) == 1 { // they only grow
		return nil
	}
	return out
}
