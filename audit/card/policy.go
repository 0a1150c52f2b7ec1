package card

import (
	"fmt"
	"slices"
	"strings"

	"labctl/audit"
)

// policyEntries says what the subject does in a few lines. What could not be decided is
// left out here, and has lines of its own.
func policyEntries(a audit.Audit) []entry {
	p := a.Policy
	es := []entry{{"attempts", attemptsText(p)}}
	add := func(key, text string) {
		if text != "" {
			es = append(es, entry{key, text})
		}
	}
	add("never on", strings.Join(p.NotOn, ", "))
	add("except", strings.Join(p.Exceptions, "; "))
	add("overlapping", overlapsText(p.Overlaps))
	add("rests", restsText(a))
	add("Retry-After", retryAfterText(p.RetryAfter))
	add("time", timeText(p))
	add("methods", methodsText(p.Methods))
	add("hidden", hiddenText(a))
	return es
}

func attemptsText(p audit.Policy) string {
	switch {
	case p.Attempts <= 0:
		return "not decided how many"
	case p.Attempts == 1 && !p.AtLeast && len(p.Overlaps) > 0:
		return "1 attempt (0 retries) where an answer comes"
	case p.Attempts == 1 && !p.AtLeast:
		return "1 attempt (0 retries): it repeats nothing by itself"
	}
	text := fmt.Sprintf("%s (%s)", plural(p.Attempts, "attempt"), retries(p.Attempts-1))
	if p.AtLeast {
		text = "at least " + text
	}
	if len(p.On) > 0 {
		text += " on " + strings.Join(p.On, ", ")
	}
	if only := p.OnlyWithRetryAfter; len(only) > 0 {
		if len(p.On) > 0 {
			text += ";"
		}
		text += " on " + strings.Join(only, ", ") + " only where the answer has Retry-After"
	}
	if p.AtLeast {
		text += "; something else ended it before a number did"
	}
	return text
}

func overlapsText(on []string) string {
	if len(on) == 0 {
		return ""
	}
	return "requests do not wait for one another on " + strings.Join(on, ", ") + ": none of them is taken for a retry"
}

func retries(n int) string {
	if n == 1 {
		return "1 retry"
	}
	return fmt.Sprintf("%d retries", n)
}

// plainly are the words of the model as people say them.
var plainly = map[string]string{
	"exact":       "exact",
	"floor":       "a floor, its own rests may be longer",
	"ignored":     "ignored",
	"early":       "too early",
	"gives-up":    "gives up",
	"":            "not decided",
	"before-rest": "looked at before a rest",
	"after-rest":  "looked at after a rest",
	"overflow":    "overflows, comes at once",
}

func said(word string) string {
	if words, ok := plainly[word]; ok {
		return words
	}
	return strings.ReplaceAll(word, "-", " ")
}

func retryAfterText(r *audit.RetryAfterRule) string {
	if r == nil {
		return ""
	}
	seconds := said(r.Seconds)
	if r.Seconds == "early" && r.EarlyMS > 0 {
		seconds += " by " + span(r.EarlyMS)
	}
	if r.ClampMS > 0 {
		seconds += ", at most " + span(r.ClampMS)
	}
	parts := []string{seconds}
	for _, p := range []entry{{"as a date", r.Date}, {"malformed", r.Malformed}, {"huge", r.Huge}} {
		if p.text != "" {
			parts = append(parts, p.key+": "+said(p.text))
		}
	}
	return strings.Join(parts, "; ")
}

func timeText(p audit.Policy) string {
	var parts []string
	if t := p.Timeout; t != nil {
		switch t.Spans {
		case "attempt":
			parts = append(parts, "an attempt has "+span(t.LimitMS))
		case "call":
			parts = append(parts, "all attempts together have "+span(t.LimitMS))
		default:
			parts = append(parts, "a timeout of "+span(t.LimitMS)+", not decided whether of an attempt or of all")
		}
	}
	if e := p.Elapsed; e != nil {
		text := "no attempt begins after " + span(e.LimitMS)
		if e.FromMS > 0 || e.ToMS > 0 {
			text += fmt.Sprintf(" (anything from %s to %s fits)", span(e.FromMS), span(e.ToMS))
		}
		if e.Rule != "" {
			text += ", " + said(e.Rule)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

func methodsText(rules []audit.MethodRule) string {
	var parts []string
	first := primary(rules)
	for _, r := range rules {
		text := methodName(r.Method, r.Key)
		switch {
		case r.Retried == "yes" && text == first && first == "GET":
			continue // all lines above are about it
		case r.Retried == "yes" && text == first:
			parts = append(parts, "all this is about "+text)
			continue
		}
		switch r.Retried {
		case "yes":
			text += " is repeated as " + first + " is"
		case "no":
			text += " is never repeated"
		case "":
			text += ": not decided"
		default:
			text += " is repeated on " + r.Retried + " only"
		}
		if r.Bodies != "" && r.Bodies != "whole" {
			text += ", with " + bodiesText(r.Bodies)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// primary is the method that the policy was read from: GET, or the first that was asked.
func primary(rules []audit.MethodRule) string {
	for _, m := range []string{"GET", "HEAD", "POST", "PUT"} {
		if slices.ContainsFunc(rules, func(r audit.MethodRule) bool { return r.Method == m && !r.Key }) {
			return m
		}
	}
	if len(rules) > 0 {
		return methodName(rules[0].Method, rules[0].Key)
	}
	return ""
}

func bodiesText(word string) string {
	switch word {
	case "empty":
		return "an empty body"
	case "partial":
		return "a part of the body"
	}
	return "body " + word
}

func methodName(method string, key bool) string {
	return audit.Probe{Method: method, Keyed: key}.MethodText()
}

// hiddenText says that none were seen only where a probe could have shown them.
func hiddenText(a audit.Audit) string {
	h := a.Policy.Hidden
	switch {
	case h == nil && sawNoHidden(a):
		return "no replays behind the policy's back were seen"
	case h == nil:
		return ""
	}
	where := "a reused connection"
	if h.Fresh {
		where = "any connection, also a fresh one,"
	}
	times := "once more"
	if h.Times > 1 {
		times = fmt.Sprintf("up to %d times more", h.Times)
	}
	return fmt.Sprintf("its HTTP stack sends %s %s by itself when %s meets %s", strings.Join(h.Methods, ", "), times, where, strings.Join(h.Faults, ", "))
}

// sawNoHidden is whether a probe could have shown a hidden replay and none did.
func sawNoHidden(a audit.Audit) bool {
	if slices.ContainsFunc(a.Probes, func(r audit.Row) bool { return r.Hidden > 0 }) {
		return false
	}
	return slices.ContainsFunc(a.Probes, func(r audit.Row) bool {
		return !r.Unasked && !r.Unclear && r.Connection == string(audit.Reused) && groupOf(r.Fault) == audit.Transport
	})
}
