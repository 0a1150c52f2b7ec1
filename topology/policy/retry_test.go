package policy

import (
	"strings"
	"testing"
	"time"
)

// TestMaxElapsed is case A06: a limit on all attempts together is tested before
// the rest or with it, and a timeout of each attempt bounds no whole at all.
func TestMaxElapsed(t *testing.T) {
	const s = time.Second
	retry := func(attempts int, limit time.Duration, rule ElapsedRule) *Retry {
		return &Retry{Attempts: attempts, Rest: doubling, MaxElapsed: limit, Rule: rule}
	}
	for _, row := range []struct {
		sentence     string
		stack        []Policy
		tail         tail
		hits, answer string
	}{
		{"A06 (1): tested before the rest, 10 s become 15", []Policy{retry(11, 10*s, BeforeRest)}, always(unavailable), "0 1 3 7 15", "503 at 15"},
		{"A06 (2): tested with the rest, 10 s become 7", []Policy{retry(11, 10*s, AfterRest)}, always(unavailable), "0 1 3 7", "503 at 7"},
		{"A06 (3): 2 s for each attempt are 15 s", []Policy{retry(4, 0, AfterRest), &TimeoutAfter{Limit: 2 * s}}, always(Status(200)).taking(hang), "0 3 7 13", "timeout at 15"},
		{"before the rest, the limit itself is over", []Policy{retry(11, 7*s, BeforeRest)}, always(unavailable), "0 1 3 7", "503 at 7"},
		{"before the rest, just before the limit is not", []Policy{retry(11, 7*s+1, BeforeRest)}, always(unavailable), "0 1 3 7 15", "503 at 15"},
		{"with the rest, the limit itself is within", []Policy{retry(11, 7*s, AfterRest)}, always(unavailable), "0 1 3 7", "503 at 7"},
		{"with the rest, a nanosecond less is not", []Policy{retry(11, 7*s-1, AfterRest)}, always(unavailable), "0 1 3", "503 at 3"},
		{"a limit below the first rest allows one attempt", []Policy{retry(11, s/2, AfterRest)}, always(unavailable), "0", "503 at 0"},
		{"before the rest it allows two", []Policy{retry(11, s/2, BeforeRest)}, always(unavailable), "0 1", "503 at 1"},
		{"attempts count as well", []Policy{retry(11, 10*s, AfterRest)}, always(unavailable).taking(3 * s), "0 4 9", "503 at 12"},
		{"and are not interrupted", []Policy{retry(11, 10*s, AfterRest)}, always(unavailable).taking(20 * s), "0", "503 at 20"},
		{"attempts may be used up first", []Policy{retry(2, 10*s, AfterRest)}, always(unavailable), "0 1", "503 at 1"},
		{"0 is no limit", []Policy{retry(7, 0, AfterRest)}, always(unavailable), "0 1 3 7 15 31 63", "503 at 63"},
		{"no rest is begun in vain", []Policy{&Retry{Attempts: 9, Rest: capped(Stop), MaxElapsed: 60 * s}}, always(unavailable), "0 1 3 7 15 31", "503 at 31"},
		{"it counts from the start of the call, whoever is around", []Policy{&Retry{Attempts: 2, Rest: Rest{Base: 5 * s}}, retry(9, 10*s, AfterRest)},
			always(unavailable), "0 1 3 7 12", "503 at 12"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			c := alone(row.stack, row.tail, horizon)
			equal(t, "hits", c.hits(), row.hits)
			equal(t, "answer", c.result(), row.answer)
			equal(t, "rests in vain", strings.Count(strings.Join(c.notes, ","), "wasted"), 0)
			equal(t, "ends", c.ends, 1)
		})
	}
}

// TestMaxElapsedCountsFromTheCall: and not from the start of the run.
func TestMaxElapsedCountsFromTheCall(t *testing.T) {
	r := &Retry{Attempts: 11, Rest: doubling, MaxElapsed: 10 * time.Second}
	d := newDriver([]Policy{r}, true, always(unavailable))
	calls := []*call{d.start(at(100*time.Second), Request{}), d.start(at(102*time.Second), Request{})}
	d.run(horizon)
	equal(t, "first", calls[0].hits(), "100 101 103 107")
	equal(t, "second", calls[1].hits(), "102 103 105 109")
}
