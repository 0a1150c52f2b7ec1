package policy

import (
	"slices"
	"testing"
	"time"
)

// TestBudgetInAnOutage is the part of case A05 that is about budgets: 280 requests
// a second to a service that makes 300, timeouts after 1 s, one retry, and a cut
// from 30 to 40 s. Above a budget of 300/280−1 = 7.14 % the service never recovers;
// the popular 10 % is too much, and a floor undoes even 5 %. (At 5 % the 2940 that
// are waiting at 40 s must become 300, at 300−294 a second.)
func TestBudgetInAnOutage(t *testing.T) {
	if testing.Short() {
		t.Skip("a million events")
	}
	const n, gap = 280 * 600, time.Second / 280
	for _, row := range []struct {
		sentence string
		budget   Budget
		healthy  int // second of the first request after which none fails; 600: never
	}{
		{"5 % recovers", Budget{Ratio: 50, Floor: NoFloor}, 480},
		{"10 % does not", Budget{Ratio: 100, Floor: NoFloor}, 600},
		{"nor 5 % with a floor of 10 a second", Budget{Ratio: 50, Floor: 10}, 600},
	} {
		f := fleet{
			edge: NewEdge(1, []Policy{row.budget.New(), &Retry{Attempts: 2}, &TimeoutAfter{Limit: time.Second}}, false),
			tail: oneQueue(time.Second/300, 30*time.Second, 40*time.Second),
		}
		f.load(n, gap)
		good := make([]bool, n)
		for _, begun := range f.good {
			good[time.Duration(begun)/gap] = true
		}
		healthy := n
		for healthy > 0 && good[healthy-1] {
			healthy--
		}
		equal(t, row.sentence, healthy/280, row.healthy)
		equal(t, row.sentence+": before the cut all are good", slices.Contains(good[:28*280], false), false)
	}
}

// oneQueue serves one after the other, also those that nobody waits for any more,
// and stands still for a while.
func oneQueue(each, from, to time.Duration) func(Action, Instant) (Outcome, time.Duration) {
	var free Instant
	return func(_ Action, now Instant) (Outcome, time.Duration) {
		free = max(free, now)
		if free >= at(from) && free < at(to) {
			free = at(to)
		}
		free = free.Add(each)
		return Status(200), free.Sub(now)
	}
}
