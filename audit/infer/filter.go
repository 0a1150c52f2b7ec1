package infer

import (
	"slices"
	"strings"

	"labctl/audit"
)

// redirectLoop is the fault that is followed and not retried.
const redirectLoop = "redirect loop"

// A word of a filter, and the faults behind it: the first that was probed decides.
type word struct {
	name   string
	faults []string
}

var transportWords = []word{
	{"timeout", []string{"hang", "stall", "blackhole"}},
	{"refused", []string{"refused"}},
	{"reset", []string{"reset", "close", "halfreset", "truncate"}},
	{"malformed", []string{"malformed", "badchunk"}},
}

// filter infers which faults are tried again.
func (c *inquiry) filter() {
	for _, q := range c.asked(audit.Status) {
		if q.called() {
			c.status(q)
		}
	}
	c.onlyAsked()
	for _, w := range transportWords {
		c.transport(w)
	}
	c.onRecovery()
	if len(c.waiting) > 0 {
		c.undecided("%s: the first attempt was still waiting when the probe ended", strings.Join(c.waiting, ", "))
	}
	if len(c.resting) > 0 {
		c.undecided("%s: one attempt, and the command was still at it when the probe ended, perhaps in a long rest: give it more time", firstOf(c.resting))
	}
}

// called reports whether anything arrived.
func (q *question) called() bool { return q.rawMost() > 0 }

func (c *inquiry) status(q *question) {
	name := q.Fault.Name
	switch {
	case q.retried():
		c.policy.On = append(c.policy.On, name)
	case q.waiting():
		c.resting = append(c.resting, name)
	case c.retriedWhenAsked(name):
		c.policy.OnlyWithRetryAfter = append(c.policy.OnlyWithRetryAfter, name)
	default:
		c.policy.NotOn = append(c.policy.NotOn, name)
	}
}

// retriedWhenAsked reports whether a status is tried again where it asks for a wait.
func (c *inquiry) retriedWhenAsked(status string) bool {
	for _, q := range c.asked(audit.RetryAfter) {
		if of, _, _ := strings.Cut(q.Fault.Name, " "); of == status && q.retried() {
			return true
		}
	}
	return false
}

// onlyAsked adds statuses that were probed with Retry-After alone.
func (c *inquiry) onlyAsked() {
	for _, q := range c.asked(audit.RetryAfter) {
		status, _, _ := strings.Cut(q.Fault.Name, " ")
		if c.on(status) == nil && q.retried() && !slices.Contains(c.policy.OnlyWithRetryAfter, status) {
			c.policy.OnlyWithRetryAfter = append(c.policy.OnlyWithRetryAfter, status)
			c.undecided("%s: tried again with Retry-After; without one it was not probed", status)
		}
	}
}

// transport decides a word by the first fault behind it, and lists what differs.
func (c *inquiry) transport(w word) {
	decided, yes := "", false
	for _, name := range w.faults {
		q := c.on(name)
		if q == nil {
			continue
		}
		again, known := c.again(q)
		switch {
		case !known:
		case decided == "":
			decided, yes = name, again
		case again && !yes:
			c.exception("%s: %s is tried again, although %s is not", w.name, name, decided)
		case !again && yes:
			c.exception("%s: %s is left alone, although %s is tried again", w.name, name, decided)
		}
	}
	switch {
	case decided == "":
	case yes:
		c.policy.On = append(c.policy.On, w.name)
	default:
		c.policy.NotOn = append(c.policy.NotOn, w.name)
	}
}

// again reports whether a transport fault is tried again, if that can be known.
func (c *inquiry) again(q *question) (yes, known bool) {
	name := q.Fault.Name
	switch {
	case q.resumed():
		c.exception("%s: it asks for what is missing (Range) and does not repeat", name)
		return false, false
	case q.retried():
		return true, true
	case q.uncounted() != "":
		c.undecided("%s: attempts could not be counted: %s%s", name, q.uncounted(), c.hint(q))
		return false, false
	case !q.called():
		return false, false
	case q.waiting() && q.silent():
		c.waiting = append(c.waiting, name)
		return false, false
	case q.waiting():
		c.resting = append(c.resting, name)
		return false, false
	}
	return false, true
}

// silent reports whether nobody answers, and a client without a timeout waits for ever.
func (q *question) silent() bool {
	return q.Fault.Blackhole || q.Fault.Name == "hang" || q.Fault.Name == "stall"
}

// hint says what the time of an uncounted trial suggests.
func (c *inquiry) hint(q *question) string {
	took := millis(q.trials[0].Elapsed)
	ok := c.on("ok")
	if ok == nil || q.timedOut() {
		return ""
	}
	if more := took - millis(ok.trials[0].Elapsed); more > 500 {
		return "; the command took " + span(more) + " more than without a fault, as with rests"
	}
	return "; the command took no longer than without a fault"
}

// resumed reports whether what follows the first attempt asks for a part.
func (q *question) resumed() bool {
	for _, t := range q.trials {
		hits := attemptsOf(t)
		if len(hits) > 1 && !slices.ContainsFunc(hits[1:], func(h audit.Hit) bool { return h.Range == "" }) {
			return true
		}
	}
	return false
}
