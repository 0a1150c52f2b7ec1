package policy

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyRoutedPolicy draws one layer, perhaps for one route, of those that read what
// a call shares or tell its outcome otherwise.
func anyRoutedPolicy(t *rapid.T) Policy {
	tenths := func(lo, hi int, name string) time.Duration {
		return time.Duration(rapid.IntRange(lo, hi).Draw(t, name)) * 100 * ms
	}
	var p Policy
	switch rapid.SampledFrom([]string{"retry", "within", "balance", "fallback", "other"}).Draw(t, "policy") {
	case "retry":
		p = &Retry{Attempts: rapid.IntRange(1, 4).Draw(t, "attempts"), Rest: Rest{Base: tenths(0, 10, "rest")},
			MaxElapsed: tenths(0, 30, "max elapsed"), Rule: rapid.SampledFrom([]ElapsedRule{AfterRest, BeforeRest}).Draw(t, "rule")}
	case "within":
		p = &Within{Limit: tenths(0, 30, "limit"), Mode: DeadlineMode(rapid.IntRange(0, 3).Draw(t, "mode")),
			Check: rapid.Bool().Draw(t, "check"), Enforce: rapid.Bool().Draw(t, "enforce"), Useful: tenths(0, 3, "useful")}
	case "balance":
		p = Balance{Hosts: rapid.IntRange(1, 3).Draw(t, "hosts"), Law: BalanceLaw(rapid.IntRange(0, 2).Draw(t, "law")), Failover: rapid.Bool().Draw(t, "failover")}.New()
	case "fallback":
		p = Fallback{MaxAge: tenths(0, 10, "max age"), Static: rapid.Bool().Draw(t, "static")}.New()
	default:
		return anyPolicy(t)
	}
	if rapid.Bool().Draw(t, "only") {
		return &Only{Policy: p, Route: uint8(rapid.IntRange(0, 2).Draw(t, "route")), Except: rapid.Bool().Draw(t, "except")}
	}
	return p
}

// TestRoutedStacksKeepTheRules is TestAnyStackKeepsTheRules for these policies,
// with deadlines that come in, waits that servers ask for, and routes.
func TestRoutedStacksKeepTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stack := make([]Policy, rapid.IntRange(0, 5).Draw(t, "layers"))
		for i := range stack {
			stack[i] = anyRoutedPolicy(t)
		}
		plain := anyTail(rapid.Uint64().Draw(t, "seed"))
		after := time.Duration(rapid.IntRange(0, 10).Draw(t, "after")) * 100 * ms
		d := newDriver(stack, rapid.Bool().Draw(t, "passes"), func(n int, now Instant) (Outcome, time.Duration) {
			o, takes := plain(n, now)
			o.After = after
			return o, takes
		})
		for range rapid.IntRange(1, 5).Draw(t, "calls") {
			start := at(time.Duration(rapid.IntRange(0, 20).Draw(t, "start")) * 100 * ms)
			c := d.start(start, Request{Route: uint8(rapid.IntRange(0, 2).Draw(t, "route")), Deadline: anyDeadline(t)})
			if rapid.Bool().Draw(t, "leaves") {
				d.cancel(start.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "after"))*100*ms+1), c)
			}
		}
		d.run(24 * time.Hour)
		checkRules(t, d, d.edge.Stack())
		for _, p := range d.edge.Stack() {
			if b, is := p.(*BalanceState); is {
				for host, n := range b.flight {
					if n != 0 {
						t.Errorf("balancer: %d calls to replica %d are left", n, host)
					}
				}
			}
		}
	})
}

func anyDeadline(t *rapid.T) Deadline {
	return Deadline{
		Mode:  DeadlineMode(rapid.IntRange(0, 3).Draw(t, "mode that came in")),
		Value: int64(rapid.IntRange(-10, 50).Draw(t, "deadline that came in")) * int64(100*ms),
	}
}

// TestNoAttemptAfterACheckedDeadline: with whatever retries and timeouts inside,
// whether the caller leaves, and by whichever clock it came in. An attempt also
// takes along what is left and never more.
func TestNoAttemptAfterACheckedDeadline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &Within{Limit: time.Duration(rapid.IntRange(0, 30).Draw(t, "limit")) * 100 * ms, Mode: Remaining,
			Check: true, Enforce: rapid.Bool().Draw(t, "enforce"), Useful: time.Duration(rapid.IntRange(0, 300).Draw(t, "useful")) * ms}
		stack := []Policy{w}
		for range rapid.IntRange(0, 3).Draw(t, "layers") {
			if rapid.Bool().Draw(t, "retry") {
				stack = append(stack, &Retry{Attempts: rapid.IntRange(1, 4).Draw(t, "attempts"), Rest: Rest{Base: time.Duration(rapid.IntRange(0, 10).Draw(t, "rest")) * 100 * ms}})
			} else {
				stack = append(stack, &TimeoutAfter{Limit: time.Duration(rapid.IntRange(1, 30).Draw(t, "timeout")) * 100 * ms})
			}
		}
		start := at(time.Duration(rapid.IntRange(0, 5).Draw(t, "start")) * 100 * ms)
		in := anyDeadline(t)
		ends := Never
		if w.Limit > 0 {
			ends = start.Add(w.Limit)
		}
		switch in.Mode {
		case Absolute:
			ends = min(ends, Instant(in.Value))
		case Remaining, PerHop:
			ends = min(ends, start+Instant(in.Value))
		}
		d := newDriver(stack, rapid.Bool().Draw(t, "passes"), nil)
		plain := anyTail(rapid.Uint64().Draw(t, "seed"))
		d.answering(func(a Action, now Instant) (Outcome, time.Duration) {
			if left := ends.Sub(now); ends != Never && (left <= 0 || left < w.Useful || a.Deadline != Deadline{Remaining, int64(left)}) {
				t.Errorf("an attempt at %s with %v left takes %+v along", seconds(now), left, a.Deadline)
			}
			return plain(int(a.Number), now)
		})
		c := d.start(start, Request{Deadline: in})
		d.run(24 * time.Hour)
		if w.Enforce && ends != Never && c.answered > max(ends, start) {
			t.Errorf("answered at %s, enforced at %s", seconds(c.answered), seconds(ends))
		}
		checkRules(t, d, stack)
	})
}
