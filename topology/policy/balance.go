package policy

import (
	"slices"
	"time"
)

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

	// Outlier ejection, see eject.go.
	EjectAfter int           // leaves a replica out after so many consecutive failures; Envoy: 5; 0: never
	EjectFor   time.Duration // for so long, times how often of late; 0: 30 s
	MaxEjected int           // percent of the replicas at one time, yet at least one and never all; 0: 10
}

// New returns a balancer for one edge.
func (s Balance) New() *BalanceState {
	hosts := max(s.Hosts, 1)
	eject := newEjector(&s, hosts)
	return &BalanceState{Balance: s, flight: make([]int32, hosts), eject: eject}
}

// BalanceState is a balancer with what it knows of the replicas.
type BalanceState struct {
	Balance
	turn   int
	flight []int32 // calls to each replica that have not ended
	eject  ejector
}

// Signals is what it did so far.
func (s *BalanceState) Signals() BalanceSignals {
	g := s.eject.signals
	g.Ejections = slices.Clone(g.Ejections)
	return g
}

func (s *BalanceState) asksForCall() bool { return true }

// On implements [Policy].
func (s *BalanceState) On(f *Frame, ev Event, now Instant) Step {
	s.eject.readmit(now)
	switch ev.Kind {
	case Start:
		f.host = int16(s.choose(ev.Call))
		ev.Call.Tried = f.host
		s.flight[f.host]++
		return Step{Do: Call, Child: 1}
	case Done:
		s.flight[f.host]--
		s.eject.heard(&s.Balance, int(f.host), ev.Outcome, now)
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
	if s.Failover && s.candidates(int(c.Tried)) > 0 {
		avoid = int(c.Tried)
	}
	switch s.Law {
	case Random:
		return s.random(avoid, c.Next)
	case LeastInFlight:
		return s.least(avoid)
	}
	for !s.may(s.turn, avoid) {
		s.turn = (s.turn + 1) % len(s.flight)
	}
	host := s.turn
	s.turn = (host + 1) % len(s.flight)
	return host
}

// may reports whether a call may go to a replica.
func (s *BalanceState) may(host, avoid int) bool { return host != avoid && !s.eject.isOut(host) }

// candidates is how many replicas a call may go to.
func (s *BalanceState) candidates(avoid int) int {
	n := len(s.flight) - s.eject.signals.Ejected
	if avoid >= 0 && !s.eject.isOut(avoid) {
		n--
	}
	return n
}

// random counts the candidates only, so that each is as likely.
func (s *BalanceState) random(avoid int, l Luck) int {
	host := int(Uniform(l.Draw(ForPick), time.Duration(s.candidates(avoid))))
	if s.eject.signals.Ejected == 0 {
		if avoid >= 0 && host >= avoid {
			host++
		}
		return host
	}
	nth := host
	for host = 0; nth > 0 || !s.may(host, avoid); host++ {
		if s.may(host, avoid) {
			nth--
		}
	}
	return host
}

func (s *BalanceState) least(avoid int) int {
	best := -1
	for i := range s.flight {
		if s.may(i, avoid) && (best < 0 || s.flight[i] < s.flight[best]) {
			best = i
		}
	}
	return best
}
