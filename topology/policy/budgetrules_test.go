package policy

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// never grants nothing, ever grants what anybody asks for.
var (
	never = Budget{Ratio: NoShare, Floor: NoFloor}
	ever  = Budget{Ratio: mostRatio}
)

// TestBudgetAndItsPlace: who asks which budget.
func TestBudgetAndItsPlace(t *testing.T) {
	three := func() Policy { return &Retry{Attempts: 3} }
	for _, row := range []struct {
		sentence string
		stack    []Policy
		hits     int
	}{
		{"without a budget all are made", []Policy{three()}, 3},
		{"a retry asks the budget around it", []Policy{never.New(), three()}, 1},
		{"wherever that is", []Policy{never.New(), &TimeoutAfter{Limit: time.Minute}, three()}, 1},
		{"and not one inside it", []Policy{three(), never.New()}, 3},
		{"not even at the second attempt of two layers", []Policy{three(), never.New(), three()}, 3},
		{"both of two retries ask it", []Policy{never.New(), three(), three()}, 1},
		{"of two budgets the outermost is asked, by all inside", []Policy{never.New(), three(), ever.New(), three()}, 1},
		{"which may be the generous one", []Policy{ever.New(), three(), never.New(), three()}, 9},
		{"a budget for another route is not there", []Policy{&Only{Policy: never.New(), Route: 1}, three()}, 3},
		{"one for this route is", []Policy{&Only{Policy: never.New(), Route: 0}, three()}, 1},
		{"a hedge asks the budget around it", []Policy{never.New(), Hedge{}.New()}, 1},
		{"and not one inside it", []Policy{Hedge{}.New(), never.New()}, 2},
	} {
		c := alone(row.stack, always(unavailable), horizon)
		equal(t, row.sentence+": hits", len(c.sends), row.hits)
		equal(t, row.sentence+": answer", c.result(), "503 at 0")
		equal(t, row.sentence+": notes", len(c.notes), 0)
	}
}

// TestAttemptsAreToldOnce: of layers around each other only the innermost says how
// attempts end, since to the others several are one.
func TestAttemptsAreToldOnce(t *testing.T) {
	two := func() Policy { return &Retry{Attempts: 2} }
	for _, row := range []struct {
		sentence string
		stack    []Policy
		hits     int
	}{
		{"a retry", []Policy{two()}, 2},
		{"a retry of retries", []Policy{two(), two()}, 4},
		{"a hedge", []Policy{Hedge{Max: 3}.New()}, 3},
		{"copies of retries", []Policy{Hedge{Max: 3}.New(), two()}, 6},
		{"a retry inside that is for another route", []Policy{two(), &Only{Policy: two(), Route: 1}}, 2},
	} {
		b := Budget{Law: HalfFull, Tokens: 1000}.New()
		d := newDriver(append([]Policy{b}, row.stack...), true, always(unavailable).taking(time.Second))
		c := d.start(0, Request{})
		d.run(horizon)
		equal(t, row.sentence+": hits", len(c.sends), row.hits)
		equal(t, row.sentence+": tokens", b.Signals().Tokens, int64(1000-row.hits)*thousand)
		b.idleNow(t, d)
	}
}

// TestSuccessesAreToldOnce, likewise.
func TestSuccessesAreToldOnce(t *testing.T) {
	for law, want := range map[BudgetLaw]int64{Tokens: thousand, HalfFull: 100} {
		b := Budget{Law: law}.New()
		b.tokens = 0
		alone([]Policy{b, Hedge{Delay: time.Second}.New(), &Retry{Attempts: 2}, &Retry{Attempts: 2}}, always(Status(200)), horizon)
		equal(t, fmt.Sprint("law ", law), b.Signals().Tokens, want)
	}
}

