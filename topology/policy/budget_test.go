package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// signalsOf writes what a budget did, without the zeros.
func signalsOf(g BudgetSignals) string {
	words := []string{fmt.Sprintf("%d requests", g.Requests)}
	for _, c := range []struct {
		name string
		n    int64
	}{{"retries", g.Retries}, {"by floor", g.ByFloor}, {"suppressed", g.Suppressed}} {
		if c.n != 0 {
			words = append(words, fmt.Sprintf("%d %s", c.n, c.name))
		}
	}
	return strings.Join(words, ", ")
}

// hitsOfAll lists how often each call reached the service.
func (d *driver) hitsOfAll() string {
	words := make([]string, len(d.calls))
	for i, c := range d.calls {
		words[i] = fmt.Sprint(len(c.sends))
	}
	return strings.Join(words, " ")
}

// idleNow fails the test unless every call and every grant came back.
func (s *BudgetState) idleNow(t *testing.T, d *driver) {
	t.Helper()
	equal(t, "requests in flight", s.requests, 0)
	equal(t, "retries in flight", s.extra, 0)
	equal(t, "calls", d.edge.Calls(), 0)
	equal(t, "faults", strings.Join(d.faults, "; "), "")
}

// budgetRow is one sentence of the specification: a budget outside a retry without
// rests.
type budgetRow struct {
	sentence string
	budget   Budget
	attempts int
	visits   string
	hits     string // of each call
	signals  string
}

func (r budgetRow) run(t *testing.T) {
	t.Run(r.sentence, func(t *testing.T) {
		b := r.budget.New()
		visits := parseVisits(r.visits)
		d := visiting(true, visits, b, &Retry{Attempts: r.attempts})
		d.run(horizon)
		equal(t, "hits", d.hitsOfAll(), r.hits)
		equal(t, "signals", signalsOf(b.Signals()), r.signals)
		for i, c := range d.calls { // the service's own answer, at once
			equal(t, "answer", c.result(), visits[i].outcome.String()+" at "+seconds(at(visits[i].at+visits[i].takes*time.Duration(len(c.sends)))))
		}
		b.idleNow(t, d)
	})
}

func TestBudgetDeposit(t *testing.T) {
	half := Budget{Ratio: 500, Floor: NoFloor}
	for _, r := range []budgetRow{
		{"a retry needs two requests at one half, and not one", half, 2, "0 503, 1 503, 2 503, 3 503", "1 2 1 2", "4 requests, 2 retries, 2 suppressed"},
		{"good calls pay for the retries of others", half, 9, "0 200, 1 200, 2 200, 3 503", "1 1 1 3", "4 requests, 2 retries, 1 suppressed"},
		{"a good call and one that cannot be cured ask for nothing", half, 9, "0 200, 1 404", "1 1", "2 requests"},
		{"a request counts until the window is over", half, 2, "0 200, 9.999999999 503", "1 2", "2 requests, 1 retries"},
		{"and not at its end", half, 2, "0 200, 10 503", "1 1", "2 requests, 1 suppressed"},
		{"also when nothing has come since", Budget{Ratio: 1000, Floor: NoFloor}, 2, "0 503 +10", "1", "1 requests, 1 suppressed"},
		{"a window goes on by a tenth", half, 2, "0.9 200, 10 503", "1 1", "2 requests, 1 suppressed"},
		{"the floor lets quiet clients retry", Budget{Ratio: NoShare, Floor: 1, Window: 2 * time.Second}, 2,
			"0 503, 0.1 503, 0.2 503, 2 503", "2 2 1 2", "4 requests, 3 retries, 3 by floor, 1 suppressed"},
		{"floor and share are added up before they are cut", Budget{Ratio: 500, Floor: 1, Window: 500 * ms}, 2, "0 503", "2", "1 requests, 1 retries, 1 by floor"},
		{"neither floor nor share is no retry", Budget{Ratio: NoShare, Floor: NoFloor}, 3, "0 503, 1 503", "1 1", "2 requests, 2 suppressed"},
		{"the defaults are 20 %, 10 a second, 10 s: 100 for one request", Budget{}, 999, "0 503", "101", "1 requests, 100 retries, 100 by floor, 1 suppressed"},
		{"101 for five, of which one is the share's", Budget{}, 999, "0 200, 0 200, 0 200, 0 200, 1 503", "1 1 1 1 102", "5 requests, 101 retries, 100 by floor, 1 suppressed"},
		{"a ratio above one gives a request several", Budget{Ratio: 2500, Floor: NoFloor}, 9, "0 503, 1 503", "3 4", "2 requests, 5 retries, 2 suppressed"},
	} {
		r.run(t)
	}
}

