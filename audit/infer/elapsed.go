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
	calls := c.calls(c.answered())
	slow := c.calls(c.unanswered())
	switch own := c.ownCounts(calls); {
	case !c.anyEnded(calls) && !c.anyEnded(slow):
	case !c.anyEnded(calls):
		c.either("time limit: attempts that are never answered are fewer, so they have a number of their own, or there is a limit", slices.Concat(calls, slow))
	case own != "":
		c.either("time limit: "+own+", so there are numbers of their own, or there is a limit", calls)
	case c.contradicted(calls):
		c.noLimit(calls)
	default:
		c.limited(calls, slow)
	}
}

// either notes two explanations that both stand, where there may be a limit at all: else
// the numbers of attempts are among the exceptions.
func (c *inquiry) either(what string, calls []audit.Trial) {
	for _, w := range []window{c.before(calls), c.after(calls)} {
		if w.evidence != impossible {
			c.undecided("%s of the time, %s", what, w)
			return
		}
	}
}

// limited decides by all calls, or by those that are answered if the others have reasons
// of their own to be few.
func (c *inquiry) limited(calls, slow []audit.Trial) {
	for _, these := range [][]audit.Trial{slices.Concat(calls, slow), calls} {
		if before, after := c.before(these), c.after(these); before.evidence != impossible || after.evidence != impossible {
			c.limit(before, after, calls)
			return
		}
		if w := c.mixed(these); w.evidence != impossible {
			c.exception("time limit: a wait that Retry-After asks for is counted before it begins, and a rest of its own is not")
			c.limit(w, window{evidence: impossible}, calls)
			return
		}
	}
	c.noLimit(calls)
}

func (c *inquiry) noLimit(calls []audit.Trial) {
	c.undecided("attempts: between %d and %d, and no limit of the time explains it", fewestOf(calls), c.policy.Attempts)
}

// before is the limit of calls that look at the time before they rest.
func (c *inquiry) before(calls []audit.Trial) window {
	w := window{to: math.Inf(1)}
	for _, t := range calls {
		hits := attemptsOf(t)
		for i := 1; i < len(hits); i++ {
			w.from = max(w.from, since(hits, hits[i-1].End))
		}
		if c.ended(t) {
			w.to = min(w.to, since(hits, hits[len(hits)-1].End))
		}
	}
	return w.weighed()
}

// mixed is the limit of calls that look at the time before a rest of their own, and count
// a wait that is asked for, in whole seconds, as curl does.
func (c *inquiry) mixed(calls []audit.Trial) window {
	w := window{to: math.Inf(1)}
	for _, t := range calls {
		asked, is := askedMS(t.Probe.Fault.Name)
		obeyed := is && asked > 0 && c.obeys()
		hits := attemptsOf(t)
		for i := 1; i < len(hits); i++ {
			from := since(hits, hits[i-1].End)
			if obeyed {
				from = max(from, since(hits, hits[i].At)-second)
			}
			w.from = max(w.from, from)
		}
		if c.ended(t) {
			to := since(hits, hits[len(hits)-1].End)
			if obeyed {
				to += asked + second
			}
			w.to = min(w.to, to)
		}
	}
	return w.weighed()
}

// second is what whole seconds leave open, in milliseconds.
const second = 1000

// weighed is a limit with its evidence.
func (w window) weighed() window {
	w.evidence = impossible
	if w.to > w.from && !math.IsInf(w.to, 1) {
		w.evidence = math.Log(math.Log(w.to / max(w.from, 1)))
	}
	return w
}

// after is the limit of calls that count the rest.
func (c *inquiry) after(calls []audit.Trial) window {
	from := 0.
	var ended []audit.Trial
	for _, t := range calls {
		hits := attemptsOf(t)
		for i := 1; i < len(hits); i++ {
			from = max(from, since(hits, hits[i].At)-5*c.noise.p99) // the latest of many is late
		}
		if c.ended(t) {
			ended = append(ended, t)
		}
	}
	return c.withRest(from, ended)
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
	for _, t := range ended {
		hits := attemptsOf(t)
		last := since(hits, hits[len(hits)-1].End)
		low, high := c.next(t)
		for i := range chances {
			chances[i] += math.Log(c.longer(low, high, from*math.Pow(ratio, float64(i))-last))
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
		if c.policy.Elapsed.Rule != beforeRest {
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
