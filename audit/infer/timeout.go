package infer

import (
	"math"
	"slices"

	"labctl/audit"
)

// What a timeout spans.
const (
	ofAttempt = "attempt"
	ofCall    = "call"
)

// timeout infers how long the subject waits for an answer that never comes, and
// whether that is the time of an attempt or of the whole call.
func (c *inquiry) timeout() {
	q := c.on("hang")
	if q == nil || !q.called() {
		return
	}
	waited, finished := waitsForAnswer(q.trials)
	if len(waited) == 0 || q.timedOut() && !finished {
		return // longer than the probe: see the findings
	}
	limit := quantile(waited, 0.5)
	t := &audit.Timeout{LimitMS: c.limitMeant(q, limit)}
	c.policy.Timeout = t
	switch {
	case q.retried() && !even(waited, c.noise.of(limit)):
		c.undecided("timeout: attempts that are never answered end after %s: no single limit", spans(waited))
		t.LimitMS = round(slices.Max(waited))
	case q.retried(), c.outlives(limit):
		t.Spans = ofAttempt
	case c.policy.Attempts == 1:
		t.Spans = ofCall // it is both
	case c.cutAt(limit):
		t.Spans = ofCall
		if r := c.policy.RetryAfter; r != nil && r.Seconds == givesUp {
			r.Seconds = notDecided
			c.undecided("Retry-After: the timeout of the call, %s, comes before the wait would be over", span(limit))
		}
	default:
		c.undecided("timeout: no call took longer than %s, so it may span an attempt or all of them", span(limit))
	}
}

// limitMeant is the round timeout behind a wait that was seen. The tail sees it from the
// arrival: the timer began sooner, by a connection or, with the first attempt, by no more
// than what the command took to come that far.
func (c *inquiry) limitMeant(q *question, waited float64) float64 {
	late := 0.02 * waited
	if !q.retried() {
		late = max(late, min(millis(q.first().At), 0.08*waited))
	}
	return roundest(waited-c.noise.p99, waited+late+c.noise.p99, waited)
}

// waitsForAnswer are how long attempts waited, sorted: all that came to their end by
// the subject's doing, which the last of a probe whose time was over did not.
func waitsForAnswer(trials []audit.Trial) (waited []float64, finished bool) {
	for _, t := range trials {
		hits := attemptsOf(t)
		for i, h := range hits {
			last := i == len(hits)-1
			if last && t.Exit.TimedOut || h.End <= h.At {
				continue
			}
			waited = append(waited, millis(h.End-h.At))
			finished = true
		}
	}
	slices.Sort(waited)
	return waited, finished
}

// even reports whether nearly all are alike; the last attempt may be cut short by a
// limit of the whole.
func even(sorted []float64, within float64) bool {
	middle, far := quantile(sorted, 0.5), 0
	for _, x := range sorted {
		if math.Abs(x-middle) > 2*within {
			far++
		}
	}
	return 4*far <= len(sorted)
}

// outlives reports whether some other call went on for longer than the limit.
func (c *inquiry) outlives(limit float64) bool {
	for _, q := range c.asked(audit.Status, audit.RetryAfter, audit.Recovery) {
		for _, t := range q.trials {
			if hits := attemptsOf(t); len(hits) > 1 && millis(hits[len(hits)-1].At-hits[0].At) > limit+3*c.noise.of(limit) {
				return true
			}
		}
	}
	return false
}

// cutAt reports whether some other call ended, with fewer attempts than it may have,
// just when the limit had passed.
func (c *inquiry) cutAt(limit float64) bool {
	for _, q := range c.asked(audit.Status, audit.RetryAfter) {
		for _, t := range q.trials {
			hits := attemptsOf(t)
			if len(hits) == 0 || len(hits) >= c.policy.Attempts || t.Exit.TimedOut {
				continue
			}
			since := millis(t.Elapsed - hits[0].At)
			if math.Abs(since-limit) <= 5*c.noise.of(limit)+0.1*limit {
				return true
			}
		}
	}
	return false
}
