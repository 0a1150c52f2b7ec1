package policy

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func tenths(t *rapid.T, lo, hi int, name string) time.Duration {
	return time.Duration(rapid.IntRange(lo, hi).Draw(t, name)) * 100 * time.Millisecond
}

// anyPolicy draws one layer of a stack.
func anyPolicy(t *rapid.T) Policy {
	switch rapid.SampledFrom([]string{"retry", "timeout", "hedge", "budget", "balance", "bulkhead", "adaptive", "gate", "spy", "quitter"}).Draw(t, "policy") {
	case "retry":
		return &Retry{Attempts: rapid.IntRange(1, 3).Draw(t, "attempts"), Rest: Rest{Base: tenths(t, 0, 10, "rest")}}
	case "timeout":
		return &TimeoutAfter{Limit: tenths(t, 1, 30, "limit")}
	case "hedge":
		return anyHedge(t).New()
	case "budget":
		return anyBudget(t).New()
	case "balance":
		b := Balance{Hosts: rapid.IntRange(1, 3).Draw(t, "hosts"), Law: LeastInFlight, Failover: rapid.Bool().Draw(t, "failover")}
		b.EjectAfter, b.EjectFor = rapid.IntRange(0, 2).Draw(t, "ejects"), tenths(t, 1, 20, "ejected")
		return b.New()
	case "bulkhead":
		b := Bulkhead{Limit: rapid.IntRange(1, 2).Draw(t, "places"), Queue: rapid.IntRange(NoQueue, 2).Draw(t, "queue")}
		b.Wait = tenths(t, 0, 20, "wait")
		return b.New()
	case "adaptive":
		a := Adaptive{Initial: rapid.IntRange(1, 3).Draw(t, "initial"), Target: tenths(t, 1, 20, "target")}
		return a.New()
	case "gate":
		o := rapid.SampledFrom([]Outcome{Status(200), unavailable, Failed(Rejected)}).Draw(t, "outcome")
		return &gate{every: rapid.IntRange(1, 4).Draw(t, "every"), outcome: o}
	case "quitter":
		return &quitter{after: tenths(t, 0, 10, "quits")}
	default:
		return newSpy("spy", nil)
	}
}

func anyHedge(t *rapid.T) Hedge {
	return Hedge{
		Delay: tenths(t, 0, 10, "after"), Max: rapid.IntRange(0, 3).Draw(t, "max"),
		ShareRequests: rapid.SampledFrom([]int{0, 50, 100}).Draw(t, "share of requests"),
		ShareExtra:    rapid.SampledFrom([]int{0, 50, 100}).Draw(t, "share of copies"),
		Quantile:      rapid.SampledFrom([]int{0, 50, 95}).Draw(t, "quantile"),
	}
}

// anyBudget draws a law, of which each may allow little or much.
func anyBudget(t *rapid.T) Budget {
	small := func(name string) int { return rapid.IntRange(-1, 3).Draw(t, name) }
	return Budget{
		Law:   BudgetLaw(rapid.IntRange(0, int(budgetLaws)-1).Draw(t, "law")),
		Ratio: rapid.SampledFrom([]int{NoShare, 0, 300, 1000, 2500}).Draw(t, "ratio"), Floor: small("floor"),
		Window: tenths(t, 0, 20, "window"), Tokens: rapid.IntRange(0, 20).Draw(t, "tokens"),
		Cost: small("cost"), TimeoutCost: small("timeout cost"), Attempts: small("budgeted"),
	}
}

// anyTail answers by chance, hashed, within two seconds.
func anyTail(seed uint64) tail {
	return func(attempt int, now Instant) (Outcome, time.Duration) {
		l := RootLuck(seed, uint64(attempt), uint64(now))
		o := unavailable
		if l.Draw(ForFault)%3 == 0 {
			o = Status(200)
		}
		return o, Uniform(l.Draw(ForService), 20) * 100 * time.Millisecond
	}
}

// TestAnyStackKeepsTheRules drives random stacks with calls that come and leave
// at random. Whatever happens, each call is answered once and ends once, after
// its last attempt; each child is heard of once; each permit comes back; and no
// frame is left.
func TestAnyStackKeepsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stack := make([]Policy, rapid.IntRange(0, 5).Draw(t, "layers"))
		for i := range stack {
			stack[i] = anyPolicy(t)
		}
		d := newDriver(stack, rapid.Bool().Draw(t, "passes"), anyTail(rapid.Uint64().Draw(t, "seed")))
		for range rapid.IntRange(1, 5).Draw(t, "calls") {
			start := at(time.Duration(rapid.IntRange(0, 20).Draw(t, "start")) * 100 * time.Millisecond)
			c := d.start(start, Request{Repeatable: true})
			if rapid.Bool().Draw(t, "leaves") {
				d.cancel(start.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "after"))*100*time.Millisecond+1), c)
			}
		}
		d.run(24 * time.Hour)
		checkRules(t, d, stack)
	})
}

func checkRules(t *rapid.T, d *driver, stack []Policy) {
	if len(d.faults) > 0 {
		t.Errorf("faults: %s", strings.Join(d.faults, "; "))
	}
	for i, c := range d.calls {
		if len(c.answers) != 1 || c.ends != 1 || c.ended < c.answered {
			t.Errorf("call %d: answers %v at %d, %d ends at %d", i, c.answers, c.answered, c.ends, c.ended)
		}
	}
	if len(d.working) > 0 || d.edge.Calls() > 0 {
		t.Errorf("%d attempts and %d calls are left", len(d.working), d.edge.Calls())
	}
	free := 0
	for i := d.edge.free; i != none; i = d.edge.frames[i].sibling {
		free++
	}
	if free != len(d.edge.frames) {
		t.Errorf("%d of %d frames are free", free, len(d.edge.frames))
	}
	for _, p := range stack {
		checkPolicy(t, p)
	}
}

func checkPolicy(t *rapid.T, p Policy) {
	switch p := p.(type) {
	case *BulkheadState:
		if b := p.Signals(); b.InUse != 0 || b.Waiting != 0 {
			t.Errorf("bulkhead: %d in use, %d waiting", b.InUse, b.Waiting)
		}
	case *BudgetState:
		if p.requests != 0 || p.extra != 0 {
			t.Errorf("budget: %d requests and %d retries in flight", p.requests, p.extra)
		}
	case *HedgeState:
		if g := p.Signals(); g.Copies > g.Requests*int64(p.Max-1) || g.Hedged > g.Copies || g.Wins > g.Hedged {
			t.Errorf("hedge: %+v", g)
		}
	case *BalanceState:
		for host, n := range p.flight {
			if n != 0 {
				t.Errorf("balance: %d in flight to %d", n, host)
			}
		}
	case *AdaptiveState:
		if p.inFlight != 0 {
			t.Errorf("adaptive limit: %d in flight", p.inFlight)
		}
	case *spy:
		for ref, told := range p.told {
			if told != "SD" && told != "SCD" {
				t.Errorf("spy %v was told %s: want Start, perhaps Cancel, and Done once", ref, told)
			}
		}
	}
}
