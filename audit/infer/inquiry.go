package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"labctl/audit"
)

// A question is a probe with all its trials.
type question struct {
	audit.Probe
	trials  []audit.Trial // the typical one first
	sent    string        // the method that arrives: a command without a place for one sends its own
	abreast int           // attempts that were under way at the same time, at most
	unclear string        // why its hits may be more than the attempts of one request; "" where they are not
	replays int           // of its attempts, what the HTTP stack repeated by itself
}

// An inquiry is the evidence, and the policy as far as it is known.
type inquiry struct {
	noise     tolerance
	atOnceMS  float64     // what comes sooner than that came without a rest
	questions []*question // that tell how often a request is tried, in the order of a card
	aside     []*question // whose hits are no attempts of one request
	unasked   []*question // that could not be put to the subject
	primary   string      // the method that the policy is read from
	policy    audit.Policy
	waiting   []string // faults that no attempt came to the end of
	resting   []string // faults after which the command was still at it, with one attempt
	abreastBy int      // attempts that were under way at the same time, at most
	passed    bool     // the number of attempts is that of a fault that passed
	fickle    bool     // the same fault is tried again at one time, and not at another
	readFrom  string   // the fault whose rests are taken for the subject's own
	plain     *table   // gaps of the subject's own rests
	own       *table   // and of its rests after the status that is looked at
}

func newInquiry(trials []audit.Trial, noise audit.Noise) *inquiry {
	c := &inquiry{noise: toleranceOf(noise), atOnceMS: millis(noise.AtOnce())}
	c.questions = grouped(trials, func(t audit.Trial) bool { return t.Unasked == "" })
	for _, q := range grouped(trials, func(t audit.Trial) bool { return t.Unasked != "" }) {
		if !slices.ContainsFunc(c.questions, func(asked *question) bool { return asked.String() == q.String() }) {
			c.unasked = append(c.unasked, q)
		}
	}
	c.arrived()
	c.primary = c.method()
	c.sortOut()
	return c
}

// grouped are the questions of the trials that are wanted, in the order of a card.
func grouped(trials []audit.Trial, wanted func(audit.Trial) bool) []*question {
	var found []*question
	byName := map[string]*question{}
	for _, t := range trials {
		if !wanted(t) {
			continue
		}
		name := t.Probe.String()
		if byName[name] == nil {
			byName[name] = &question{Probe: t.Probe}
			found = append(found, byName[name])
		}
		byName[name].trials = append(byName[name].trials, t)
	}
	slices.SortFunc(found, byCard())
	for _, q := range found {
		q.order()
	}
	return found
}

// byCard orders as the catalogue does; what it does not know comes last, by name.
func byCard() func(a, b *question) int {
	place := map[string]int{}
	for i, f := range audit.Catalogue() {
		place[f.Name] = i - len(audit.Catalogue())
	}
	methods := []string{"PUT", "POST", "GET"}
	return func(a, b *question) int {
		return cmp.Or(
			cmp.Compare(place[a.Fault.Name], place[b.Fault.Name]),
			strings.Compare(a.Fault.Name, b.Fault.Name),
			-cmp.Compare(slices.Index(methods, a.Method), slices.Index(methods, b.Method)),
			strings.Compare(a.MethodText(), b.MethodText()),
			strings.Compare(string(a.Connection), string(b.Connection)),
		)
	}
}

// order puts the typical trial first: with the number of attempts that most have, and
// of these the one in the middle by time. Which came first says nothing about it.
func (q *question) order() {
	slices.SortFunc(q.trials, compareTrials)
	counts := map[int]int{}
	for _, t := range q.trials {
		counts[len(attemptsOf(t))]++
	}
	usual := 0
	for n, times := range counts {
		if times > counts[usual] || times == counts[usual] && n > usual {
			usual = n
		}
	}
	var those []int
	for i, t := range q.trials {
		if len(attemptsOf(t)) == usual {
			those = append(those, i)
		}
	}
	i := those[len(those)/2]
	typical := q.trials[i]
	q.trials = slices.Insert(slices.Delete(q.trials, i, i+1), 0, typical)
}

// compareTrials is an order that does not depend on that of the input: whatever it
// finds equal is equal in all that is inferred.
func compareTrials(a, b audit.Trial) int {
	order := cmp.Or(
		cmp.Compare(a.Elapsed, b.Elapsed),
		slices.CompareFunc(a.Hits, b.Hits, func(x, y audit.Hit) int {
			return cmp.Or(cmp.Compare(x.At, y.At), cmp.Compare(x.End, y.End))
		}),
	)
	if order != 0 {
		return order
	}
	return strings.Compare(fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b))
}

