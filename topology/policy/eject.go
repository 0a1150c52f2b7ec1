package policy

import "time"

// Outlier ejection: a balancer leaves out a replica that keeps failing, for a
// while. It is what a breaker for each replica does, with two differences that are
// the balancer's to make: the calls go to the others instead of being rejected, and
// the number of replicas left out is bounded. Use it where one bad replica of many
// answers fast and wrong: it is the least loaded, and draws all the traffic. The
// rules and defaults are those of Envoy (Outlier detection, consecutive 5xx).
//
// A replica that hangs counts as failing only with a timeout inside the balancer.

// The defaults, Envoy's: base_ejection_time, max_ejection_percent.
const (
	defaultEjectFor   = 30 * time.Second
	defaultMaxEjected = 10 // percent
)

// A replica that is ejected again soon is so for longer: EjectFor times how often.
// Each healthy ejectForgets (Envoy: interval) takes one time off again, and none is
// longer than ejectMost (max_ejection_time), unless EjectFor is.
const (
	ejectForgets = 10 * time.Second
	ejectMost    = 300 * time.Second
)

// ejectFailures is what speaks against a replica: any 5xx, and no answer that can
// be read. A 429 does not: other replicas would get its load.
var ejectFailures = mustFilter("5xx", "timeout", "refused", "reset", "malformed")

// BalanceSignals is what a balancer did about bad replicas.
type BalanceSignals struct {
	Ejections   []int64 // of each replica; nil where none are ejected
	Ejected     int     // as of the last event
	MostEjected int     // at one time
	Spared      int64   // failures that would have led to an ejection, but for MaxEjected
}

// ejector knows which replicas are left out.
type ejector struct {
	hosts   []ejectable // empty: none ever is
	most    int         // at one time
	signals BalanceSignals
}

// ejectable is what is known of one replica.
type ejectable struct {
	run   int     // consecutive failures
	times int64   // ejections that are not forgotten
	until Instant // end of the last ejection
	out   bool
}

// newEjector fills in the defaults. One replica may always be ejected if there are
// two, and never all: somebody has to answer.
func newEjector(s *Balance, hosts int) ejector {
	if s.EjectAfter <= 0 {
		return ejector{}
	}
	s.EjectFor = positiveOr(s.EjectFor, defaultEjectFor)
	s.MaxEjected = min(positiveOr(s.MaxEjected, defaultMaxEjected), 100)
	return ejector{
		hosts:   make([]ejectable, hosts),
		most:    min(max(1, hosts*s.MaxEjected/100), hosts-1),
		signals: BalanceSignals{Ejections: make([]int64, hosts)},
	}
}

// isOut reports whether a replica is left out.
func (e *ejector) isOut(host int) bool { return e.signals.Ejected > 0 && e.hosts[host].out }

// readmit takes back whose time is over. A policy has no timer between calls, so
// this happens with the next event.
func (e *ejector) readmit(now Instant) {
	if e.signals.Ejected == 0 {
		return
	}
	for i := range e.hosts {
		if h := &e.hosts[i]; h.out && h.until <= now {
			h.out, h.run = false, 0
			e.signals.Ejected--
		}
	}
}

// heard counts an outcome of a replica. What the service did not say counts as
// nothing: a caller that left, a call that was rejected further inside.
func (e *ejector) heard(s *Balance, host int, o Outcome, now Instant) {
	if len(e.hosts) == 0 || o.Kind == Cancelled || o.Kind == Rejected || o.Kind == Degraded {
		return
	}
	h := &e.hosts[host]
	if !ejectFailures.Has(o) {
		h.run = 0
		return
	}
	h.run++
	switch {
	case h.out || h.run < s.EjectAfter:
	case e.signals.Ejected >= e.most:
		e.signals.Spared++
	default:
		e.eject(s, host, now)
	}
}

func (e *ejector) eject(s *Balance, host int, now Instant) {
	h := &e.hosts[host]
	h.times = max(0, h.times-int64(now.Sub(h.until)/ejectForgets)) + 1
	longest := max(s.EjectFor, ejectMost)
	h.times = min(h.times, int64((longest-1)/s.EjectFor)+1) // more make no difference
	h.out, h.until = true, now.Add(min(s.EjectFor*time.Duration(h.times), longest))
	e.signals.Ejections[host]++
	e.signals.Ejected++
	e.signals.MostEjected = max(e.signals.MostEjected, e.signals.Ejected)
}
