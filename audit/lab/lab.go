// Package lab turns what an audit inferred of a client into policies that a lab can run:
// one measured client becomes a million simulated ones.
//
// Use [File] for the policy file of an audit, and [Policies] for the policies alone. A lab
// has no words for some of what clients do. Such things, and all that an audit could not
// decide, come back as notes: what is simulated is then not quite what was measured, and
// the notes say where.
package lab

import (
	"fmt"
	"strings"

	"labctl/audit"
	"labctl/topology"
	"labctl/topology/file"
	"labctl/topology/policy"
)

// File is the policy file of an audit, with the notes as comments.
func File(a audit.Audit) []byte {
	stack, notes := Policies(a.Policy)
	who := strings.TrimSpace(a.Subject + " " + a.Version)
	header := []string{"Measured: " + who}
	if len(a.Command) > 0 {
		header = append(header, "Command: "+strings.Join(a.Command, " "))
	}
	if a.Partial {
		header = append(header, "The audit was interrupted: measure again before you rely on this.")
	}
	if len(notes) > 0 {
		header = append(header, "", "What these policies leave out, or take for granted:")
	}
	for _, n := range notes {
		header = append(header, "- "+n)
	}
	return file.WritePolicies(header, stack)
}

// Policies are a retry and, where the client has one, a timeout, outermost first. They
// always pass the checks of a lab. Where something was not decided they do less rather
// than more, so that a simulation does not invent load, and a note says so.
func Policies(p audit.Policy) (stack []topology.Policy, notes []string) {
	c := conversion{from: p}
	retry := c.retry()
	stack = []topology.Policy{{Retry: &retry}}
	if t := c.timeout(&retry); t != nil {
		outside := p.Timeout.Spans == "call"
		stack = append(stack, topology.Policy{Timeout: t})
		if outside {
			stack[0], stack[1] = stack[1], stack[0]
		}
	}
	c.hidden()
	for _, u := range p.Undecided {
		c.note("not decided: %s", u)
	}
	return stack, c.notes
}

// conversion collects the notes.
type conversion struct {
	from  audit.Policy
	notes []string
}

func (c *conversion) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

func (c *conversion) retry() policy.Retry {
	r := policy.Retry{Attempts: c.attempts()}
	if r.Attempts == 1 {
		return r // nothing else of it is ever used
	}
	r.Filter = c.filter()
	r.Rest = c.rest()
	r.MaxElapsed, r.Rule = c.elapsed()
	r.RetryAfter = c.retryAfter()
	r.RepeatableOnly = c.repeatableOnly()
	return r
}

func (c *conversion) attempts() int {
	n := c.from.Attempts
	switch {
	case n <= 0:
		c.note("attempts: not decided: 1 stands here, which is no retry")
		return 1
	case n > topology.MaxAttempts:
		c.note("attempts: %d, of which a lab makes %d", n, topology.MaxAttempts)
		return topology.MaxAttempts
	case c.from.AtLeast:
		c.note("attempts: at least %d: something else ended it before a number did", n)
	}
	return n
}

// filter is what is tried again, as far as a retry of the lab has words for it.
func (c *conversion) filter() policy.Filter {
	var words, unknown []string
	for _, w := range c.from.On {
		if _, err := policy.ParseFilter(w); err != nil {
			unknown = append(unknown, w)
			continue
		}
		words = append(words, w)
	}
	if len(unknown) > 0 {
		c.note("on: it also tries again on %s, for which a lab has no word", strings.Join(unknown, ", "))
	}
	if only := c.from.OnlyWithRetryAfter; len(only) > 0 {
		c.note("on: %s only where the answer has a Retry-After, which a lab cannot ask for: left out", strings.Join(only, ", "))
	}
	f, err := policy.ParseFilter(words...)
	if err != nil {
		c.note("on: not decided: the lab's own filter stands, %s", policy.DefaultFilter())
		return policy.Filter{}
	}
	return f
}

// hidden are no decision of a policy, so no policy can say them.
func (c *conversion) hidden() {
	h := c.from.Hidden
	if h == nil {
		return
	}
	where := "on reused connections"
	if h.Fresh {
		where = "also on fresh connections"
	}
	c.note("hidden replays: its HTTP stack sends %s again on %s, %s, up to %d more each time: left out",
		strings.Join(h.Methods, ", "), strings.Join(h.Faults, ", "), where, h.Times)
}
