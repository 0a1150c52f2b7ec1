package infer

import (
	"fmt"
	"slices"
	"strings"

	"labctl/audit"
)

func aboutMethods(c *inquiry) []audit.Finding {
	var all []audit.Finding
	for _, m := range c.policy.Methods {
		kind := m.Method
		if m.Key {
			kind += " with key"
		}
		if m.Method == "POST" && !m.Key {
			all = append(all, unsafe(c, kind)...)
		}
		switch m.Bodies {
		case empty, partial:
			all = append(all, finding(audit.Danger, "empty-body-on-retry", "a %s is tried again with a body that is %s", kind, incomplete[m.Bodies])...)
		}
		all = append(all, unrewound(c, kind)...)
	}
	return all
}

var incomplete = map[string]string{empty: "empty", partial: "not what it was"}

// unsafe is a POST without a key that is sent again after it may have done its work:
// all but where no connection came about.
func unsafe(c *inquiry, kind string) []audit.Finding {
	again := c.retriedOf(kind).again
	var unanswered, answered []string
	for _, fault := range again {
		q := c.anyOn(kind, fault)
		switch {
		case fault == "refused" || fault == "blackhole" || q == nil:
		case q.Fault.Group == audit.Transport:
			unanswered = append(unanswered, fault)
		default:
			answered = append(answered, fault)
		}
	}
	if len(unanswered) > 0 {
		return finding(audit.Danger, "unsafe-post", "a POST without a key is sent again after %s, when it may have had its effect", strings.Join(append(unanswered, answered...), ", "))
	}
	if len(answered) > 0 {
		return finding(audit.Risk, "unsafe-post", "a POST without a key is sent again after %s, which a server may say when the work is done", strings.Join(answered, ", "))
	}
	return nil
}

func (c *inquiry) anyOn(kind, fault string) *question {
	for _, q := range c.questions {
		if kindOf(q) == kind && q.Fault.Name == fault {
			return q
		}
	}
	return nil
}

// unrewound is a body that cannot be sent twice where the HTTP stack does not help: the
// request is repeated on a reused connection only (google/go-containerregistry#2454).
func unrewound(c *inquiry, kind string) []audit.Finding {
	for _, q := range c.of(kind, audit.Fresh) {
		primary := c.on(q.Fault.Name)
		if q.Fault.Group != audit.Status || q.retried() || primary == nil || !primary.retried() {
			continue
		}
		for _, reused := range c.of(kind, audit.Reused) {
			if reused.Fault.Name == q.Fault.Name && reused.retried() {
				return finding(audit.Danger, "empty-body-on-retry",
					"a %s is tried again after %s on a reused connection (%s), and not on a fresh one (%s): its body cannot be sent twice",
					kind, q.Fault.Name, several(reused.hits(), "hit", "hits"), several(q.hits(), "hit", "hits"))
			}
		}
	}
	return nil
}

func aboutStack(c *inquiry) []audit.Finding {
	h := c.policy.Hidden
	if h == nil {
		return nil
	}
	severity, unsafe := audit.Risk, ""
	if slices.Contains(h.Methods, "POST") {
		severity, unsafe = audit.Danger, ", a POST without a key among them"
	}
	where := "a reused connection"
	if h.Fresh {
		where = "a connection"
	}
	return finding(severity, "hidden-replays", "its HTTP stack sends %s again by itself when %s dies (%s)%s: no policy knows, and no budget counts it",
		strings.Join(h.Methods, ", "), where, strings.Join(h.Faults, ", "), unsafe)
}

// firstOf lists some of many faults.
func firstOf(faults []string) string {
	const some = 6
	if len(faults) <= some {
		return strings.Join(faults, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(faults[:some], ", "), len(faults)-some)
}

func aboutExit(c *inquiry) []audit.Finding {
	var quiet, dead []string
	resumes := false
	for _, q := range c.all() {
		if q.Fault.Group != audit.RetryAfter && slices.ContainsFunc(q.trials, swallowed) {
			quiet = including(quiet, q.Fault.Name)
		}
		if q.trials[0].Exit.Signal != "" {
			dead = including(dead, q.Fault.Name)
		}
		resumes = resumes || q.resumed()
	}
	var all []audit.Finding
	if len(quiet) > 0 {
		all = append(all, finding(audit.Risk, "exit-zero-on-failure", "it exits 0 although it got no good answer: %s", firstOf(quiet))...)
	}
	if len(dead) > 0 {
		all = append(all, finding(audit.Risk, "dies", "it is ended by a signal of its own: %s", strings.Join(dead, ", "))...)
	}
	if resumes {
		all = append(all, finding(audit.Note, "resumes-by-range", "it asks for the missing part of a body (Range), which is no repetition")...)
	}
	return all
}
