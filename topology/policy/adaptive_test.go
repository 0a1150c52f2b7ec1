package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// ended lets n calls in at an instant and ends them all, some time later.
func (s *AdaptiveState) ended(n int, o Outcome, start, end time.Duration) (admitted int) {
	frames := make([]Frame, n)
	var in []*Frame
	for i := range frames {
		if s.On(&frames[i], Event{Kind: Start}, at(start)).Do == Call {
			in = append(in, &frames[i])
		}
	}
	for _, f := range in {
		s.On(f, Event{Kind: Done, Outcome: o}, at(end))
	}
	return len(in)
}

func over(s *AdaptiveState) string {
	var words []string
	for _, l := range s.Signals().Over {
		words = append(words, fmt.Sprintf("%d at %s", l.Limit, seconds(l.At)))
	}
	return strings.Join(words, ", ")
}

// TestAdaptiveRejects: what is beyond the limit is sent away at once.
func TestAdaptiveRejects(t *testing.T) {
	a := Adaptive{Initial: 2, Target: 2 * time.Second}.New()
	d := newDriver([]Policy{a}, true, always(Status(200)).taking(time.Second))
	calls := append(d.line(3, 0), d.line(2, at(time.Second))...)
	d.run(horizon)
	equal(t, "answers", results(calls), "200 at 1, 200 at 1, rejected at 0, 200 at 2, 200 at 2")
	s := a.Signals()
	equal(t, "admitted, rejected", fmt.Sprint(s.Admitted, s.Rejected), "4 1")
	equal(t, "in flight", a.inFlight, 0)
}

// TestAdaptiveLearns: what each answer does to a limit of 10 of which all is in
// use. Ten calls begin at 0 and end together; Target is 1 s.
func TestAdaptiveLearns(t *testing.T) {
	const bad, good, nothing = 9000, 10_490, 10_000 // thousandths; good: the last 5 find more than half of it free
	for _, row := range []struct {
		sentence string
		outcome  Outcome
		takes    time.Duration
		want     int64
	}{
		{"good answers add a tenth each", Status(200), 500 * ms, good},
		{"an answer on time is good", Status(200), time.Second, good},
		{"a late one is bad; ten at once are one cut", Status(200), time.Second + 1, bad},
		{"an early failure is bad", Status(503), 0, bad},
		{"500 is", Status(500), 0, bad},
		{"429 is", Status(429), 0, bad},
		{"404 is as good as 200", Status(404), 0, good},
		{"a timeout is bad", Failed(Timeout), 0, bad},
		{"a reset is bad", Failed(Reset), 0, bad},
		{"refused is bad", Failed(Refused), 0, bad},
		{"an answer from stock is bad: the service failed", Failed(Degraded), 0, bad},
		{"a caller that left teaches nothing", Failed(Cancelled), 2 * time.Second, nothing},
		{"a rejection from inside teaches nothing", Failed(Rejected), 2 * time.Second, nothing},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			a := Adaptive{Initial: 10, Target: time.Second}.New()
			equal(t, "admitted", a.ended(11, row.outcome, 0, row.takes), 10)
			equal(t, "limit", a.limit, row.want)
			equal(t, "in flight", a.inFlight, 0)
		})
	}
}

// TestAdaptiveIdle: a limit that is not half used learns nothing from good
// answers, or a quiet night would lift it beyond what the day can bear.
func TestAdaptiveIdle(t *testing.T) {
	for calls, want := range map[int]int64{1: 10_000, 4: 10_000, 5: 10_100} {
		a := Adaptive{Initial: 10, Target: time.Second}.New()
		a.ended(calls, Status(200), 0, 0)
		equal(t, fmt.Sprint(calls, " in flight"), a.limit, want)
	}
}

// TestAdaptiveCuts: at most once per Target, however many bad answers come.
func TestAdaptiveCuts(t *testing.T) {
	a := Adaptive{Initial: 100, Target: time.Second, Decrease: 50, Min: 20}.New()
	for tenth := range 35 {
		now := time.Duration(tenth) * 100 * ms
		a.ended(1, unavailable, now, now)
	}
	equal(t, "over time", over(a), "50 at 0, 25 at 1, 20 at 2")
	s := a.Signals()
	equal(t, "lowest, highest, swings", fmt.Sprint(s.Lowest, s.Highest, s.Swings), "20 50 0")
}

