package infer

import (
	"slices"

	"labctl/audit"
)

// attempts infers how many a request gets, and which faults have a number of their
// own.
func (c *inquiry) attempts() {
	chosen := c.counted()
	if chosen == nil {
		if c.anyCalled() {
			c.policy.Attempts = 1
		} else {
			c.undecided("attempts: no request arrived")
		}
		return
	}
	for _, q := range c.answered() {
		if !q.resumed() && q.most() > chosen.most() {
			chosen = q // something ended the others sooner
		}
	}
	c.policy.Attempts = chosen.most()
	c.policy.AtLeast = chosen.unfinished()
}

// answered are the questions whose faults are alike but for the time that they take:
// statuses that are tried again.
func (c *inquiry) answered() []*question {
	var found []*question
	for _, q := range c.questions {
		status := q.Fault.Group == audit.Status || q.Fault.Group == audit.RetryAfter
		if status && q.isPrimary(c) && q.Fault.Name != redirectLoop && q.retried() {
			found = append(found, q)
		}
	}
	return found
}

// unfinished reports whether none of the trials with the most attempts came to its end.
func (q *question) unfinished() bool {
	most := q.rawMost()
	return !slices.ContainsFunc(q.trials, func(t audit.Trial) bool {
		return len(attemptsOf(t)) == most && !t.Exit.TimedOut
	})
}

// counted is the question that the number of attempts is read from: 503, or the one
// that had the most time.
func (c *inquiry) counted() *question {
	for _, group := range []audit.Group{audit.Status, audit.RetryAfter, audit.Transport} {
		var chosen *question
		for _, q := range c.asked(group) {
			switch {
			case !q.retried() || q.Fault.Name == redirectLoop || q.resumed():
			case chosen == nil, chosen.anyTimedOut() && !q.anyTimedOut(), q.Fault.Name == "503" && !q.anyTimedOut():
				chosen = q
			}
		}
		if chosen != nil {
			return chosen
		}
	}
	return nil
}

func (c *inquiry) anyCalled() bool {
	for _, q := range c.questions {
		if q.called() {
			return true
		}
	}
	return false
}

// exceptions lists faults with a number of their own. Fewer where a limit of the time
// is known, or where the server asked for long rests, is a matter of time.
func (c *inquiry) exceptions() {
	for _, q := range c.asked(audit.Status, audit.RetryAfter, audit.Transport) {
		n := q.most()
		late := q.Fault.Group == audit.RetryAfter || c.policy.Elapsed != nil || q.anyTimedOut()
		switch {
		case !q.retried() || n == c.policy.Attempts || q.Fault.Name == redirectLoop || q.resumed():
		case n < c.policy.Attempts && late:
		default:
			c.exception("%s: %s", q.Fault.Name, count(n))
		}
	}
}
