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
	notDecided = ""
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
	c.otherForms(r, status, seconds)
	if unclear := c.unclear(r, status); len(unclear) > 0 {
		c.undecided("Retry-After: what follows %s with %s fits more than one rule, or none", status, strings.Join(unclear, ", "))
	}
	return r
}

// otherForms judges a date, a wait of centuries, and what cannot be read.
func (c *inquiry) otherForms(r *audit.RetryAfterRule, status string, seconds []*question) {
	if dates := c.asks(status, func(fault string, ms float64) bool { return isDate(fault) }); len(dates) > 0 {
		r.Date = c.judge(r, dates, true)
	}
	if huge := c.asks(status, func(_ string, ms float64) bool { return ms >= hugeWait }); len(huge) > 0 {
		obeyed := 0.
		if slices.Contains([]string{exact, floor, early, clamped, givesUp}, r.Seconds) {
			obeyed = max(c.obeyed(seconds), r.ClampMS)
		}
		r.Huge = c.huge(r, huge[0], obeyed)
		if r.Seconds == ignored && r.Huge == waits {
			r.Seconds = notDecided // it does read the header: its own rests were longer, by chance
		}
	}
	if q := c.on(status + " raw-retry-after=soon"); q != nil {
		r.Malformed = c.malformed(q)
	}
}

// unclear are the forms that were asked and not decided.
func (c *inquiry) unclear(r *audit.RetryAfterRule, status string) []string {
	var forms []string
	for _, form := range []struct{ rule, header, name string }{
		{r.Seconds, "retry-after=", "a wait in seconds"},
		{r.Date, "date-retry-after=", "a date"},
		{r.Huge, "retry-after=9223372037", "a wait of centuries"},
		{r.Malformed, "raw-retry-after=", "one that cannot be read"},
	} {
		asked := func(q *question) bool { return strings.HasPrefix(q.Fault.Name, status+" "+form.header) }
		if form.rule == notDecided && slices.ContainsFunc(c.asked(audit.RetryAfter), asked) {
			forms = append(forms, form.name)
		}
	}
	return forms
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
	return c.tooSoon(r, all, date)
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
	case isOwn && c.quick(all):
		return c.misread(all[len(all)-1].asked, all[len(all)-1].took)
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
