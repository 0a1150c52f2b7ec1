package policy

// BudgetState is a budget at work. Its frames only show it the calls; retries and
// hedges find it in the state of their call.
type BudgetState struct {
	Budget
	layer    uint8        // in the stack: who is inside asks it
	requests int64        // in flight
	extra    int64        // granted and not ended
	tokens   int64        // in thousandths
	window   budgetWindow // of Deposit and PerRequest
	signals  BudgetSignals
}

// Signals is what it did so far.
func (s *BudgetState) Signals() BudgetSignals {
	g := s.signals
	if s.Law == Tokens || s.Law == HalfFull {
		g.Tokens = s.tokens
	}
	return g
}

func (s *BudgetState) asksForCall() bool { return true }

// On implements [Policy].
func (s *BudgetState) On(f *Frame, ev Event, now Instant) Step {
	switch ev.Kind {
	case Start:
		s.layer = f.layer // always the same
		s.requests++
		s.signals.Requests++
		if s.Law == Deposit || s.Law == PerRequest {
			s.window.part(now, s.Window).requests++
		}
		if ev.Call.Budget == nil {
			ev.Call.Budget = s
		}
		return Step{Do: Call, Child: 1}
	case Done:
		s.requests--
		return returned(ev.Outcome)
	default:
		return returned(Failed(Cancelled))
	}
}

// payment is what an attempt was made for.
type payment uint8

const (
	first        payment = iota // nothing
	extra                       // a grant
	afterTimeout                // a grant that costs more under some laws
)

// extraAfter is the payment for an attempt after one that ended so.
func extraAfter(k Kind) payment {
	if k == Timeout {
		return afterTimeout
	}
	return extra
}

// withdraw asks for one more attempt of a call. Whoever is granted one must tell
// that it ended, or release it when it is not made after all. No budget grants
// everything.
func (s *BudgetState) withdraw(c *CallState, now Instant, p payment) bool {
	if s == nil {
		return true
	}
	granted, byFloor := s.allows(c, now, p)
	if !granted {
		s.signals.Suppressed++
		return false
	}
	s.signals.Retries++
	s.extra++
	c.Extra++
	if byFloor {
		s.signals.ByFloor++
	}
	switch s.Law {
	case Deposit, PerRequest:
		part := s.window.part(now, s.Window)
		part.retries++
		if byFloor {
			part.byFloor++
		}
	case Tokens:
		s.tokens -= s.cost(p)
	}
	return true
}

// allows is the laws. All sides are in thousandths.
func (s *BudgetState) allows(c *CallState, now Instant, p payment) (granted, byFloor bool) {
	switch s.Law {
	case Active:
		next, share := (s.extra+1)*thousand, int64(s.Ratio)*s.requests
		return next <= max(share, int64(s.Floor)*thousand), next > share
	case Tokens:
		return s.tokens >= s.cost(p), false
	case HalfFull:
		return 2*s.tokens > int64(s.Tokens)*thousand, false
	}
	held := s.window.sum(now, s.Window)
	share := int64(s.Ratio) * held.requests
	if s.Law == PerRequest { // "as long as this ratio is below": before the retry, not with it
		return int(c.Extra)+1 < s.Attempts && held.retries*thousand < share, false
	}
	floor := int64(s.Floor) * int64(s.Window) / (1e9 / thousand)
	// A retry is the floor's only when the share is used up by others than the
	// floor's; or else, in a window that is full, all would be.
	return (held.retries+1)*thousand <= share+floor, (held.retries-held.byFloor+1)*thousand > share
}

// cost is that of a retry, in thousandths of a token.
func (s *BudgetState) cost(p payment) int64 {
	if p == afterTimeout {
		return int64(s.TimeoutCost) * thousand
	}
	return int64(s.Cost) * thousand
}

// release takes back the grant of an attempt that is not made after all. That is
// in flight no longer; what it cost is spent.
func (s *BudgetState) release() {
	if s != nil {
		s.extra--
	}
}

// ended hears how an attempt of a frame ended, and whether such an end is worth
// another attempt.
func (s *BudgetState) ended(c *CallState, f *Frame, p payment, o Outcome, failed bool) {
	if p != first {
		s.extra--
	}
	innermost := c.teller == f.layer
	switch {
	case s.Law == Tokens && o.OK() && p != first:
		s.fill(s.cost(p))
	case s.Law == Tokens && o.OK() && innermost:
		s.fill(thousand)
	case s.Law == HalfFull && o.OK() && innermost:
		s.fill(int64(s.Ratio))
	case s.Law == HalfFull && failed && innermost:
		s.tokens = max(0, s.tokens-thousand)
	}
}

// fill puts tokens into the bucket, up to its brim.
func (s *BudgetState) fill(thousandths int64) {
	s.tokens = min(s.tokens+thousandths, int64(s.Tokens)*thousand)
}
