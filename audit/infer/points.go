package infer

import "math"

// points are a rival of all laws, too: gaps of a few values each, as of a client that draws
// from a list. Some gaps may be apart from all, for the machine's sake.
func (s *spread) points() (fit, bool) {
	f := fit{law: lawOther}
	alone, several := 0, false
	for k := range s.retries() {
		places := clusters(s.gaps.column(k), s.noise.p99)
		n := 0
		for _, place := range places {
			if len(place) < 3 {
				alone += len(place)
				f.loglik -= float64(len(place)) * s.stray(0)
				continue
			}
			n++
			f.free += 2
			f.loglik -= float64(len(place)) * s.surprise(place[len(place)-1]-place[0])
		}
		for _, place := range places {
			if len(place) >= 3 {
				f.loglik -= float64(len(place)) * math.Log(float64(n))
			}
		}
		several = several || n > 1
	}
	return f, several && 20*alone <= s.samples+20
}

// clusters parts sorted values where two are farther from each other than that.
func clusters(sorted []float64, apart float64) [][]float64 {
	var all [][]float64
	begin := 0
	for i := range sorted {
		if i+1 == len(sorted) || sorted[i+1]-sorted[i] > apart {
			all = append(all, sorted[begin:i+1])
			begin = i + 1
		}
	}
	return all
}
