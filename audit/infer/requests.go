package infer

import (
	"fmt"
	"slices"
	"strings"

	"labctl/audit"
)

// attemptsOf are the attempts of a trial: the hits that ask for the same as the first. A
// SYN that nobody answers is sent again by the kernel, from the same port: that is no
// attempt. Of redirects all that were followed are listed.
func attemptsOf(t audit.Trial) []audit.Hit {
	hits := t.Attempts()
	switch {
	case t.Probe.Fault.Blackhole:
		ports := map[int]bool{}
		return only(hits, func(h audit.Hit) bool {
			again := ports[h.Conn]
			ports[h.Conn] = true
			return !again
		})
	case t.Probe.Fault.Redirects():
		return hits
	}
	return only(hits, func(h audit.Hit) bool { return repeats(t, h) })
}

// repeats reports whether a hit asks for the same as the first attempt. One that begins
// anew asks for the place of the warm-up, which has led to that of the attempt.
func repeats(t audit.Trial, h audit.Hit) bool {
	first := t.Attempts()[0]
	same := pathOf(h) == pathOf(first) || t.Hits[0].Warm && pathOf(h) == pathOf(t.Hits[0])
	return same && h.Method == first.Method
}

// pathOf is what a hit asks for. Some clients number their attempts in the query.
func pathOf(h audit.Hit) string {
	path, _, _ := strings.Cut(h.Target, "?")
	return path
}

// only are the hits that are wanted, and all without a copy where all are.
func only(hits []audit.Hit, wanted func(audit.Hit) bool) []audit.Hit {
	var chosen []audit.Hit
	for _, h := range hits {
		if wanted(h) {
			chosen = append(chosen, h)
		}
	}
	if len(chosen) == len(hits) {
		return hits
	}
	return chosen
}

// besides are the hits of a trial that ask for something else, by what they ask for.
func besides(t audit.Trial) map[string]int {
	found := map[string]int{}
	if t.Probe.Fault.Redirects() || t.Probe.Fault.Blackhole {
		return found
	}
	for _, h := range t.Attempts() {
		if !repeats(t, h) {
			found[nameOfRequest(h)]++
		}
	}
	return found
}

// nameOfRequest is "GET /": a place is a stranger's text, and may be long.
func nameOfRequest(h audit.Hit) string {
	const most = 40
	path := pathOf(h)
	if len(path) > most {
		path = strings.ToValidUTF8(path[:most], "") + "…"
	}
	return strings.TrimSpace(h.Method + " " + path)
}

// sortOut sets those questions aside that tell no number of attempts: redirects, which
// are followed, and hits that may belong to several requests.
func (c *inquiry) sortOut() {
	var reasons []string
	about := map[string][]string{}
	for _, q := range c.questions {
		q.abreast = c.abreast(q)
	}
	for _, q := range c.questions {
		if q.unclear = c.doubt(q); q.unclear == "" || q.Fault.Group == audit.Control {
			continue
		}
		if about[q.unclear] == nil {
			reasons = append(reasons, q.unclear)
		}
		about[q.unclear] = including(about[q.unclear], q.Fault.Name)
	}
	for _, why := range reasons {
		c.undecided("%s: %s", firstOf(about[why]), why)
	}
	aside := func(q *question) bool {
		return q.Fault.Redirects() || q.unclear != "" && q.Fault.Group != audit.Control
	}
	for _, q := range c.questions {
		if aside(q) {
			c.aside = append(c.aside, q)
		}
	}
	c.questions = slices.DeleteFunc(c.questions, aside)
}

// doubt is why the hits of a question may be more than the attempts of one request.
func (c *inquiry) doubt(q *question) string {
	if q.Fault.Redirects() {
		return ""
	}
	if q.sent == preface {
		return "it sends PRI, the preface of HTTP/2, and no request that could be judged"
	}
	if n := c.whenWell(q); n > 1 && q.rawMost() > 1 {
		return fmt.Sprintf("it makes %d requests when all is well, so that hits are not attempts of one: audit a command that makes one", n)
	}
	if more := q.repeatedBesides(); len(more) > 0 && q.rawMost() == 1 {
		return fmt.Sprintf("%s comes once, and other requests more often (%s): audit a command that makes one", nameOfRequest(q.first()), firstOf(more))
	}
	if q.rawMost() > 1 && q.asksOtherwise() && c.whenWell(q) == 0 {
		return "what comes again has another query: probe ok as well, to tell retries from further requests"
	}
	if q.abreast > 1 {
		return overlapping
	}
	for _, other := range c.questions {
		if other != q && kindOf(other) == kindOf(q) && other.abreast > 1 && c.pacedLike(q, other) {
			return fmt.Sprintf("requests come when they also come with %s, where they overlap, whatever the answer: no retries", other.Fault.Name)
		}
	}
	return ""
}

// preface is the method of the first line of HTTP/2 (RFC 9113, section 3.4).
const preface = "PRI"

// whenWell is how many requests the subject makes where there is no fault, with the same
// method if that was asked; 0: it was not asked.
func (c *inquiry) whenWell(q *question) int {
	alike, most := 0, 0
	for _, ok := range c.questions {
		if ok.Fault.Program != "ok" {
			continue
		}
		most = max(most, ok.rawMost())
		if kindOf(ok) == kindOf(q) {
			alike = max(alike, ok.rawMost())
		}
	}
	if alike > 0 {
		return alike
	}
	return most
}

// first is the first attempt of the typical trial, if there is one.
func (q *question) first() audit.Hit {
	if hits := attemptsOf(q.trials[0]); len(hits) > 0 {
		return hits[0]
	}
	return audit.Hit{}
}

// repeatedBesides are the requests other than the first that came more than once.
func (q *question) repeatedBesides() []string {
	var all []string
	for _, t := range q.trials {
		for name, times := range besides(t) {
			if times > 1 {
				all = including(all, name)
			}
		}
	}
	slices.Sort(all)
	return all
}

// others are the requests other than the first.
func (q *question) others() []string {
	var all []string
	for _, t := range q.trials {
		for name := range besides(t) {
			all = including(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// asksOtherwise reports whether attempts differ in their query.
func (q *question) asksOtherwise() bool {
	return slices.ContainsFunc(q.trials, func(t audit.Trial) bool {
		hits := attemptsOf(t)
		return slices.ContainsFunc(hits, func(h audit.Hit) bool { return h.Target != hits[0].Target && pathOf(h) == pathOf(hits[0]) })
	})
}
