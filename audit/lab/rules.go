package lab

import (
	"time"

	"labctl/audit"
	"labctl/topology/policy"
)

// elapsed is a limit of the time of all attempts.
func (c *conversion) elapsed() (time.Duration, policy.ElapsedRule) {
	e := c.from.Elapsed
	if e == nil || span(e.LimitMS) == 0 {
		return 0, policy.AfterRest
	}
	switch e.Rule {
	case "before-rest":
		return span(e.LimitMS), policy.BeforeRest
	case "after-rest":
	default:
		c.note("max_elapsed: whether it counts the next rest was not decided: it does here")
	}
	return span(e.LimitMS), policy.AfterRest
}

// retryAfter is obeyed or not: what lies between has a note.
func (c *conversion) retryAfter() policy.RetryAfterRule {
	from := c.from.RetryAfter
	if from == nil {
		c.note("retry_after: not measured: obey stands here")
		return policy.Obey
	}
	c.retryAfterForms(from)
	switch from.Seconds {
	case "ignored":
		return policy.Ignore
	case "floor":
	case "exact":
		c.note("retry_after: it replaces the rest also where that is longer: a lab rests for the longer of both")
	case "early":
		c.note("retry_after: it comes %v too early: a lab does not", span(from.EarlyMS))
	case "clamped":
		c.note("retry_after: it waits for %v at most: a lab waits as long as it is asked to", span(from.ClampMS))
	case "gives-up":
		c.note("retry_after: it gives up when it is asked to wait: a lab waits")
	default:
		c.note("retry_after: not decided: obey stands here")
	}
	return policy.Obey
}

func (c *conversion) retryAfterForms(from *audit.RetryAfterRule) {
	if from.Date != "" && from.Date != from.Seconds {
		c.note("retry_after: as a date: %s: a lab treats both forms alike", from.Date)
	}
	if from.Malformed != "" && from.Malformed != "ignored" {
		c.note("retry_after: malformed: %s: a lab ignores one that it cannot read", from.Malformed)
	}
	if from.Huge != "" && from.Huge != "waits" && from.Huge != from.Seconds {
		c.note("retry_after: of centuries: %s: a lab waits", from.Huge)
	}
}

// repeatableOnly is all that a lab knows of methods: whether a request that may not be
// repeated, since it has neither an idempotent method nor a key, is left alone.
func (c *conversion) repeatableOnly() bool {
	only := false
	for _, m := range c.from.Methods {
		repeatable := m.Key || m.Method != "POST" && m.Method != "PATCH"
		switch {
		case m.Retried == "yes":
		case m.Retried == "":
			c.note("methods: whether %s is tried again was not decided: a lab does where it may be repeated", name(m))
			only = only || !repeatable
		case m.Retried == "no" && repeatable:
			c.note("methods: %s is not tried again: a lab does, since it may be repeated", name(m))
		case m.Retried == "no":
			only = true
		default:
			only = only || !repeatable
			c.note("methods: %s only on %s: a lab does not tell faults apart by method", name(m), m.Retried)
		}
		if m.Bodies != "" && m.Bodies != "whole" {
			c.note("methods: the repetitions of %s carry %s bodies: a lab's have none at all", name(m), m.Bodies)
		}
	}
	return only
}

func name(m audit.MethodRule) string {
	if m.Key {
		return m.Method + " with key"
	}
	return m.Method
}

// timeout stands inside of the retry, or outside where it spans the call. What a lab
// would refuse as never reached is left out.
func (c *conversion) timeout(r *policy.Retry) *policy.TimeoutAfter {
	from := c.from.Timeout
	if from == nil || span(from.LimitMS) == 0 {
		return nil
	}
	limit := span(from.LimitMS)
	switch {
	case from.Spans == "call" && r.MaxElapsed > limit:
		c.note("max_elapsed: %v is never reached with a timeout of %v: left out", r.MaxElapsed, limit)
		r.MaxElapsed, r.Rule = 0, policy.AfterRest
	case from.Spans != "call" && r.MaxElapsed > 0 && r.MaxElapsed < limit:
		c.note("timeout: %v for an attempt is longer than all may take, which a lab refuses: left out", limit)
		return nil
	case from.Spans != "call" && from.Spans != "attempt":
		c.note("timeout: whether it spans an attempt or the call was not decided: an attempt stands here")
	}
	return &policy.TimeoutAfter{Limit: limit}
}
