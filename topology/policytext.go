package topology

import (
	"fmt"
	"strings"
	"time"

	"labctl/topology/policy"
)

// String says in a few words what the policy is set to, as for a line of a report.
func (p Policy) String() string {
	text := p.settings()
	if p.Name != "" {
		text = p.Name + ": " + text
	}
	if p.Route != "" {
		text += " for " + strings.Replace(p.Route, "!", "all but ", 1)
	}
	return text
}

func (p Policy) settings() string {
	switch {
	case p.Retry != nil:
		return attemptsText(p.Retry.Attempts)
	case p.Timeout != nil:
		return timeoutText(*p.Timeout)
	case p.Deadline != nil:
		return deadlineText(*p.Deadline)
	case p.Breaker != nil:
		return breakerText(*p.Breaker)
	case p.Bulkhead != nil:
		return "bulkhead of " + bulkheadText(*p.Bulkhead)
	case p.Pool != nil:
		return "pool of " + bulkheadText(*p.Pool)
	case p.Budget != nil:
		return budgetText(*p.Budget)
	case p.Hedge != nil:
		return hedgeText(*p.Hedge)
	case p.Adaptive != nil:
		return adaptiveText(*p.Adaptive)
	case p.Fallback != nil:
		return fallbackText(*p.Fallback)
	case p.Balance != nil:
		return balanceText(*p.Balance)
	}
	return ""
}

func attemptsText(n int) string {
	switch n {
	case policy.Unlimited:
		return "retry without a limit"
	case 1:
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

var modeNames = map[policy.DeadlineMode]string{
	policy.Kept: "not sent on", policy.Absolute: "absolute", policy.Remaining: "remaining", policy.PerHop: "per hop",
}

func timeoutText(t policy.TimeoutAfter) string {
	text := "timeout " + t.Limit.String()
	if t.Mode != policy.Kept {
		text += ", sent along " + modeNames[t.Mode]
	}
	return text
}

func deadlineText(w policy.Within) string {
	words := []string{"deadline"}
	if w.Limit > 0 {
		words = append(words, w.Limit.String())
	}
	words = append(words, modeNames[w.Mode])
	if w.Check {
		words = append(words, "checked")
	}
	if w.Enforce {
		words = append(words, "enforced")
	}
	if w.Useful > 0 {
		words = append(words, fmt.Sprintf("(useful from %v)", w.Useful))
	}
	return strings.Join(words, " ")
}

func breakerText(b policy.Breaker) string {
	opens := fmt.Sprintf("after %d failures", orDefault(b.Failures, 5))
	if b.Rate > 0 {
		opens = fmt.Sprintf("at %d%%", b.Rate)
	}
	text := fmt.Sprintf("breaker %s, open %v", opens, orDefault(b.OpenFor, time.Minute))
	switch {
	case b.Observe:
		text += ", observing"
	case b.Forced == policy.ForcedOpen:
		text += ", forced open"
	case b.Forced == policy.ForcedClosed:
		text += ", forced closed"
	}
	return text + perText(b.Per)
}

func orDefault[T int | time.Duration](v, by T) T {
	if v == 0 {
		return by
	}
	return v
}

func perText(k policy.Key) string {
	return map[policy.Key]string{policy.PerHost: ", per replica", policy.PerRoute: ", per route"}[k]
}

func bulkheadText(b policy.Bulkhead) string {
	text := fmt.Sprint(b.Limit)
	switch {
	case b.Queue == policy.NoQueue:
		text += ", no queue"
	case b.Queue > 0:
		text += fmt.Sprintf(", queue of %d", b.Queue)
	}
	if b.Wait > 0 {
		text += fmt.Sprintf(", wait up to %v", b.Wait)
	}
	return text + perText(b.Per)
}

func adaptiveText(a policy.Adaptive) string {
	text := fmt.Sprintf("adaptive limit, target %v, from %d", a.Target, max(a.Min, 1))
	if a.Max > 0 {
		text += fmt.Sprintf(" to %d", a.Max)
	}
	return text
}

func budgetText(b policy.Budget) string {
	name := ""
	for n, law := range budgetLaws {
		if law == b.Law {
			name = n
		}
	}
	text := "budget as " + name
	switch {
	case b.Ratio == policy.NoShare:
		text += ", no share"
	case b.Ratio > 0:
		text += fmt.Sprintf(", %g%%", float64(b.Ratio)/10)
	}
	switch {
	case b.Floor == policy.NoFloor:
		text += ", no floor"
	case b.Floor > 0:
		text += fmt.Sprintf(", floor %d", b.Floor)
	}
	if b.PerClient {
		text += ", one for each client"
	}
	return text
}

func hedgeText(h policy.Hedge) string {
	after := h.Delay.String()
	if h.Quantile > 0 {
		after = fmt.Sprintf("p%d", h.Quantile)
	}
	return fmt.Sprintf("hedge after %s, at most %d", after, orDefault(h.Max, 2))
}

func fallbackText(f policy.Fallback) string {
	switch {
	case f.Static:
		return "fallback, static"
	case f.MaxAge > 0:
		return fmt.Sprintf("fallback up to %v old", f.MaxAge)
	}
	return "fallback of any age"
}

func balanceText(b policy.Balance) string {
	text := "balance " + map[policy.BalanceLaw]string{
		policy.RoundRobin: "round-robin", policy.Random: "random", policy.LeastInFlight: "least in flight"}[b.Law]
	if b.Failover {
		text += " with failover"
	}
	return text
}