// TestAdaptiveBounds: floor, ceiling and defaults.
func TestAdaptiveBounds(t *testing.T) {
	for _, row := range []struct {
		sentence            string
		settings            Adaptive
		limit, worst, after int // at first, after long trouble, after a long good time
	}{
		{"the defaults: 20, and a floor of 1", Adaptive{Increase: 100}, 20, 1, 199},
		{"a floor and a ceiling", Adaptive{Initial: 10, Min: 5, Max: 15}, 10, 5, 15},
		{"the start lies between them", Adaptive{Initial: 99, Min: 5, Max: 15}, 15, 5, 15},
		{"and so does the default", Adaptive{Min: 30}, 30, 30, 60},
		{"a cut of all leaves the floor", Adaptive{Decrease: 100}, 20, 1, 64},
		{"a ceiling below the floor is the floor", Adaptive{Min: 4, Max: 2}, 4, 4, 4},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			row.settings.Target = ms
			a := row.settings.New()
			s := a.Signals()
			equal(t, "at first", fmt.Sprint(s.Limit, s.Lowest, s.Highest), fmt.Sprint(row.limit, row.limit, row.limit))
			for i := range 100 {
				a.ended(1, unavailable, time.Duration(i)*ms, time.Duration(i)*ms)
			}
			equal(t, "worst", a.Signals().Limit, row.worst)
			for i := range 200 {
				a.ended(100, Status(200), time.Duration(100+i)*ms, time.Duration(100+i)*ms)
			}
			if got := a.Signals().Limit; got < row.after {
				t.Errorf("after: got %d, want %d or more", got, row.after)
			}
			equal(t, "floor and ceiling", a.Signals().Limit <= a.Max && a.Min >= 1, true)
		})
	}
}

// TestAdaptiveGrowsByOnePerRound: also where one answer adds less than a
// thousandth.
func TestAdaptiveGrowsByOnePerRound(t *testing.T) {
	for _, limit := range []int{1, 10, 3000} {
		a := Adaptive{Initial: limit, Target: time.Second}.New()
		a.inFlight = limit // others, so that all is in use
		for range limit + 1 {
			a.learn(Status(200), 0, 0)
		}
		equal(t, fmt.Sprint("from ", limit), a.Signals().Limit, limit+1)
	}
}

// TestUnguardedSwings: without a floor, a ceiling and a slow recovery, a limit
// falls to 1 at the first bad seconds and shoots up at the first good one. With
// the defaults it does neither. A service that is slow under more than 50 calls
// gets 200 calls each second.
func TestUnguardedSwings(t *testing.T) {
	run := func(s Adaptive) AdaptiveSignals {
		s.Target = 100 * ms
		a := s.New()
		load := 0
		for second := range 120 {
			takes := 50 * ms
			if load > 50 {
				takes = 500 * ms
			}
			now := time.Duration(second) * time.Second
			load = a.ended(200, Status(200), now, now+takes)
		}
		return a.Signals()
	}
	wild := run(Adaptive{Min: 1, Decrease: 90, Increase: 1000})
	calm := run(Adaptive{Min: 10, Max: 60})
	equal(t, "wild falls low", wild.Lowest <= 5, true)
	equal(t, "wild shoots up", wild.Highest > 150, true)
	equal(t, "wild swings often", wild.Swings > 20, true)
	equal(t, "calm stays about 50", calm.Lowest >= 20 && calm.Highest <= 60, true)
	equal(t, "calm swings less", calm.Swings < wild.Swings, true)
}

