package infer

import (
	"slices"
	"time"

	"labctl/audit"
)

// A Verdict is what the trials of one subject mean.
type Verdict struct {
	Rows     []audit.Row
	Policy   audit.Policy
	Findings []audit.Finding
}

// Infer judges all trials of a subject. Their order does not matter, nor that of what
// it returns on it: rows come in the order of the catalogue.
func Infer(trials []audit.Trial, noise audit.Noise) Verdict {
	c := newInquiry(trials, noise)
	c.overlaps()
	c.hidden()
	c.filter()
	c.attempts()
	c.rest()
	c.retryAfter()
	c.elapsed()
	c.chance()
	c.exceptions()
	c.timeout()
	c.methods()
	return Verdict{Rows: c.rows(), Policy: c.policy, Findings: c.findings()}
}

// Jittered reports whether trials of one probe differ in their gaps beyond the noise,
// so that it takes many more to know the law. Three are enough to ask.
func Jittered(trials []audit.Trial, noise audit.Noise) bool {
	c := newInquiry(trials, noise)
	return slices.ContainsFunc(c.questions, func(q *question) bool {
		return jittered(c.gapsOf(q), c.noise)
	})
}

// A tolerance is the noise as arithmetic wants it, in milliseconds.
type tolerance struct {
	median, p99 float64
}

// least is the smallest 99th percentile that is believed: timers alone are no better.
const least = 2 * time.Millisecond

func toleranceOf(n audit.Noise) tolerance {
	return tolerance{median: millis(max(n.Median, 0)), p99: millis(max(n.P99, least))}
}

// of is how far a gap may be from what it should be: timers and machines are late in
// proportion, too.
func (t tolerance) of(gap float64) float64 { return t.p99 + 0.015*gap }

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
