package infer

import (
	"slices"
	"strings"

	"labctl/audit"
)

// What bodies the repetitions carry.
const (
	whole   = "whole"
	empty   = "empty"
	partial = "partial"
)

// methods infers, for each method and key, what is tried again of what the primary
// method is tried again on.
func (c *inquiry) methods() {
	seen := map[string]bool{}
	for _, q := range c.questions {
		name := kindOf(q)
		if seen[name] || !q.called() {
			continue
		}
		seen[name] = true
		again, alone := c.retriedOf(name)
		rule := audit.MethodRule{Method: q.sent, Key: q.Keyed, Bodies: c.bodies(name)}
		switch {
		case len(again) == 0:
			rule.Retried = "no"
		case len(alone) == 0:
			rule.Retried = "yes"
		default:
			rule.Retried = strings.Join(again, ", ")
		}
		c.policy.Methods = append(c.policy.Methods, rule)
	}
}

// kindOf is the method that arrived, and whether with a key.
func kindOf(q *question) string {
	if q.Keyed {
		return q.sent + " with key"
	}
	return q.sent
}

// of are the questions with a method on a connection, but for those that are no
// faults.
func (c *inquiry) of(kind string, on audit.Connection) []*question {
	var found []*question
	for _, q := range c.questions {
		if kindOf(q) == kind && q.Connection == on && q.Fault.Group != audit.Control && q.Fault.Name != redirectLoop && q.called() {
			found = append(found, q)
		}
	}
	return found
}

// retriedOf lists the faults on which a method is tried again on fresh connections,
// and those on which it is not although the primary method is.
func (c *inquiry) retriedOf(kind string) (again, alone []string) {
	questions := c.of(kind, audit.Fresh)
	if len(questions) == 0 {
		questions = c.of(kind, audit.Reused)
	}
	for _, q := range questions {
		primary := c.on(q.Fault.Name)
		switch {
		case q.Fault.Group == audit.Recovery:
		case q.retried() && !q.resumed():
			again = append(again, q.Fault.Name)
		case primary != nil && primary.retried() && !primary.resumed():
			alone = append(alone, q.Fault.Name)
		}
	}
	return again, alone
}

// bodies judges what the repetitions carry against the first attempt, which came
// whole. The worst decides: a defect shows only on some connections.
func (c *inquiry) bodies(kind string) string {
	found := ""
	for _, q := range append(c.of(kind, audit.Fresh), c.of(kind, audit.Reused)...) {
		for _, t := range q.trials {
			found = worse(found, bodiesOf(attemptsOf(t)))
		}
	}
	return found
}

func bodiesOf(hits []audit.Hit) string {
	if len(hits) < 2 || hits[0].Body == 0 || !hits[0].Complete {
		return ""
	}
	found := whole
	for _, h := range hits[1:] {
		switch {
		case h.Body == 0:
			found = worse(found, empty)
		case h.Body != hits[0].Body:
			found = worse(found, partial)
		}
	}
	return found
}

func worse(a, b string) string {
	order := []string{"", whole, partial, empty}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}