// TestSlowCallsThatAreCancelled: a timeout outside that passes cancellation down
// hides the slow calls; one inside shows them as what they are.
func TestSlowCallsThatAreCancelled(t *testing.T) {
	for _, row := range []struct {
		sentence string
		outside  bool
		passes   bool
		limit    int
	}{
		{"inside, the timeout is a bad answer", false, true, 9},
		{"outside, passed down, nothing is learned", true, true, 10},
		{"outside, not passed down, the late answer is bad", true, false, 9},
	} {
		a, limit := Adaptive{Initial: 10, Target: 500 * ms}.New(), &TimeoutAfter{Limit: time.Second}
		stack := []Policy{a, limit}
		if row.outside {
			slices.Reverse(stack)
		}
		d := newDriver(stack, row.passes, always(Status(200)).taking(3*time.Second))
		d.line(3, 0)
		d.run(horizon)
		equal(t, row.sentence, a.Signals().Limit, row.limit)
		equal(t, "in flight", a.inFlight, 0)
	}
}

// TestAdaptiveKeepsItsBooks: whatever happens, the limit stays within its bounds,
// nobody gets in beyond it, and in the end nothing is in flight.
func TestAdaptiveKeepsItsBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Adaptive{
			Initial: rapid.IntRange(0, 8).Draw(t, "initial"), Min: rapid.IntRange(0, 3).Draw(t, "min"), Max: rapid.IntRange(0, 9).Draw(t, "max"),
			Target: tenths(t, 1, 20, "target"), Decrease: rapid.IntRange(0, 100).Draw(t, "decrease"), Increase: rapid.IntRange(0, 5000).Draw(t, "increase"),
		}.New()
		stack := []Policy{anyPolicy(t), a, anyPolicy(t)}
		d := newDriver(stack, rapid.Bool().Draw(t, "passes"), anyTail(rapid.Uint64().Draw(t, "seed")))
		for range rapid.IntRange(1, 20).Draw(t, "calls") {
			start := at(tenths(t, 0, 40, "start"))
			c := d.start(start, Request{})
			if rapid.Bool().Draw(t, "leaves") {
				d.cancel(start.Add(tenths(t, 0, 30, "after")), c)
			}
		}
		d.run(horizon * 100)
		checkRules(t, d, stack)
		s := a.Signals()
		last := s.Over[len(s.Over)-1]
		if s.Lowest < a.Min || s.Highest > a.Max || last.Limit != s.Limit || s.Swings > int64(len(s.Over)) {
			t.Fatalf("%+v with %+v", s, a.Adaptive)
		}
	})
}

// TestAdaptiveAllocatesNothing: apart from the history, which is bounded.
func TestAdaptiveAllocatesNothing(t *testing.T) {
	a := Adaptive{Initial: 10, Max: 10, Target: time.Second}.New()
	var f Frame
	equal(t, "allocations", testing.AllocsPerRun(1000, func() {
		a.On(&f, Event{Kind: Start}, 0)
		a.On(&f, Event{Kind: Done, Outcome: Status(200)}, 1)
	}), 0)
}

// TestLimitsStayBounded: however often it changes, in whatever rhythm, the history
// has at most MaxLimits entries, in order, and ends with what is now.
func TestLimitsStayBounded(t *testing.T) {
	for name, gap := range map[string]func(i int) int64{
		"steady":      func(int) int64 { return int64(ms) },
		"bursts":      func(i int) int64 { return int64(i%1000/999) * int64(time.Minute) },
		"slower":      func(i int) int64 { return int64(i) * 1000 },
		"one instant": func(int) int64 { return 0 },
	} {
		t.Run(name, func(t *testing.T) {
			var l limits
			now, longest, shortest := Instant(0), 0, MaxLimits
			for i := range 5*MaxLimits + 7 {
				l.add(LimitAt{now, i})
				if longest = max(longest, len(l.at)); i > MaxLimits {
					shortest = min(shortest, len(l.at))
				}
				now += Instant(gap(i))
			}
			equal(t, "bounded", longest <= MaxLimits, true)
			equal(t, "the last", l.at[len(l.at)-1].Limit, 5*MaxLimits+6)
			equal(t, "in order", slices.IsSortedFunc(l.at, func(a, b LimitAt) int { return a.Limit - b.Limit }), true)
			if name == "steady" {
				equal(t, "no coarser than need be", shortest > MaxLimits/3, true)
			}
		})
	}
}
