package scenarios

import (
	"cmp"
	"fmt"
	"slices"

	"labctl/report"
)

// MaxCount bounds --count: 907 200 has the most factorisations, 22 711.
const MaxCount = 1_000_000

// Readings explains a count at the tail: every way to write it as a product of
// attempts per layer, the most likely first. A count says how often the tail was
// hit, never how; 9 is two layers of three or one of nine.
func Readings(count int64) ([]report.Reading, error) {
	if count < 1 || count > MaxCount {
		return nil, fmt.Errorf("--count: %d is not from 1 to %d: say how many hits the tail counted for one request", count, MaxCount)
	}
	if count == 1 {
		return []report.Reading{{Count: 1, Factors: []int64{}, Note: "no layer retries"}}, nil
	}
	var out []report.Reading
	for _, factors := range factorisations(count, 2) {
		out = append(out, report.Reading{Count: count, Factors: factors, Layers: len(factors), Note: note(factors)})
	}
	slices.SortStableFunc(out, func(a, b report.Reading) int { return cmp.Compare(unlikely(a.Factors), unlikely(b.Factors)) })
	return out, nil
}

// factorisations writes n as products of factors that do not fall and are at
// least least.
func factorisations(n, least int64) [][]int64 {
	out := [][]int64{{n}}
	for f := least; f*f <= n; f++ {
		if n%f != 0 {
			continue
		}
		for _, rest := range factorisations(n/f, f) {
			out = append(out, append([]int64{f}, rest...))
		}
	}
	return out
}

// surprise is how unusual a number of attempts is as a setting: 3 is what most
// libraries and meshes ship (two retries), then 4 (three retries), 2, 5, 6 and
// 10. It ranks readings and claims nothing more; the numbers are the defaults of
// the clients that the lab was tried on.
func surprise(attempts int64) int64 {
	switch attempts {
	case 3:
		return 2
	case 4:
		return 3
	case 2:
		return 4
	case 5, 6:
		return 5
	case 10:
		return 7
	}
	return 8 + attempts
}

// unlikely adds up the surprise of each layer: every further layer that retries
// is one more thing that has to be so.
func unlikely(factors []int64) int64 {
	var sum int64
	for _, f := range factors {
		sum += surprise(f)
	}
	return sum
}

func note(factors []int64) string {
	if len(factors) == 1 {
		return fmt.Sprintf("one layer of %d attempts (%d retries)", factors[0], factors[0]-1)
	}
	if same := slices.Repeat(factors[:1], len(factors)); slices.Equal(same, factors) {
		return fmt.Sprintf("%d layers of %d attempts each", len(factors), factors[0])
	}
	return fmt.Sprintf("%d layers, in any order", len(factors))
}
