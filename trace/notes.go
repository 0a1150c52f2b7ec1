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
	say("untraced-callers", a.uncalled, "%d requests come from callers without spans: what those repeat counts as requests of its own")
	say("calls-without-request", a.ownCalls, "%d traces begin with a call and not with the request that it was made for: attempts of one such request cannot be told from several requests")
	say("missing-parents", a.orphans, "%d spans name a parent that is not in the files: their paths begin there, and the parts of such a trace are counted apart; take whole traces")
	say("attempts-without-server", all.unheard, "%d attempts have no span of the service that they were sent to: refused, lost on the way, or not recorded")
	say("requests-without-client", bare, "%d requests have no span of the call that they came with: who repeated them is read off their own order")
	say("inferred", all.inferred, "%d retries are inferred: they follow a failed attempt at the same operation, but no http.request.resend_count says that they are one")
	say("overlapping", all.overlapping, "%d attempts began while another one at the same operation ran: hedges, or calls of one kind made at once; spans do not tell")
	say("hidden-replays", all.hidden, "%d requests arrived on top of the first of one attempt: something between caller and service, or the caller's transport, sent it again")
	say("missing-attempts", all.missing, "%d attempts are counted by later ones and not in the files: requests may be more than it says here")
	say("duplicates", a.duplicates, "%d spans are there twice and count once")
	say("loops", a.loops, "%d spans are below themselves and left out: their parents are wrong")
	say("deep", a.deep, "%d calls below 64 services are left out")
	say("paths-left-out", int64(leftOut), "%d paths with a lower amplification are left out")
	return notes
}
