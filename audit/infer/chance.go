package infer

import (
	"slices"
	"strings"

	"labctl/audit"
)

// varies reports whether the trials of some plain status that came to their end had
// different numbers of attempts. Then one trial of another fault says little: neither
// that it is left alone nor that the subject gives up on it.
func (c *inquiry) varies() bool {
	return slices.ContainsFunc(c.asked(audit.Status), func(q *question) bool {
		least, most := q.numbers()
		return least < most
	})
}

// numbers are the least and the most attempts of the trials that came to their end.
func (q *question) numbers() (least, most int) {
	for _, t := range q.trials {
		n := len(attemptsOf(t))
		if n == 0 || t.Exit.TimedOut {
			continue
		}
		if least == 0 || n < least {
			least = n
		}
		most = max(most, n)
	}
	return least, most
}

// chance takes back what one trial seemed to say of a subject that tries the same fault
// again at one time and not at another, or not as often, for no reason of time.
func (c *inquiry) chance() {
	once := slices.ContainsFunc(c.asked(audit.Status), func(q *question) bool {
		least, most := q.numbers()
		return least == 1 && most > 1
	})
	if c.fickle = once || c.varies() && c.policy.Elapsed == nil; !c.fickle {
		return
	}
	c.undecideGivingUp()
	var doubted []string
	c.policy.NotOn = slices.DeleteFunc(c.policy.NotOn, func(w string) bool {
		if !c.rare(w) {
			return false
		}
		doubted = append(doubted, w)
		return true
	})
	if len(doubted) > 0 {
		c.undecided("%s: not tried again in one trial, which says little of a subject whose number of attempts varies", strings.Join(doubted, ", "))
	}
}

// rare reports whether fewer than three trials tell that a word is left alone.
func (c *inquiry) rare(name string) bool {
	faults := []string{name}
	for _, w := range transportWords {
		if w.name == name {
			faults = w.faults
		}
	}
	for _, f := range faults {
		if q := c.on(f); q != nil {
			return len(q.trials) < 3
		}
	}
	return false
}

func (c *inquiry) undecideGivingUp() {
	r := c.policy.RetryAfter
	if r == nil {
		return
	}
	taken := false
	for _, answer := range []*string{&r.Seconds, &r.Date, &r.Malformed, &r.Huge} {
		if *answer == givesUp {
			*answer, taken = notDecided, true
		}
	}
	if taken {
		c.undecided("Retry-After: a trial ended with one attempt, as others do without it: by chance, or since it gives up")
	}
}
