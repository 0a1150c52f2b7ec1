package infer

import "math"

// mantissas are the digits that people write, the roundest first.
var mantissas = [][]float64{
	{1, 2, 5, 10},
	{1.5, 2.5, 3, 4, 6, 7.5, 8},
	{1.2, 1.25, 3.5, 4.5, 7, 9},
}

// roundest is the roundest value from low to high, or x with three digits where there
// is none. Of several that are as round it is the one nearest to x.
func roundest(low, high, x float64) float64 {
	if !(low > 0) || math.IsInf(high, 1) {
		return digits(x)
	}
	for _, set := range mantissas {
		if v, found := nearest(low, high, x, set); found {
			return v
		}
	}
	return digits(x)
}

// digits rounds to three of them.
func digits(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 0
	}
	e := math.Floor(math.Log10(x))
	return scaled(math.Round(x/math.Pow(10, e)*100)/100, e)
}

func nearest(low, high, x float64, set []float64) (best float64, found bool) {
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, m := range set {
			v := scaled(m, e)
			if v >= low && v <= high && (!found || math.Abs(v-x) < math.Abs(best-x)) {
				best, found = v, true
			}
		}
	}
	return best, found
}

// scaled is m·10^e, as exact as a division or a product of whole numbers is.
func scaled(m, e float64) float64 {
	tens := math.Round(m * 100)
	if e < 2 {
		return tens / math.Pow(10, 2-e)
	}
	return tens * math.Pow(10, e-2)
}

// asMeant turns a measured rest into the round one behind it. A gap is an upper bound,
// so the round value may be less by what clients and machines add, and hardly more.
func (t tolerance) asMeant(ms float64) float64 {
	return roundest(ms-t.p99-0.01*ms, ms+t.median+0.003*ms, ms)
}
