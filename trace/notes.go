package trace

import "fmt"

// notes says what could not be decided and what the traces do not hold.
func (a *analysis) notes(leftOut int) []Note {
	notes := []Note{}
	say := func(code string, n int64, format string) {
		if n > 0 {
			notes = append(notes, Note{code, n, fmt.Sprintf(format, n)})
		}
	}
	var all repeats
	all.on = map[string]int64{}
	var bare int64
	for _, w := range a.ways {
		bare += w.bare
	}
	for _, l := range a.layers {
		all.add(&l.repeats)
	}
	say("untraced-callers", a.uncalled, "requests whose callers have no spans: %d. What those repeat counts as requests of its own")
	say("calls-without-request", a.ownCalls, "traces that begin with a call and not with the request that it was made for: %d. Attempts of one such request cannot be told from several requests")
	say("missing-parents", a.orphans, "spans whose parent is not in the files: %d. Their paths begin there, and the parts of such a trace are counted apart: take whole traces")
	say("attempts-without-server", all.unheard, "attempts without a span of the service that they were sent to: %d. They were refused, lost on the way, or not recorded")
	say("requests-without-client", bare, "requests without a span of the call that they came with: %d. Who repeated them is read off their own order")
	say("inferred", all.inferred, "retries that are inferred: %d. They follow a failed attempt at the same operation, but no http.request.resend_count says that they are one")
	say("overlapping", all.overlapping, "attempts that began while another one at the same operation ran: %d. Hedges, or calls of one kind made at once: spans do not tell")
	say("hidden-replays", all.hidden, "requests that arrived on top of the first of one attempt: %d. Something between caller and service, or the caller's transport, sent it again")
	say("missing-attempts", all.missing, "attempts that later ones count and that are not in the files: %d. There were more requests than it says here")
	say("duplicates", a.duplicates, "spans that are there twice, and count once: %d")
	say("loops", a.loops, "spans that are below themselves, and left out: %d. Their parents are wrong")
	say("deep", a.deep, "calls below 64 services, which are left out: %d")
	say("paths-left-out", int64(leftOut), "paths with a lower amplification, which are left out: %d")
	return notes
}