// TestNothingIsGrantedToTheLeaving: a caller that has left needs no retry, however
// the attempt that was to stop then ends; nor does one that begins too late.
func TestNothingIsGrantedToTheLeaving(t *testing.T) {
	b := Budget{Law: Active}.New()
	e := NewEdge(1, []Policy{b, &Retry{Attempts: 3}}, true)
	root, list := e.Start(Request{}, 0, nil)
	send := list[0].Ref
	e.Cancel(root, 1, nil)
	e.Done(send, unavailable, 2, nil)
	equal(t, "left: grants", b.signals.Retries+b.extra, 0)

	b = Budget{Law: Active}.New()
	stack := []Policy{&Within{Limit: time.Second, Check: true}, Bulkhead{Limit: 1}.New(), b, &Retry{Attempts: 1}}
	d := newDriver(stack, true, always(Status(200)).taking(2*time.Second))
	calls := d.line(2, 0)
	d.run(horizon)
	equal(t, "late: answers", results(calls), "200 at 2, timeout at 2")
	b.idleNow(t, d)
}

// TestGrantsComeBack: whatever becomes of the attempt that was granted.
func TestGrantsComeBack(t *testing.T) {
	slow := always(unavailable).taking(time.Second)
	rest := Rest{Base: time.Second}
	stop := Rest{Base: time.Second, Backoff: Backoff{Growth: Exponential}, Cap: 500 * ms, AtCap: Stop}
	for _, row := range []struct {
		sentence string
		outside  Policy
		inside   []Policy
		leaves   time.Duration
		hits     string
		retries  int64
	}{
		{"the caller leaves in an attempt", &TimeoutAfter{Limit: time.Minute}, []Policy{&Retry{Attempts: 3, Rest: rest}}, 2500 * ms, "0 2", 1},
		{"in a rest", &TimeoutAfter{Limit: time.Minute}, []Policy{&Retry{Attempts: 3, Rest: rest}}, 1500 * ms, "0", 1},
		{"in a rest that is in vain, for which nothing was granted", &TimeoutAfter{Limit: time.Minute}, []Policy{&Retry{Attempts: 3, Rest: stop}}, 1100 * ms, "0", 0},
		{"a timeout comes in an attempt", &TimeoutAfter{Limit: 2500 * ms}, []Policy{&Retry{Attempts: 3, Rest: rest}}, 0, "0 2", 1},
		{"in a rest", &TimeoutAfter{Limit: 1500 * ms}, []Policy{&Retry{Attempts: 3, Rest: rest}}, 0, "0", 1},
		{"the caller leaves two policies further out", &TimeoutAfter{Limit: time.Minute}, []Policy{&Retry{Attempts: 3, Rest: rest}, &TimeoutAfter{Limit: time.Minute}}, 2500 * ms, "0 2", 1},
		{"copies are running", &TimeoutAfter{Limit: 700 * ms}, []Policy{Hedge{Delay: 200 * ms, Max: 3}.New()}, 0, "0 0.2 0.4", 2},
	} {
		b := Budget{Law: Active}.New()
		d := newDriver(append([]Policy{b, row.outside}, row.inside...), true, slow)
		c := d.start(0, Request{})
		if row.leaves > 0 {
			d.cancel(at(row.leaves), c)
		}
		d.run(horizon)
		equal(t, row.sentence+": hits", c.hits(), row.hits)
		equal(t, row.sentence+": retries", b.Signals().Retries, row.retries)
		b.idleNow(t, d)
	}
}

// TestLateGrantComesBack: a real timer is late, and so the rest ends when it is too
// late for the attempt.
func TestLateGrantComesBack(t *testing.T) {
	b := Budget{Law: Active}.New()
	e := NewEdge(1, []Policy{&Within{Limit: time.Second, Check: true}, b, &Retry{Attempts: 3, Rest: Rest{Base: 500 * ms}}}, true)
	_, list := e.Start(Request{}, 0, nil)
	wake := e.Done(list[0].Ref, unavailable, 1, nil)[0]
	equal(t, "in flight", b.extra, 1)
	equal(t, "late", script(e.Timer(wake.Ref, wake.Arming, at(2*time.Second), nil)), "late, answer timeout, end")
	equal(t, "in flight", b.extra, 0)
}