func TestBudgetTokens(t *testing.T) {
	tens := Budget{Law: Tokens, Tokens: 10}
	for _, r := range []budgetRow{
		{"the defaults are 100 retries at once, and then none", Budget{Law: Tokens}, Unlimited, "0 503, 1 503", "101 1", "2 requests, 100 retries, 2 suppressed"},
		{"a retry after a timeout costs twice", Budget{Law: Tokens}, Unlimited, "0 timeout, 1 503", "51 1", "2 requests, 50 retries, 2 suppressed"},
		{"it is asked for its own cost: with 5 left no timeout is retried", Budget{Law: Tokens, Tokens: 15}, 2, "0 timeout, 1 timeout, 2 503", "2 1 2", "3 requests, 2 retries, 1 suppressed"},
		{"four good calls do not buy a retry", tens, 3, "0 503, 1 200, 2 200, 3 200, 4 200, 5 503", "3 1 1 1 1 1", "6 requests, 2 retries, 1 suppressed"},
		{"five do", tens, 3, "0 503, 1 200, 2 200, 3 200, 4 200, 5 200, 6 503", "3 1 1 1 1 1 2", "7 requests, 3 retries, 1 suppressed"},
		{"the bucket does not overflow", tens, 9, "0 200, 1 200, 2 200, 3 200, 4 200, 5 503", "1 1 1 1 1 3", "6 requests, 2 retries, 1 suppressed"},
		{"costs may be set", Budget{Law: Tokens, Tokens: 10, Cost: 3, TimeoutCost: 4}, 9, "0 timeout, 1 503", "3 1", "2 requests, 2 retries, 2 suppressed"},
	} {
		r.run(t)
	}
}

// TestTokensComeBack: a retry that succeeds brings back what it cost, be that for a
// timeout or not, and nothing else.
func TestTokensComeBack(t *testing.T) {
	for _, row := range []struct {
		sentence string
		answers  []Outcome
		hits     int
		tokens   int64
	}{
		{"the first is good: the bucket is full already", []Outcome{Status(200)}, 1, 20_000},
		{"the second is good", []Outcome{unavailable, Status(200)}, 2, 20_000},
		{"the third is good: what the second cost is gone", []Outcome{unavailable, unavailable, Status(200)}, 3, 15_000},
		{"good after a timeout", []Outcome{Failed(Timeout), Status(200)}, 2, 20_000},
		{"good after a failure after a timeout", []Outcome{Failed(Timeout), unavailable, Status(200)}, 3, 10_000},
		{"good after a timeout after a failure", []Outcome{unavailable, Failed(Timeout), Status(200)}, 3, 15_000},
		{"a 404 is no success", []Outcome{unavailable, Status(404)}, 2, 15_000},
	} {
		b := Budget{Law: Tokens, Tokens: 20}.New()
		c := alone([]Policy{b, &Retry{Attempts: 9}}, plan(row.answers...), horizon)
		equal(t, row.sentence+": hits", len(c.sends), row.hits)
		equal(t, row.sentence+": tokens", b.Signals().Tokens, row.tokens)
	}
}

