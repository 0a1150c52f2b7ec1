package infer

import (
	"fmt"
	"math"

	"labctl/audit"
)

// overlapping is why attempts are no retries that come before the one in front was
// answered or given up.
const overlapping = "attempts overlap: hedging, parallel requests, or a timeout that leaves the old request running; no retries are told from it"

// shoulders is how many attempts are looked at for one that may still be under way: a
// client can make as many as a tail lists.
const shoulders = 64

// abreast is how many attempts of a question were under way at the same time, at most. A
// client that gives one up and tries again at once may seem to do both for a moment.
func (c *inquiry) abreast(q *question) int {
	most := 0
	for _, t := range q.trials {
		hits := attemptsOf(t)
		for i, h := range hits {
			n := 1
			for _, earlier := range hits[max(i-shoulders, 0):i] {
				if millis(earlier.End-h.At) > c.atOnceMS {
					n++
				}
			}
			most = max(most, n)
		}
	}
	return most
}

// pacedLike reports whether the requests of two questions come at the same times, as by
// a clock and not after an answer.
func (c *inquiry) pacedLike(q, other *question) bool {
	a, b := attemptsOf(q.trials[0]), attemptsOf(other.trials[0])
	n := min(len(a), len(b))
	for i := 1; i < n; i++ {
		x, y := millis(a[i].At-a[i-1].At), millis(b[i].At-b[i-1].At)
		if math.Abs(x-y) > 2*c.noise.of(max(x, y)) {
			return false
		}
	}
	return n > 1
}

// overlaps lists the faults on which attempts overlap.
func (c *inquiry) overlaps() {
	for _, q := range c.aside {
		if q.unclear == overlapping {
			c.policy.Overlaps = including(c.policy.Overlaps, q.Fault.Name)
			c.abreastBy = max(c.abreastBy, q.abreast)
		}
	}
}

// aboutRequests are hits that are no attempts of one request.
func aboutRequests(c *inquiry) []audit.Finding {
	var all []audit.Finding
	if on := c.policy.Overlaps; len(on) > 0 {
		all = finding(audit.Risk, "overlapping-attempts", "its attempts overlap on %s, %d at a time: hedging, parallel requests, or a timeout that leaves the old request running; a slow server gets the more of them the slower it is",
			firstOf(on), c.abreastBy)
	}
	names, repeated := c.requests()
	if len(names) > 1 || repeated > 1 {
		text := firstOf(names)
		if repeated > 1 {
			text += fmt.Sprintf("; %s when all is well", several(repeated, "request", "requests"))
		}
		all = append(all, finding(audit.Note, "several-requests", "it makes several requests (%s): the first is judged where it can be told from them", text)...)
	}
	return all
}

// requests are what the subject asks for beside the first attempt, that included, and how
// often it asks for the same when all is well.
func (c *inquiry) requests() (names []string, repeated int) {
	for _, q := range c.all() {
		if others := q.others(); len(others) > 0 {
			names = including(names, nameOfRequest(q.first()))
			for _, o := range others {
				names = including(names, o)
			}
		}
		if q.Fault.Program == "ok" && q.rawMost() > 1 {
			names = including(names, nameOfRequest(q.first()))
			repeated = max(repeated, q.rawMost())
		}
	}
	return names, repeated
}
