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
	for _, q := range c.all() {
		name := kindOf(q)
		if seen[name] || !q.called() {
			continue
		}
		seen[name] = true
		c.policy.Methods = append(c.policy.Methods, audit.MethodRule{
			Method: q.sent, Key: q.Keyed, Retried: c.retriedText(name), Bodies: c.bodies(name),
		})
	}
}

// retriedText is yes where a method is tried again on the same as the primary one, of
// all that it was asked with; else the faults, or no, or nothing where that is not known.
func (c *inquiry) retriedText(kind string) string {
	k := c.retriedOf(kind)
	doubted := slices.ContainsFunc(c.aside, func(q *question) bool { return kindOf(q) == kind && q.hides() })
	differs := len(k.alone) > 0 || len(k.more) > 0
	switch {
	case len(k.again) == 0 && (k.resting || doubted || !k.ended):
		c.undecided("%s: whether it is tried again did not show", kind)
		return ""
	case len(k.again) == 0 && !(c.fickle && len(k.alone) < byChance):
		return "no"
	case differs && c.fickle:
		c.undecided("%s: whether it is tried again varies from trial to trial", kind)
		return ""
	case differs, k.unlike:
		return strings.Join(k.again, ", ")
	}
	return "yes"
}

// byChance is how many faults a subject whose number of attempts varies may leave alone
// with one method, and not with another, for no reason.
const byChance = 5

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
		if kindOf(q) == kind && q.Connection == on && q.Fault.Group != audit.Control && q.called() {
			found = append(found, q)
		}
	}
	return found
}

// A kindRule is what was seen of a method: the faults on which it is tried again, of
// these more than the primary method is, and those on which it is left alone although
// the primary method is not.
type kindRule struct {
	again, more, alone []string

	resting bool // the command was still at it, after one attempt that was answered
	unlike  bool // and the primary method was not
	ended   bool // it was left alone with some fault
}

// retriedOf compares a method with the primary one, on fresh connections.
func (c *inquiry) retriedOf(kind string) (k kindRule) {
	questions := c.of(kind, audit.Fresh)
	if len(questions) == 0 {
		questions = c.of(kind, audit.Reused)
	}
	for _, q := range questions {
		primary := c.on(q.Fault.Name)
		also := primary != nil && primary.retried() && !primary.resumed()
		again := q.retried() && !q.resumed()
		switch {
		case q.Fault.Group == audit.Recovery && !(again && c.alone(q)):
			k.ended = k.ended || q.ended()
		case again:
			k.again = append(k.again, q.Fault.Name)
			if !also {
				k.more = append(k.more, q.Fault.Name)
			}
		case q.waiting():
			k.resting = k.resting || !q.silent()
			k.unlike = k.unlike || also || q.Fault.Group != audit.RetryAfter && !(primary != nil && primary.waiting())
		default:
			k.ended = k.ended || q.ended()
			if also {
				k.alone = append(k.alone, q.Fault.Name)
			}
		}
	}
	return k
}

// alone reports whether a fault that passes is all that a method was asked with: else the
// same fault that stays tells more.
func (c *inquiry) alone(q *question) bool {
	return !slices.ContainsFunc(c.questions, func(other *question) bool {
		return kindOf(other) == kindOf(q) && other.Fault.Group != audit.Recovery && other.Fault.Group != audit.Control
	})
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