func TestBudgetHalfFull(t *testing.T) {
	four := Budget{Law: HalfFull, Tokens: 4, Ratio: 250}
	for _, r := range []budgetRow{
		{"3 tokens of 4 are more than half, 2 are not", four, 9, "0 503", "2", "1 requests, 1 retries, 1 suppressed"},
		{"four successes at a quarter are one token, and the next failure takes it", four, 9, "0 503, 1 200, 2 200, 3 200, 4 200, 5 503",
			"2 1 1 1 1 1", "6 requests, 1 retries, 2 suppressed"},
		{"five are a little more", four, 9, "0 503, 1 200, 2 200, 3 200, 4 200, 4.5 200, 5 503", "2 1 1 1 1 1 2", "7 requests, 2 retries, 2 suppressed"},
		{"what no retry can cure is not counted", four, 9, "0 404, 1 404, 2 404, 3 503", "1 1 1 2", "4 requests, 1 retries, 1 suppressed"},
		{"a bucket is never larger than 1000", Budget{Law: HalfFull, Tokens: 5000}, Unlimited, "0 503", "500", "1 requests, 499 retries, 1 suppressed"},
		{"an odd bucket has a half, too: 2 of 3 are above it", Budget{Law: HalfFull, Tokens: 3}, 9, "0 503", "2", "1 requests, 1 retries, 1 suppressed"},
	} {
		r.run(t)
	}
}

func TestBudgetPerRequest(t *testing.T) {
	for _, r := range []budgetRow{
		{"while no tenth of the requests are retries, the first has one", Budget{Law: PerRequest}, 9, "0 503, 1 503", "2 1", "2 requests, 1 retries, 2 suppressed"},
		{"three attempts for one request", Budget{Law: PerRequest, Ratio: 5000}, 9, "0 503, 1 503", "3 3", "2 requests, 4 retries, 2 suppressed"},
		{"or as many as are set", Budget{Law: PerRequest, Ratio: 5000, Attempts: 4}, 9, "0 503, 1 503", "4 4", "2 requests, 6 retries, 2 suppressed"},
		{"exactly a tenth is not below it", Budget{Law: PerRequest}, 2, "0 503, 1 200, 2 200, 3 200, 4 200, 5 200, 6 200, 7 200, 8 200, 9 503, 10 503",
			"2 1 1 1 1 1 1 1 1 1 2", "11 requests, 2 retries, 1 suppressed"},
		{"after two minutes all is forgotten", Budget{Law: PerRequest}, 2, "0 503, 119.9 503, 120 503", "2 1 2", "3 requests, 2 retries, 1 suppressed"},
	} {
		r.run(t)
	}
}

// TestBudgetActive: calls that fail together after a second.
func TestBudgetActive(t *testing.T) {
	slow := always(unavailable).taking(time.Second)
	for _, row := range []struct {
		sentence string
		budget   Budget
		calls    int
		retry    Retry
		hits     int
		signals  string
	}{
		{"30 in flight are 6 retries in flight", Budget{Law: Active}, 30, Retry{Attempts: 2}, 36, "30 requests, 6 retries, 24 suppressed"},
		{"10 would be 2, but the floor is 3", Budget{Law: Active}, 10, Retry{Attempts: 2}, 13, "10 requests, 3 retries, 1 by floor, 7 suppressed"},
		{"the greater of the two, not both", Budget{Law: Active, Floor: 6}, 30, Retry{Attempts: 2}, 36, "30 requests, 6 retries, 24 suppressed"},
		{"without a floor one alone has none", Budget{Law: Active, Floor: NoFloor}, 4, Retry{Attempts: 2}, 4, "4 requests, 4 suppressed"},
		{"a retry that has ended makes room for the next", Budget{Law: Active}, 3, Retry{Attempts: 5}, 15, "3 requests, 12 retries, 12 by floor"},
		{"one that rests does not", Budget{Law: Active, Ratio: NoShare, Floor: 1}, 2, Retry{Attempts: 2, Rest: Rest{Base: time.Second}}, 3, "2 requests, 1 retries, 1 by floor, 1 suppressed"},
	} {
		b := row.budget.New()
		d := newDriver([]Policy{b, &row.retry}, true, slow)
		d.line(row.calls, 0)
		d.run(horizon)
		equal(t, row.sentence+": hits", d.allHits(), row.hits)
		equal(t, row.sentence+": signals", signalsOf(b.Signals()), row.signals)
		b.idleNow(t, d)
	}
}
