package infer

import (
	"fmt"
	"slices"
	"strings"

	"labctl/audit"
)

// findings are what the policy means for who runs it, the worst first.
func (c *inquiry) findings() []audit.Finding {
	var all []audit.Finding
	for _, about := range []func(*inquiry) []audit.Finding{
		aboutCalls, aboutAttempts, aboutRequests, aboutFaults, aboutRests, aboutRetryAfter, aboutTime, aboutMethods, aboutStack, aboutExit,
	} {
		all = append(all, about(c)...)
	}
	rank := []audit.Severity{audit.Danger, audit.Risk, audit.Note}
	slices.SortStableFunc(all, func(a, b audit.Finding) int {
		return slices.Index(rank, a.Severity) - slices.Index(rank, b.Severity)
	})
	return append([]audit.Finding{}, all...)
}

// a finding, in a list of one so that those who make them can return none.
func finding(severity audit.Severity, code, format string, args ...any) []audit.Finding {
	return []audit.Finding{{Code: code, Severity: severity, Message: fmt.Sprintf(format, args...)}}
}

// aboutCalls is a subject of which nothing arrived, though all that arrives is counted.
func aboutCalls(c *inquiry) []audit.Finding {
	all := c.all()
	switch {
	case len(all) == 0 || c.anyCalled() || c.anyUncounted():
		return nil
	case slices.ContainsFunc(all, (*question).proxied):
		return finding(audit.Danger, "never-called", "nothing came through the proxy: nothing is known of it; see that it runs, and that its upstream is the address that the audit listens on")
	}
	return finding(audit.Danger, "never-called", "the command never called the URL: nothing is known of it; try it by hand, with the URL where {url} stands")
}

func (q *question) proxied() bool {
	return slices.ContainsFunc(q.trials, func(t audit.Trial) bool { return t.Proxied })
}

func aboutAttempts(c *inquiry) []audit.Finding {
	n := c.policy.Attempts
	switch {
	case n <= 1:
		return nil
	case c.policy.AtLeast && c.policy.Elapsed == nil && !c.passed && n > 10:
		return finding(audit.Danger, "endless", "it was still trying after %s when the probe ended: give it a number of attempts or a limit of time", several(n, "attempt", "attempts"))
	}
	return finding(audit.Risk, "multiplies", "%s of one request: behind another layer that does the same there are %d; let one layer own the retries", count(n), n*n)
}

// hopeless are the statuses that stay what they are however often one asks
// (RFC 9110, sections 15.5 and 15.6).
var hopeless = []string{"400", "401", "403", "404", "422", "501"}

func aboutFaults(c *inquiry) []audit.Finding {
	var vain []string
	for _, w := range c.policy.On {
		if slices.Contains(hopeless, w) {
			vain = append(vain, w)
		}
	}
	var all []audit.Finding
	if len(vain) > 0 {
		all = finding(audit.Risk, "retries-what-cannot-succeed", "it tries again on %s, which a repetition rarely changes", strings.Join(vain, ", "))
	}
	for _, q := range c.aside {
		if !q.Fault.Redirects() || !q.isPrimary(c) || !q.anyTimedOut() || q.rawMost() < 2 {
			continue
		}
		return append(all, finding(audit.Danger, "follows-redirects-without-end", "it followed %s of a loop and was still at it when the probe ended", several(q.rawMost()-1, "redirect", "redirects"))...)
	}
	return all
}

func aboutRests(c *inquiry) []audit.Finding {
	r := c.policy.Rest
	if r == nil || c.policy.Attempts < 2 {
		return nil
	}
	var all []audit.Finding
	switch {
	case r.BaseMS == 0 && r.Jitter == lawNone:
		all = finding(audit.Danger, "no-rest", "it tries again at once, the same server or another: what fails gets %d times the requests in the same instant", c.policy.Attempts)
	case r.Jitter == lawNone:
		all = finding(audit.Risk, "herd-risk", "its rests have no jitter: clients that fail together come again together, %s", times(c.policy.Attempts-1))
	case r.Jitter == "" && c.likeWork(c.plain):
		all = finding(audit.Risk, "short-rests", "it tries again within %s, if it rests at all: a server that fails gets %d times the requests in the same instant", span(workLike), c.policy.Attempts)
	case r.Order == jitterThenCap:
		all = finding(audit.Note, "cap-cuts-jitter", "the cap of %s comes after the jitter: the longer the outage, the more clients rest for exactly that long", span(r.CapMS))
	}
	if r.Growth != string(fixed) && r.Growth != "" && r.CapMS == 0 && (r.LongestMS >= 10_000 || c.policy.AtLeast) {
		all = append(all, finding(audit.Note, "no-cap", "its rests were still growing at %s, the longest that was seen: no cap showed", span(r.LongestMS))...)
	}
	return all
}

func aboutRetryAfter(c *inquiry) []audit.Finding {
	r := c.policy.RetryAfter
	if r == nil {
		return nil
	}
	var all []audit.Finding
	switch r.Seconds {
	case ignored:
		all = finding(audit.Risk, "ignores-retry-after", "it comes again when it likes, whatever Retry-After asks for")
	case early:
		all = finding(audit.Note, "early-after-retry-after", "it comes %s before the time that Retry-After asks for", span(r.EarlyMS))
	case clamped:
		all = finding(audit.Risk, "clamps-retry-after", "it waits for %s at most, however long Retry-After asks for", span(r.ClampMS))
	}
	if r.Date == ignored && c.obeys() {
		all = append(all, finding(audit.Risk, "ignores-retry-after-date", "it obeys Retry-After in seconds, and ignores one that is a date")...)
	}
	if r.Malformed == atOnce {
		all = append(all, finding(audit.Risk, "malformed-retry-after", "a Retry-After that it cannot read makes it come at once")...)
	}
	switch r.Huge {
	case overflow:
		all = append(all, finding(audit.Danger, "retry-after-overflow", "asked 9223372037 s, waited %s: overflow, it took the wait for none", c.waitedHuge())...)
	case waits:
		all = append(all, finding(audit.Note, "retry-after-unbounded", "it waits for as long as Retry-After asks, be it 292 years: whoever answers can park it")...)
	}
	return all
}

// waitedHuge is what came of a wait of centuries: 0 s, or nearly.
func (c *inquiry) waitedHuge() string {
	for _, q := range c.asked(audit.RetryAfter) {
		if asked, _ := askedMS(q.Fault.Name); asked >= hugeWait && q.retried() {
			if longest := c.gapsOf(q).longest(); longest > c.noise.of(0) {
				return span(digits(longest)) + " at most"
			}
		}
	}
	return "0 s"
}

func aboutTime(c *inquiry) []audit.Finding {
	p := c.policy
	var all []audit.Finding
	if p.Attempts > 1 && p.Elapsed == nil && !c.countsVary() && (p.Timeout == nil || p.Timeout.Spans != ofCall) {
		all = finding(audit.Note, "no-budget", "nothing was seen that limits the time or the share of its retries but their number")
	}
	q := c.on("hang")
	switch {
	case q == nil || !q.called():
	case p.Timeout == nil && q.timedOut():
		all = append(all, finding(audit.Risk, "no-timeout", "it waits for an answer for longer than the probe (%s), if not without end", span(round(millis(q.trials[0].Elapsed))))...)
	case p.Timeout != nil && p.Timeout.Spans == ofAttempt && q.retried():
		all = append(all, finding(audit.Risk, "timeout-per-attempt", "its timeout of %s is that of an attempt: the whole call took %s", span(p.Timeout.LimitMS), span(round(millis(q.trials[0].Elapsed))))...)
	}
	return all
}
