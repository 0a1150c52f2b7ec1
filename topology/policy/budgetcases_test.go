package policy

import (
	"testing"
	"time"
)

// sequence makes calls one after the other that are answered at once, with retries
// that do not rest.
type sequence struct {
	edge     *Edge
	attempts int
	list     []Action
}

func newSequence(b *BudgetState, r *Retry) *sequence {
	return &sequence{edge: NewEdge(1, []Policy{b, r}, true), attempts: r.Attempts}
}

// call makes one whose attempts are answered so; the last answer repeats.
func (q *sequence) call(now Instant, answers ...Outcome) (hits int, answer Outcome) {
	_, q.list = q.edge.Start(Request{}, now, q.list[:0])
	for i := 0; i < len(q.list); i++ {
		switch a := q.list[i]; a.Kind {
		case Send:
			hits++
			q.list = q.edge.Done(a.Ref, answers[min(hits, len(answers))-1], now, q.list)
		case Wake:
			q.list = q.edge.Timer(a.Ref, a.Arming, now, q.list)
		case Answer:
			answer = a.Outcome
		}
	}
	return hits, answer
}

// calls makes so many, a gap apart, and returns the hits.
func (q *sequence) calls(n int, from Instant, gap time.Duration, o Outcome) (hits int) {
	for range n {
		h, _ := q.call(from, o)
		hits += h
		from = from.Add(gap)
	}
	return hits
}

// TestBudgetCutToAWholeNumber is case A09 (1): the ratio is what it says.
func TestBudgetCutToAWholeNumber(t *testing.T) {
	for ratio, retries := range map[int]int{600: 600, 300: 300, 200: 200} {
		q := newSequence(Budget{Ratio: ratio, Floor: NoFloor}.New(), &Retry{Attempts: 2})
		equal(t, "retries", q.calls(1000, 0, ms, unavailable)-1000, retries)
	}
}

// TestBudgetFloor is case A09 (2): the floor is the larger part of the budget where
// requests are few. In the steady state a window of 10 s allows 0.2 × requests + 100.
func TestBudgetFloor(t *testing.T) {
	for _, row := range []struct {
		rate                   int // per second
		amplification, byFloor int // in hundredths; of retries, in percent
	}{
		{1, 1120, 98},
		{100, 130, 33},
		{1000, 121, 4},
	} {
		b := Budget{}.New()
		q := newSequence(b, &Retry{Attempts: 20})
		gap := time.Second / time.Duration(row.rate)
		q.calls(20*row.rate, 0, gap, unavailable)
		before := b.Signals()
		n := 100 * row.rate
		hits := q.calls(n, at(20*time.Second), gap, unavailable)
		equal(t, "amplification", hits*100/n, row.amplification)
		equal(t, "and no more", hits*100%n, 0)
		after := b.Signals()
		equal(t, "by floor", (after.ByFloor-before.ByFloor)*100/(after.Retries-before.Retries), int64(row.byFloor))
		equal(t, "ten times its floor", after.ByFloor-before.ByFloor, 1000)
	}
}

// TestThreeRetriesThenNone is case A10.
func TestThreeRetriesThenNone(t *testing.T) {
	b := Budget{Law: HalfFull}.New()
	q := newSequence(b, &Retry{Attempts: 4})
	hits := make([]int, 4)
	for i := range hits {
		hits[i], _ = q.call(0, unavailable)
	}
	equal(t, "hits of the first calls", [4]int(hits), [4]int{4, 1, 1, 1})
	equal(t, "hits of the others", q.calls(96, 0, 0, unavailable), 96)
	g := b.Signals()
	equal(t, "signals", signalsOf(g), "100 requests, 3 retries, 99 suppressed")
	equal(t, "tokens", g.Tokens, 0)
	for successes, want := range map[int]int{60: 1, 61: 2} {
		b.tokens = 0
		equal(t, "hits", q.calls(successes, 0, 0, Status(200)), successes)
		got, answer := q.call(0, unavailable)
		equal(t, "hits of a failing call", got, want)
		equal(t, "its answer", answer, unavailable)
	}
	q.calls(1000, 0, 0, Status(200))
	equal(t, "a full bucket", b.Signals().Tokens, 10_000)
}

// TestRetriesForEver is case A10: as long as at most 1 of 11 attempts fails.
func TestRetriesForEver(t *testing.T) {
	for _, row := range []struct {
		good    int // good calls for each whose first attempt fails
		retries int64
	}{{9, 1000}, {8, 40}} {
		b := Budget{Law: HalfFull}.New()
		q := newSequence(b, &Retry{Attempts: 2})
		for range 1000 {
			q.calls(row.good, 0, 0, Status(200))
			q.call(0, unavailable, Status(200))
		}
		equal(t, "retries", b.Signals().Retries, row.retries)
	}
}
