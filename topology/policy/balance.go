package policy

import "time"

// BalanceLaw is how a caller chooses among replicas.
type BalanceLaw uint8

// The laws.
const (
	RoundRobin BalanceLaw = iota
	Random
	LeastInFlight // as far as this caller knows; the first of several
)

// Balance is the settings of a balancer: which replica a call goes to. Inside a
// retry it chooses anew for every attempt; outside, all attempts go to the same one.
type Balance struct {
	Hosts    int // replicas
	Law      BalanceLaw
	Failover bool // not the replica of the attempt before, if there is another
}

// New returns a balancer for one edge.
func (s Balance) New() *BalanceState {
	return &BalanceState{Balance: s, flight: make([]int32, max(s.Hosts, 1))}
}

// BalanceState is a balancer with what it knows of the replicas.
type BalanceState struct {
	Balance
	turn   int
	flight []int32 // calls to each replica that have not ended
}

func (s *BalanceState) asksForCall() bool { return true }

// On implements [Policy].
func (s *BalanceState) On(f *Frame, ev Event, _ Instant) Step {
	switch ev.Kind {
	case Start:
		f.host = int16(s.choose(ev.Call))
		ev.Call.Tried = f.host
		s.flight[f.host]++
		return Step{Do: Call, Child: 1}
	case Done:
		s.flight[f.host]--
		return returned(ev.Outcome)
	default:
		return returned(Failed(Cancelled))
	}
}

// choose is the law, with the replica to avoid left out of it: that of the choice
// before, since a call chooses again only when that was no good. (Its failure may
// not be known here: to a timeout around the balancer, a replica that hangs is one
// that has not answered yet.)
func (s *BalanceState) choose(c *CallState) int {
	avoid := -1
	if s.Failover && len(s.flight) > 1 {
		avoid = int(c.Tried)
	}
	switch s.Law {
	case Random:
		return s.random(avoid, c.Next)
	case LeastInFlight:
		return s.least(avoid)
	}
	if s.turn == avoid {
		s.turn = (s.turn + 1) % len(s.flight)
	}
	host := s.turn
	s.turn = (host + 1) % len(s.flight)
	return host
}

func (s *BalanceState) random(avoid int, l Luck) int {
	n := len(s.flight)
	if avoid >= 0 {
		n--
	}
	host := int(Uniform(l.Draw(ForPick), time.Duration(n)))
	if avoid >= 0 && host >= avoid {
		host++
	}
	return host
}

func (s *BalanceState) least(avoid int) int {
	best := -1
	for i := range s.flight {
		if i != avoid && (best < 0 || s.flight[i] < s.flight[best]) {
			best = i
		}
	}
	return best
}
