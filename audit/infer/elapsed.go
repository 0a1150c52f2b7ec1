package infer

import (
	"math"
	"slices"
	"time"

	"labctl/audit"
)

// The rules of a limit of the time, in the words of a lab's file.
const (
	beforeRest = "before-rest"
	afterRest  = "after-rest"
)

// A window is what a limit may be, in milliseconds, and how well that explains why
// calls ended: the logarithm of the share that would, of limits of any magnitude.
type window struct{ from, to, evidence float64 }

// impossible is the evidence of a limit that explains nothing.
var impossible = math.Inf(-1)

// elapsed infers a limit of the time of all attempts, where some calls had fewer than
// others. Before the rest the limit is above the time of every failure that was tried
// again, and at most that of the failures that were not; after it, the rest counts,
// too (curl/curl#17444).
func (c *inquiry) elapsed() {
	var trials, ended []audit.Trial
	before, after := window{to: math.Inf(1), evidence: impossible}, window{}
	for _, q := range c.answered() {
		for _, t := range q.trials {
			hits := attemptsOf(t)
			if len(hits) == 0 {
				continue
			}
			trials = append(trials, t)
			for i := 1; i < len(hits); i++ {
				before.from = max(before.from, since(hits, hits[i-1].End))
				after.from = max(after.from, since(hits, hits[i].At)-5*c.noise.p99) // the latest of many is late
			}
			if len(hits) < c.policy.Attempts && !t.Exit.TimedOut {
				ended = append(ended, t)
				before.to = min(before.to, since(hits, hits[len(hits)-1].End))
			}
		}
	}
	if len(ended) == 0 {
		return
	}
	if before.to > before.from {
		before.evidence = math.Log(math.Log(before.to / max(before.from, 1)))
	}
	c.limit(before, c.withRest(after.from, ended), trials)
}

// since is a time of a trial, counted from its first attempt.
func since(hits []audit.Hit, at time.Duration) float64 { return millis(at - hits[0].At) }

// withRest weighs the limits from a time on that are compared with the rest included:
// by how likely the rests that would have come next were too long for them.
func (c *inquiry) withRest(from float64, ended []audit.Trial) window {
	from = max(from, 1)
	w := window{from: from, to: from, evidence: impossible}
	const steps, ratio = 400, 1.01
	chances := make([]float64, steps) // logarithms, by limit
	for i := range chances {
		limit := from * math.Pow(ratio, float64(i))
		for _, t := range ended {
			hits := attemptsOf(t)
			chances[i] += math.Log(c.longer(t, limit-since(hits, hits[len(hits)-1].End)))
		}
	}
	best := slices.Max(chances)
	if best < -2.5*float64(len(ended)) {
		return w // so many rests that were just too long are no chance
	}
	sum := 0.
	for i, chance := range chances {
		sum += math.Exp(chance-best) * math.Log(ratio)
		if chance > best-7 {
			w.to = from * math.Pow(ratio, float64(i+1))
		}
	}
	w.evidence = best + math.Log(sum)
	return w
}

// surely is how much more evidence decides, as a logarithm.
const surely = 3

// limit decides between the rules.
func (c *inquiry) limit(before, after window, trials []audit.Trial) {
	w, rule := before, beforeRest
	switch {
	case before.evidence == impossible && after.evidence == impossible:
		c.undecided("attempts: between %d and %d, and no limit of the time explains it", fewestOf(trials), c.policy.Attempts)
		return
	case before.evidence+surely < after.evidence:
		w, rule = after, afterRest
	case after.evidence+surely >= before.evidence:
		w, rule = window{from: min(before.from, after.from), to: max(before.to, after.to)}, ""
		c.undecided("time limit: the calls fit one that is tested before the rest, %s, and one that is tested with it, %s", before, after)
	}
	e := &audit.Elapsed{FromMS: round(w.from), ToMS: round(w.to), Rule: rule}
	e.LimitMS = round(roundest(w.from, w.to, (w.from+w.to)/2))
	c.policy.Elapsed = e
	c.endedByTime(w, trials)
	c.timeoutsOverLimit(w)
}

func (w window) String() string { return "from " + span(w.from) + " to " + span(w.to) }

// endedByTime looks for a call with all attempts that the limit would have left time
// for one more: else their number is a lower bound.
func (c *inquiry) endedByTime(w window, trials []audit.Trial) {
	for _, t := range trials {
		hits := attemptsOf(t)
		if len(hits) < c.policy.Attempts {
			continue
		}
		last := since(hits, hits[len(hits)-1].End)
		if c.policy.Elapsed.Rule == afterRest {
			_, high := c.next(t)
			last += high
		}
		if last < w.from {
			return
		}
	}
	c.policy.AtLeast = true
	c.undecided("attempts: the limit of the time may have ended all calls, so there may be more than %d", c.policy.Attempts)
}

// timeoutsOverLimit takes back that timeouts are left alone, where one alone takes all
// the time there is.
func (c *inquiry) timeoutsOverLimit(w window) {
	i := slices.Index(c.policy.NotOn, "timeout")
	q := c.on("hang")
	if i < 0 || q == nil || q.hits() == 0 {
		return
	}
	hit := attemptsOf(q.trials[0])[0]
	if waited := millis(hit.End - hit.At); waited+c.nominal(0) >= w.from {
		c.policy.NotOn = slices.Delete(c.policy.NotOn, i, i+1)
		c.undecided("timeout: an attempt that is never answered takes %s, as long as all attempts may: whether it would be tried again does not show", span(waited))
	}
}

func fewestOf(trials []audit.Trial) int {
	fewest := math.MaxInt
	for _, t := range trials {
		fewest = min(fewest, len(attemptsOf(t)))
	}
	return fewest
}
