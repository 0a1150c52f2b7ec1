package ledger

import (
	"fmt"
	"time"

	"labctl/report"
	"labctl/topology/policy"
)

// Watch takes down what the policies of an edge saw, at the end of the run.
// Idle says that nothing ran any more, so that a place still taken is a leak.
func (l *Ledger) Watch(edge int, stack []policy.Policy, now policy.Instant, idle bool) {
	into, policies := &l.edges[edge].signals, l.edges[edge].Policies
	for i, p := range stack {
		switch s := p.(type) {
		case *policy.BreakerState:
			into.breaker = breaker(s.Signals(), now, l.edges[edge].AttemptTimeout())
		case *policy.BulkheadState:
			b := bulkhead(s.Signals())
			if idle {
				b.Leaked = s.Signals().InUse
			}
			if i < len(policies) && policies[i].Pool != nil {
				into.pool = b
			} else {
				into.bulkhead = b
			}
		case *policy.AdaptiveState:
			into.adaptive = adaptive(s.Signals())
		case *policy.BudgetState:
			g := s.Signals()
			into.budget = &report.Budget{Requests: g.Requests, Retries: g.Retries, ByFloor: g.ByFloor, Suppressed: g.Suppressed}
		case *policy.HedgeState:
			g := s.Signals()
			into.hedge = &report.Hedge{Requests: g.Requests, Hedged: g.Hedged, Copies: g.Copies, Wins: g.Wins, Suppressed: g.Suppressed}
		case *policy.BalanceState:
			into.balance = balance(s.Signals())
		case *policy.FallbackState:
			into.fallback = fallback(s.Signals())
		}
	}
}

// Queue takes down what the workers of a service, and those who waited for them,
// came to.
func (l *Ledger) Queue(service int, q report.Bulkhead) { l.services[service].queue = &q }

// signals is what the policies of one edge saw.
type signals struct {
	breaker        *report.Breaker
	bulkhead, pool *report.Bulkhead
	adaptive       *report.Adaptive
	fallback       *report.Fallback
	budget         *report.Budget
	hedge          *report.Hedge
	balance        *report.Balance
}

func (s signals) into(l *report.Layer) {
	l.Breaker, l.Bulkhead, l.Pool, l.Adaptive, l.Fallback = s.breaker, s.bulkhead, s.pool, s.adaptive, s.fallback
	l.Budget, l.Hedge, l.Balance = s.budget, s.hedge, s.balance
}

const (
	maxChanges = 100 // of a breaker, and of an adaptive limit over time
	// stuckAfter is how long a probe is out before the breaker counts as stuck. A
	// probe is one call, so a second without an answer is already long.
	stuckAfter = time.Second
)

func breaker(s policy.BreakerSignals, now policy.Instant, timeout time.Duration) *report.Breaker {
	out := &report.Breaker{
		Status: s.Status.String(), Successes: s.Successes, Failures: s.Failures, Timeouts: s.Timeouts,
		Cancelled: s.Cancelled, Ignored: s.Ignored, Stale: s.Stale,
		Rejected: s.Rejected, WouldReject: s.WouldReject, Probes: s.Probes, MoreChanges: s.MoreChanges,
	}
	for _, c := range s.Changes {
		if c.To == policy.Open {
			if out.Opened++; out.Opened == 1 {
				out.OpenedMS = report.Milliseconds(time.Duration(c.At))
			}
		}
		if len(out.Changes) < maxChanges {
			out.Changes = append(out.Changes, report.BreakerChange{AtMS: report.Milliseconds(time.Duration(c.At)), Key: c.Key, To: c.To.String()})
		}
	}
	if out.Note = stuck(s, now, timeout); out.Note != "" {
		out.Status = "stuck half-open"
	}
	return out
}

// stuck says whether half-open permits are out with probes that do not come back:
// such a breaker rejects for ever, and "open" would hide it. One that has a timeout
// comes back.
func stuck(s policy.BreakerSignals, now policy.Instant, timeout time.Duration) string {
	if timeout > 0 || s.ProbesInFlight == 0 || now.Sub(s.OldestProbe) < stuckAfter {
		return ""
	}
	probes := "probe"
	if s.ProbesInFlight > 1 {
		probes = "probes"
	}
	return fmt.Sprintf("%d %s in flight for %v: give the call a timeout", s.ProbesInFlight, probes, now.Sub(s.OldestProbe))
}

func bulkhead(s policy.BulkheadSignals) *report.Bulkhead {
	out := &report.Bulkhead{
		Limit: s.Limit, InUse: s.MostInUse, Waiting: s.MostWaiting, Admitted: s.Admitted,
		Rejected: s.Rejected, TimedOut: s.TimedOut, Left: s.Left, Queued: s.Queued,
		LongestWaitMS: report.Milliseconds(s.LongestWait),
	}
	if s.Queued > 0 {
		out.MeanQueueMS = report.Milliseconds(s.QueueTime / time.Duration(s.Queued))
	}
	return out
}

func adaptive(s policy.AdaptiveSignals) *report.Adaptive {
	out := &report.Adaptive{
		Limit: s.Limit, Lowest: s.Lowest, Highest: s.Highest, Swings: s.Swings, Admitted: s.Admitted, Rejected: s.Rejected,
	}
	every := max(1, (len(s.Over)+maxChanges-1)/maxChanges)
	for i, o := range s.Over {
		if i%every == 0 || i == len(s.Over)-1 {
			out.Over = append(out.Over, report.LimitAt{AtMS: report.Milliseconds(time.Duration(o.At)), Limit: o.Limit})
		}
	}
	return out
}

// balance is nil where nothing can be ejected.
func balance(s policy.BalanceSignals) *report.Balance {
	if s.Ejections == nil {
		return nil
	}
	out := &report.Balance{MostEjected: s.MostEjected, Spared: s.Spared}
	for _, n := range s.Ejections {
		out.Ejections += n
	}
	return out
}

func fallback(s policy.FallbackSignals) *report.Fallback {
	out := &report.Fallback{Degraded: s.Degraded, Missing: s.Missing, OldestMS: report.Milliseconds(s.Oldest)}
	if s.Degraded > 0 {
		out.MeanAgeMS = report.Milliseconds(s.Age / time.Duration(s.Degraded))
	}
	return out
}
