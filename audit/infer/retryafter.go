package infer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"labctl/audit"
)

// What a subject makes of Retry-After.
const (
	exact      = "exact"
	floor      = "floor"
	ignored    = "ignored"
	early      = "early"
	clamped    = "clamped"
	givesUp    = "gives-up"
	waits      = "waits"
	overflow   = "overflow"
	atOnce     = "at-once"
	notDecided = "not-decided"
)

// hugeWait is from where a wait is meant to show an overflow, in milliseconds.
const hugeWait = 1e9

// askedMS is the wait that the answers of a fault ask for.
func askedMS(fault string) (ms float64, is bool) {
	_, after, found := strings.Cut(fault, "retry-after=")
	if !found {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(after, 64)
	return seconds * 1000, err == nil
}

// retryAfter infers what the subject does when it is asked to wait, from 503 first: a
// status that it leaves alone says nothing.
func (c *inquiry) retryAfter() {
	var rules []*audit.RetryAfterRule
	for _, status := range []string{"503", "429"} {
		if r := c.ruleFor(status); r != nil {
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return
	}
	if rules[0].Seconds == notDecided && len(rules) > 1 {
		slices.Reverse(rules)
	}
	c.policy.RetryAfter = rules[0]
	for _, other := range rules[1:] {
		if other.Seconds != notDecided && other.Seconds != rules[0].Seconds {
			c.exception("Retry-After: %s with one of 503 and 429, %s with the other", rules[0].Seconds, other.Seconds)
		}
	}
}

// ruleFor judges one status, if it is tried again at all.
func (c *inquiry) ruleFor(status string) *audit.RetryAfterRule {
	plain := c.on(status)
	again := plain != nil && plain.retried()
	seconds := c.asks(status, func(fault string, ms float64) bool { return ms > 0 && ms < hugeWait && !isDate(fault) })
	if !again && !slices.ContainsFunc(seconds, (*question).retried) || len(seconds) == 0 {
		return nil
	}
	c.own = &table{rows: slices.Clone(c.plain.rows)}
	switch {
	case again && len(plain.trials) >= 3:
		c.own = c.gapsOf(plain)
	case again:
		c.own.rows = append(c.own.rows, c.gapsOf(plain).rows...)
	}
	r := &audit.RetryAfterRule{}
	r.Seconds = c.judge(r, seconds, false)
	if dates := c.asks(status, func(fault string, ms float64) bool { return isDate(fault) }); len(dates) > 0 {
		r.Date = c.judge(r, dates, true)
	}
	if huge := c.asks(status, func(_ string, ms float64) bool { return ms >= hugeWait }); len(huge) > 0 {
		r.Huge = c.huge(r, huge[0])
		if r.Seconds == ignored && r.Huge == waits {
			r.Seconds = notDecided // it does read the header: its own rests were longer, by chance
		}
	}
	if q := c.on(status + " raw-retry-after=soon"); q != nil {
		r.Malformed = c.malformed(q)
	}
	if r.Seconds == notDecided {
		c.undecided("Retry-After: the rests after %s fit more than one rule, or none", status)
	}
	return r
}

func isDate(fault string) bool { return strings.Contains(fault, "date-retry-after") }

// asks are the questions of a status whose wait is wanted, the shortest first.
func (c *inquiry) asks(status string, wanted func(fault string, ms float64) bool) []*question {
	var found []*question
	for _, q := range c.asked(audit.RetryAfter) {
		of, _, _ := strings.Cut(q.Fault.Name, " ")
		ms, is := askedMS(q.Fault.Name)
		if is && of == status && q.called() && wanted(q.Fault.Name, ms) {
			found = append(found, q)
		}
	}
	slices.SortStableFunc(found, func(a, b *question) int {
		x, _ := askedMS(a.Fault.Name)
		y, _ := askedMS(b.Fault.Name)
		return cmp.Compare(x, y)
	})
	return found
}

// judge compares the gaps of several questions with what each rule would give.
func (c *inquiry) judge(r *audit.RetryAfterRule, questions []*question, date bool) string {
	var all []wait
	for _, q := range questions {
		all = append(all, c.waitsOf(q)...)
	}
	last := questions[len(questions)-1]
	switch {
	case len(all) == 0 && last.timedOut():
		return notDecided // as long as it was watched, it waited
	case len(all) == 0:
		return givesUp
	}
	if rule := c.fitting(all, date); rule != "" {
		if !last.retried() && !last.timedOut() {
			return givesUp // of the longer wait; the shorter was as asked
		}
		return rule
	}
	return c.tooSoon(r, all)
}

// fitting is the rule that all gaps but one in ten follow; "" where none does.
func (c *inquiry) fitting(all []wait, date bool) string {
	slack := 0.
	if date {
		slack = 1000 // dates have whole seconds
	}
	share := func(follows func(w wait) bool) bool { return c.share(all, follows) }
	tolerance := c.noise.of
	isExact := share(func(w wait) bool {
		return w.took >= w.asked-tolerance(w.asked) && w.took <= w.asked+slack+c.late(w.asked)
	})
	isOwn := share(func(w wait) bool { return c.isOwn(w.retry, w.took) })
	isFloor := share(func(w wait) bool { return w.took >= max(w.asked-tolerance(w.asked), c.ownLeast(w.retry)) })
	switch {
	case isOwn && (isExact || isFloor):
		return notDecided // its own rests are what was asked for, or longer
	case isOwn:
		return ignored
	case isExact:
		if r := c.policy.Rest; c.ownNeverLonger(all) && r != nil && r.BaseMS > 0 {
			c.undecided("Retry-After: its own rests are never longer than what is asked for, so exact may be floor")
		}
		return exact
	case isFloor:
		return floor
	}
	return ""
}

// tooSoon tells a limit of the waits from a haste that is always the same.
func (c *inquiry) tooSoon(r *audit.RetryAfterRule, all []wait) string {
	byAsked := map[float64][]float64{}
	longest := 0.
	for _, w := range all {
		byAsked[w.asked] = append(byAsked[w.asked], w.took)
		longest = max(longest, w.asked)
	}
	slices.Sort(byAsked[longest])
	took := quantile(byAsked[longest], 0.5)
	if width(byAsked[longest]) > 2*c.noise.of(took) || took > longest {
		if c.policy.Rest != nil && c.policy.Rest.Jitter != lawNone && c.share(all, func(w wait) bool { return w.took < longest/2 }) {
			return ignored // as random as its own rests, and far from what is asked for
		}
		return notDecided
	}
	missing := longest - took
	steady := true
	for asked, took := range byAsked {
		slices.Sort(took)
		if d := asked - quantile(took, 0.5) - missing; d > c.noise.of(asked) || d < -c.noise.of(asked) {
			steady = false
		}
	}
	if steady {
		r.EarlyMS = round(missing)
		return early
	}
	r.ClampMS = c.noise.asMeant(took)
	return clamped
}

// huge judges a wait that overflows 64 bits of nanoseconds: from what followed, not
// from what was read.
func (c *inquiry) huge(r *audit.RetryAfterRule, q *question) string {
	all := c.waitsOf(q)
	obeys := r.Seconds == exact || r.Seconds == floor || r.Seconds == clamped || r.Seconds == early || r.Seconds == givesUp
	switch {
	case len(all) == 0 && q.timedOut():
		return waits
	case len(all) == 0:
		return givesUp
	case c.share(all, func(w wait) bool { return w.took <= c.noise.of(0) }):
		if obeys || c.ownMost(0) > 2*c.noise.of(0) && !c.isOwn(0, all[0].took) {
			return overflow
		}
		return ignored
	case c.share(all, func(w wait) bool { return c.isOwn(w.retry, w.took) }):
		return ignored
	}
	took := quantile(c.gapsOf(q).column(0), 0.5)
	r.ClampMS = c.noise.asMeant(took)
	return clamped
}

// malformed judges a Retry-After that cannot be read.
func (c *inquiry) malformed(q *question) string {
	all := c.waitsOf(q)
	switch {
	case len(all) == 0 && q.timedOut():
		return waits
	case len(all) == 0:
		return givesUp
	case c.share(all, func(w wait) bool { return c.isOwn(w.retry, w.took) }):
		return ignored
	case c.share(all, func(w wait) bool { return w.took <= c.noise.of(0) }):
		return atOnce
	}
	return notDecided
}