// arrived finds the method that arrives for each that was asked for. A question
// without hits takes that of its like.
func (c *inquiry) arrived() {
	sent := map[string]string{}
	for _, q := range c.questions {
		for _, t := range q.trials {
			for _, h := range attemptsOf(t) {
				if sent[q.Method] == "" {
					sent[q.Method] = h.Method
				}
			}
		}
	}
	for _, q := range c.questions {
		q.sent = cmp.Or(sent[q.Method], q.Method)
	}
}

// method is the one that the policy is read from: GET, or whatever there is.
func (c *inquiry) method() string {
	for _, m := range []string{"GET", "HEAD", "POST", "PUT"} {
		if slices.ContainsFunc(c.questions, func(q *question) bool { return q.sent == m }) {
			return m
		}
	}
	if len(c.questions) > 0 {
		return c.questions[0].sent
	}
	return ""
}

func (q *question) isPrimary(c *inquiry) bool { return q.sent == c.primary && !q.Keyed }

// on finds the primary question about a fault, on a fresh connection if there is one.
func (c *inquiry) on(fault string) *question {
	if q := c.find(fault, audit.Fresh); q != nil {
		return q
	}
	return c.find(fault, audit.Reused)
}

func (c *inquiry) find(fault string, on audit.Connection) *question {
	for _, q := range c.questions {
		if q.Fault.Name == fault && q.Connection == on && q.isPrimary(c) {
			return q
		}
	}
	return nil
}

// asked are the primary questions of some groups, one for each fault.
func (c *inquiry) asked(groups ...audit.Group) []*question {
	var found []*question
	for _, q := range c.questions {
		if q.isPrimary(c) && slices.Contains(groups, q.Fault.Group) && q == c.on(q.Fault.Name) {
			found = append(found, q)
		}
	}
	return found
}

// hits is how many attempts the typical trial has.
func (q *question) hits() int { return len(attemptsOf(q.trials[0])) }

// most is how many attempts of the policy's own any trial has.
func (q *question) most() int {
	most := 0
	for _, t := range q.trials {
		most = max(most, len(attemptsOf(t)))
	}
	return max(most-q.replays, min(most, 1))
}

func (q *question) retried() bool { return q.most() > 1 }

// uncounted is why there may have been more attempts than were seen.
func (q *question) uncounted() string {
	for _, t := range q.trials {
		if t.Uncounted != "" {
			return t.Uncounted
		}
	}
	return ""
}

// timedOut reports whether the typical trial was still at it when its time was over.
func (q *question) timedOut() bool { return q.trials[0].Exit.TimedOut }

// waiting reports whether there was one attempt, and the command was still at it when
// its time was over: it may have rested for longer than that.
func (q *question) waiting() bool { return q.called() && !q.retried() && q.anyTimedOut() }

// ended reports whether a question tells that nothing is tried again.
func (q *question) ended() bool {
	return q.called() && !q.retried() && !q.anyTimedOut() && q.uncounted() == ""
}

// all are the questions that were put to the subject, in the order of a card.
func (c *inquiry) all() []*question {
	all := slices.Concat(c.questions, c.aside)
	slices.SortStableFunc(all, byCard())
	return all
}

func (q *question) anyTimedOut() bool {
	return slices.ContainsFunc(q.trials, func(t audit.Trial) bool { return t.Exit.TimedOut })
}

// undecided notes, in words, what the trials do not tell.
func (c *inquiry) undecided(format string, args ...any) {
	c.policy.Undecided = including(c.policy.Undecided, fmt.Sprintf(format, args...))
}

func (c *inquiry) exception(format string, args ...any) {
	c.policy.Exceptions = append(c.policy.Exceptions, fmt.Sprintf(format, args...))
}

// gapsOf are the gaps of all trials of a question, in milliseconds, the usual noise
// taken off.
func (c *inquiry) gapsOf(q *question) *table {
	t := &table{}
	for _, trial := range q.trials {
		t.add(gaps(trial), c.noise.median)
	}
	return t
}

// gaps are those between attempts.
func gaps(t audit.Trial) []time.Duration {
	t.Hits = attemptsOf(t)
	return t.Gaps()
}
