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
		c.withoutRetries()
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

// withoutRetries is a subject that was seen to try nothing again but, perhaps, what
// passes. Only what came to its end, of faults that tell, is a number.
func (c *inquiry) withoutRetries() {
	switch q := c.passing(); {
	case q != nil:
		c.policy.Attempts = q.most()
		c.policy.AtLeast = q.recovered() || q.unfinished()
		if c.passed = q.recovered(); c.passed {
			c.undecided("attempts: %s was all that was tried again, and it passed: there may be more than %d", q.Fault.Name, q.most())
		}
	case !c.anyCalled():
		c.undecided("attempts: no request arrived%s", c.uncountedNote())
	case slices.ContainsFunc(c.questions, (*question).resting) || slices.ContainsFunc(c.aside, (*question).hides):
		c.undecided("attempts: not decided, since what follows the first one is not")
	case slices.ContainsFunc(c.questions, c.tells):
		c.policy.Attempts = 1
	default:
		c.undecided("attempts: no fault came to its end that shows whether there is more than one")
	}
}

// tells reports whether a question is one of those that show that nothing is repeated.
func (c *inquiry) tells(q *question) bool { return q.Fault.Group != audit.Control && q.ended() }

// resting reports whether the command was still at it after one attempt that failed.
func (q *question) resting() bool { return q.waiting() && !q.silent() }

// doubtful reports whether there may be retries among the hits.
func (q *question) doubtful() bool { return q.unclear != "" && q.rawMost() > 1 }

// hides reports whether retries may be among hits of a fault that is answered.
func (q *question) hides() bool { return q.doubtful() && !q.silent() }

// uncountedNote says that attempts may have been made that nobody could see.
func (c *inquiry) uncountedNote() string {
	if c.anyUncounted() {
		return " that could be counted"
	}
	return ""
}

func (c *inquiry) anyUncounted() bool {
	return slices.ContainsFunc(c.all(), func(q *question) bool { return q.uncounted() != "" })
}

// answered are the questions whose faults are alike but for the time that they take:
// statuses that are tried again.
func (c *inquiry) answered() []*question {
	var found []*question
	for _, q := range c.questions {
		status := q.Fault.Group == audit.Status || q.Fault.Group == audit.RetryAfter
		if status && q.isPrimary(c) && q.retried() {
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
			case !q.retried() || q.resumed():
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
	return slices.ContainsFunc(c.all(), (*question).called)
}

// exceptions lists faults with a number of their own. Fewer where a limit of the time
// is known, or where the server asked for long rests, is a matter of time.
func (c *inquiry) exceptions() {
	if c.fickle {
		return // any number is by chance
	}
	for _, q := range c.asked(audit.Status, audit.RetryAfter, audit.Transport) {
		n := q.most()
		late := q.Fault.Group == audit.RetryAfter || c.policy.Elapsed != nil || q.anyTimedOut()
		switch {
		case !q.retried() || n == c.policy.Attempts || q.resumed():
		case n < c.policy.Attempts && late:
		default:
			c.exception("%s: %s", q.Fault.Name, count(n))
		}
	}
}
