package infer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"labctl/audit"
)

// calls are the trials of questions that tell of a limit of the time: those that came to
// their end by the subject's doing, or went on until the probe's.
func (c *inquiry) calls(questions []*question) []audit.Trial {
	var calls []audit.Trial
	for _, q := range questions {
		for _, t := range q.trials {
			if len(attemptsOf(t)) > 0 {
				calls = append(calls, t)
			}
		}
	}
	return calls
}

// unanswered are the questions whose attempts last, so that a limit of the time shows.
func (c *inquiry) unanswered() []*question {
	var found []*question
	for _, q := range c.asked(audit.Transport) {
		if (q.Fault.Name == "hang" || q.Fault.Name == "stall") && q.retried() && !q.resumed() {
			found = append(found, q)
		}
	}
	return found
}

// ended reports whether a call had fewer attempts than it may have.
func (c *inquiry) ended(t audit.Trial) bool {
	return len(attemptsOf(t)) < c.policy.Attempts && !t.Exit.TimedOut
}

func (c *inquiry) anyEnded(calls []audit.Trial) bool { return slices.ContainsFunc(calls, c.ended) }

// countsVary reports whether some calls had fewer attempts than others for a reason that
// may be the time.
func (c *inquiry) countsVary() bool {
	if c.anyEnded(c.calls(c.answered())) || c.anyEnded(c.calls(c.unanswered())) {
		return true
	}
	q := c.on("blackhole")
	return q != nil && q.retried() && slices.ContainsFunc(q.trials, c.ended)
}

// ownCounts says which number of attempts each status has, where it has one whatever the
// rests: that explains them as well as a limit of the time. "" where it has not.
func (c *inquiry) ownCounts(calls []audit.Trial) string {
	var statuses []string
	counts := map[string]int{}
	for _, t := range calls {
		status, _, _ := strings.Cut(t.Probe.Fault.Name, " ")
		n := len(attemptsOf(t))
		switch is, seen := counts[status]; {
		case t.Exit.TimedOut:
		case !seen:
			statuses, counts[status] = append(statuses, status), n
		case is != n:
			return ""
		}
	}
	var words []string
	for _, s := range statuses {
		if counts[s] < c.policy.Attempts {
			words = append(words, fmt.Sprintf("%s has %s", s, several(counts[s], "attempt", "attempts")))
		}
	}
	return strings.Join(words, ", ")
}

// contradicted reports whether a call went on when, with as many attempts behind it,
// another had ended: of rests without jitter no limit of the time does that.
func (c *inquiry) contradicted(calls []audit.Trial) bool {
	steady := c.policy.Rest != nil && c.policy.Rest.Jitter == lawNone
	latest := map[string]float64{} // of those that went on
	key := func(t audit.Trial, n int) string { return fmt.Sprint(t.Probe.Fault.Name, n) }
	for _, t := range calls {
		hits := attemptsOf(t)
		for i := 1; i < len(hits); i++ {
			latest[key(t, i)] = max(latest[key(t, i)], since(hits, hits[i-1].End))
		}
	}
	return steady && slices.ContainsFunc(calls, func(t audit.Trial) bool {
		hits := attemptsOf(t)
		at := since(hits, hits[len(hits)-1].End)
		went, some := latest[key(t, len(hits))]
		return c.ended(t) && some && went > at-c.noise.of(at)
	})
}

func fewestOf(trials []audit.Trial) int {
	fewest := math.MaxInt
	for _, t := range trials {
		fewest = min(fewest, len(attemptsOf(t)))
	}
	return fewest
}
