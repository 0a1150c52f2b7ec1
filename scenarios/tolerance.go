package scenarios

import (
	"math"

	"labctl/report"
)

// binomial99 allows what 99 % of runs give when each of n independent requests
// has this chance, in percent (normal approximation).
func binomial99(percent float64, n int) report.Tolerance {
	p := percent / 100
	const z = 2.576
	return report.Within(math.Ceil(1e4*z*math.Sqrt(p*(1-p)/float64(n))) / 100)
}
