package infer

import (
	"math"
	"slices"

	"labctl/audit"
)

// otherRests lists the failures that have rests of their own: some clients are slower
// after they were told that there were too many requests, or faster where no answer came.
func (c *inquiry) otherRests() {
	var others []*question
	for _, q := range c.asked(audit.Status, audit.Transport) {
		// A blackhole has no end of an attempt: what is between two is a timeout, too.
		skip := q.Fault.Name == redirectLoop || q.Fault.Blackhole || q.resumed() || q.Fault.Name == c.readFrom
		if q.retried() && !skip {
			others = append(others, q)
		}
	}
	for _, q := range others {
		if other := c.gapsOf(q).complete(); c.differs(other, len(others)) {
			c.exception("%s: rests of its own, %s", q.Fault.Name, ranges(other))
		}
	}
}

// differs reports whether gaps are far from the subject's own: beyond the noise and half
// as long again, and where they are random beyond chance, too.
func (c *inquiry) differs(other *table, asked int) bool {
	few := len(other.rows) < 3 // one trial may be the machine's
	times, least := 1.5, 0.
	if few {
		times, least = 3, 100
	}
	own, its, n := 0., 0., 0
	for k := range min(other.retries(), c.plain.retries()) {
		own += mean(c.plain.column(k))
		its += mean(other.column(k))
		n++
	}
	longer, shorter := max(own, its), min(own, its)
	switch {
	case longer <= times*shorter, longer-shorter <= 4*c.noise.of(longer)+100, longer < least*float64(n):
		return false
	case c.policy.Rest.Jitter == lawNone:
		return true
	}
	return !few && apart(c.plain.totals(n), other.totals(n)) < 0.01/float64(asked)
}

// apart is the chance that two samples of one law are as far apart as these: the test of
// Mann and Whitney, which asks for no law. By its normal approximation, or of few by the
// chance of being apart wholly.
func apart(a, b []float64) float64 {
	n, m := float64(len(a)), float64(len(b))
	if n == 0 || m == 0 {
		return 1
	}
	wins := 0.
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				wins++
			case x == y:
				wins += 0.5
			}
		}
	}
	if min(n, m) < 8 {
		if wins > 0 && wins < n*m {
			return 1
		}
		chance := 2.
		for i := range int(m) {
			chance *= float64(i+1) / (n + float64(i) + 1)
		}
		return min(chance, 1)
	}
	z := (math.Abs(wins-n*m/2) - 0.5) / math.Sqrt(n*m*(n+m+1)/12)
	return math.Erfc(z / math.Sqrt2)
}

// totals are the sums of the first gaps of each trial that has so many, sorted.
func (t *table) totals(retries int) []float64 {
	var all []float64
	for _, row := range t.rows {
		if len(row) >= retries {
			sum := 0.
			for _, x := range row[:retries] {
				sum += x
			}
			all = append(all, sum)
		}
	}
	slices.Sort(all)
	return all
}
