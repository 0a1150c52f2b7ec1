package infer

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"labctl/audit"
)

// passing is the fault that passes with the most attempts, where such a fault was tried
// again. A stack that repeats by itself on any connection may have done that.
func (c *inquiry) passing() *question {
	var chosen *question
	for _, q := range c.asked(audit.Recovery) {
		hidden := c.policy.Hidden != nil && c.policy.Hidden.Fresh && q.first().Status == 0
		if q.retried() && !q.resumed() && !hidden && (chosen == nil || q.most() > chosen.most()) {
			chosen = q
		}
	}
	return chosen
}

// onRecovery takes what is tried again from faults that pass, where the same fault was
// not asked by itself.
func (c *inquiry) onRecovery() {
	for _, q := range c.asked(audit.Recovery) {
		if !q.retried() || q.resumed() || c.policy.Hidden != nil && c.policy.Hidden.Fresh {
			continue
		}
		for _, w := range q.failures() {
			c.policy.On = including(c.policy.On, w)
		}
	}
	c.policy.On = slices.DeleteFunc(c.policy.On, func(w string) bool { return slices.Contains(c.policy.NotOn, w) })
}

// failures are the words of what the attempts met that were followed by another one.
func (q *question) failures() []string {
	hits := attemptsOf(q.trials[0])
	var words []string
	for i, h := range hits {
		switch last := i == len(hits)-1; {
		case last:
		case h.Status >= 400:
			words = including(words, strconv.Itoa(h.Status))
		case h.Status == 0:
			words = including(words, q.unanswered())
		}
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// unanswered is the word for the first step of a program that gives no answer.
func (q *question) unanswered() string {
	for _, step := range strings.Split(q.Fault.Program, ",") {
		action := strings.TrimRightFunc(step, func(r rune) bool { return !unicode.IsLetter(r) })
		for _, w := range transportWords {
			if slices.ContainsFunc(w.faults, func(f string) bool { return strings.HasPrefix(action, f) }) {
				return w.name
			}
		}
	}
	return ""
}

// recovered reports whether the typical trial got its good answer.
func (q *question) recovered() bool { return recovered(q.trials[0]) }