// TestDepositIsExact compares with the law itself, over lists of what happened.
func TestDepositIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Budget{Ratio: rapid.IntRange(1, 1500).Draw(t, "ratio"), Floor: rapid.SampledFrom([]int{NoFloor, 1, 3}).Draw(t, "floor"), Window: time.Second}
		b := s.New()
		q := newSequence(b, &Retry{Attempts: rapid.IntRange(2, 6).Draw(t, "attempts")})
		requests, retries := map[int64]int64{}, map[int64]int64{}
		now, want := Instant(0), 0
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			now = now.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "gap")) * ms)
			part := int64(now) / int64(100*ms)
			requests[part]++
			for want = 1; want < q.attempts; want++ {
				var held, sent int64
				for p := part - 9; p <= part; p++ {
					held, sent = held+requests[p], sent+retries[p]
				}
				if (sent+1)*1000 > int64(s.Ratio)*held+int64(max(s.Floor, 0))*1000 {
					break
				}
				retries[part]++
			}
			if hits, _ := q.call(now, unavailable); hits != want {
				t.Fatalf("at %s: %d hits, want %d", seconds(now), hits, want)
			}
		}
	})
}

// TestTokensStayInTheBucket: whatever comes, under every law.
func TestTokensStayInTheBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyBudget(t)
		s.Law = rapid.SampledFrom([]BudgetLaw{Tokens, HalfFull}).Draw(t, "with tokens")
		b := s.New()
		q := newSequence(b, &Retry{Attempts: 3})
		for now := range rapid.IntRange(1, 200).Draw(t, "calls") {
			q.call(Instant(now), rapid.SampledFrom([]Outcome{Status(200), unavailable, Failed(Timeout), Status(404)}).Draw(t, "answer"))
			if n := b.Signals().Tokens; n < 0 || n > int64(b.Tokens)*thousand {
				t.Fatalf("%d tokens of %d", n, b.Tokens*thousand)
			}
		}
	})
}

// TestBudgetsAllocateNothing, under every law.
func TestBudgetsAllocateNothing(t *testing.T) {
	for law := range budgetLaws {
		b := Budget{Law: law, Ratio: 1500}.New()
		e := NewEdge(1, append([]Policy{b}, usual()...), true)
		list := failThrice(e, 1, nil)
		var luck Luck
		equal(t, fmt.Sprint("law ", law), testing.AllocsPerRun(1000, func() {
			luck++
			list = failThrice(e, luck, list)
		}), 0)
		equal(t, "calls", e.Calls(), 0)
		equal(t, "in flight", b.requests+b.extra, 0)
	}
}

// TestBudgetDefaults: what a law uses where nothing is said, and the bounds.
func TestBudgetDefaults(t *testing.T) {
	all := func(law BudgetLaw, n int) Budget {
		return Budget{Law: law, Ratio: n, Floor: n, Window: time.Duration(n), Tokens: n, Cost: n, TimeoutCost: n, Attempts: n}
	}
	for _, row := range []struct{ given, want Budget }{
		{Budget{}, Budget{Ratio: 200, Floor: 10, Window: 10 * time.Second}},
		{Budget{Law: Active}, Budget{Law: Active, Ratio: 200, Floor: 3}},
		{Budget{Law: Tokens}, Budget{Law: Tokens, Tokens: 500, Cost: 5, TimeoutCost: 10}},
		{Budget{Law: HalfFull}, Budget{Law: HalfFull, Tokens: 10, Ratio: 100}},
		{Budget{Law: PerRequest}, Budget{Law: PerRequest, Ratio: 100, Window: 2 * time.Minute, Attempts: 3}},
		{all(Deposit, 7), all(Deposit, 7)},
		{Budget{Ratio: NoShare, Floor: NoFloor, Window: 2 * time.Hour}, Budget{Window: time.Hour}},
		{Budget{Ratio: mostRatio + 1, Floor: mostFloor + 1, Tokens: mostTokens + 1}, Budget{Ratio: mostRatio, Floor: mostFloor, Tokens: mostTokens, Window: 10 * time.Second}},
		{Budget{Law: HalfFull, Tokens: 1001, Ratio: 1}, Budget{Law: HalfFull, Tokens: 1000, Ratio: 1}},
	} {
		equal(t, fmt.Sprintf("%+v", row.given), row.given.New().Budget, row.want)
	}
}
