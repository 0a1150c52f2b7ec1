package live

import (
	"labctl/report"
	"labctl/topology/policy"
)

// collect puts what the clients, edges and services saw into the books, and
// turns those into a variant.
func collect(l *lab, h *herd, cause error) (report.Variant, []report.Warning) {
	books := l.books
	for i, e := range l.edges {
		books.Sent(i, e.sent)
		books.Took(i, e.took)
		for note, times := range e.notes {
			for range times {
				books.Note(i, policy.Note(note))
			}
		}
	}
	for i, s := range l.services {
		for _, hit := range l.hits(i) {
			books.Arrive(i, policy.Instant(hit.at), hit.trail.first)
			if len(s.replicas) > 1 {
				books.Replica(i, hit.replica)
			}
		}
	}
	h.calls.each(func(c *ended) {
		books.Begun(c.route)
		books.Ended(c.route, c.outcome, c.start, c.end)
	})
	fates(books, l)
	v, warnings := books.Variant("live")
	v.SpreadMS = spread(l, h)
	if l.trace {
		v.Tree = tree(l)
	}
	return v, append(warnings, doubts(l, h, v, cause)...)
}
