package infer

import (
	"slices"

	"labctl/audit"
)

// hidden finds the repetitions that an HTTP stack makes by itself: those on a fresh
// connection, at once, after a reused one has died (golang/go#22158 and its like).
// The same fault on fresh connections tells them from a policy whose first retry does
// not rest.
func (c *inquiry) hidden() {
	for _, q := range c.questions {
		if q.Connection != audit.Reused || q.Fault.Group != audit.Transport && q.Fault.Group != audit.Recovery {
			continue
		}
		most := 0
		for _, t := range q.trials {
			most = max(most, c.candidates(t))
		}
		if most == 0 {
			continue
		}
		fresh := c.twin(q)
		if fresh == nil {
			c.undecided("hidden replays: %s repeats at once, and there is no %s on a fresh connection to compare with", q.Probe, q.Fault.Name)
			continue
		}
		q.replays = min(most, max(q.rawMost()-fresh.rawMost(), 0))
		if q.Fault.Group == audit.Transport && q.replays > 0 {
			c.replayed(q, q.replays, false)
		}
	}
	c.replaysOnFresh()
}

// candidates counts the hits of a trial that may be replays.
func (c *inquiry) candidates(t audit.Trial) int {
	hits, n := attemptsOf(t), 0
	for i := 1; i < len(hits); i++ {
		if hits[i-1].Turn > 1 && hits[i].Conn != hits[i-1].Conn && c.atOnce(hits[i-1], hits[i]) {
			n++
		}
	}
	return n
}

// atOnce reports whether a hit follows another without a rest.
func (c *inquiry) atOnce(before, hit audit.Hit) bool {
	return millis(hit.At-before.End) <= c.atOnceMS
}

// twin is the same question on a fresh connection.
func (c *inquiry) twin(q *question) *question {
	for _, other := range c.questions {
		if other.Connection == audit.Fresh && other.Fault.Name == q.Fault.Name && other.Method == q.Method && other.Keyed == q.Keyed {
			return other
		}
	}
	return nil
}

func (q *question) rawMost() int {
	most := 0
	for _, t := range q.trials {
		most = max(most, len(attemptsOf(t)))
	}
	return most
}

// replaysOnFresh finds stacks that repeat once on any connection, as some old ones do:
// where only a connection that dies is tried again, once, at once, and nothing else
// is, not even one that is refused.
func (c *inquiry) replaysOnFresh() {
	var those []*question
	for _, q := range c.questions {
		died := q.Fault.Name == "reset" || q.Fault.Name == "close"
		switch {
		case q.Connection != audit.Fresh || q.Fault.Group == audit.Control:
		case !died && q.rawMost() > 1 && q.Fault.Group != audit.Recovery:
			return
		case died && q.rawMost() > 2:
			return
		case died && q.rawMost() == 2 && q.everyAtOnce(c):
			those = append(those, q)
		}
	}
	for _, q := range those {
		q.replays = 1
		c.replayed(q, 1, true)
	}
	if len(those) > 0 {
		c.undecided("hidden replays: the one at once after a connection that died may also be a policy of two attempts for that alone")
	}
}

func (q *question) everyAtOnce(c *inquiry) bool {
	return !slices.ContainsFunc(q.trials, func(t audit.Trial) bool {
		hits := attemptsOf(t)
		return len(hits) == 2 && !c.atOnce(hits[0], hits[1])
	})
}

func (c *inquiry) replayed(q *question, times int, fresh bool) {
	if c.policy.Hidden == nil {
		c.policy.Hidden = &audit.HiddenReplays{}
	}
	h := c.policy.Hidden
	h.Faults = including(h.Faults, q.Fault.Name)
	m := q.sent
	if q.Keyed {
		m += " with key"
	}
	h.Methods = including(h.Methods, m)
	h.Fresh = h.Fresh || fresh
	h.Times = max(h.Times, times)
}

// including adds a word that is not there yet.
func including(words []string, word string) []string {
	if slices.Contains(words, word) {
		return words
	}
	return append(words, word)
}
