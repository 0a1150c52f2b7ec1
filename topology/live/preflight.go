package live

import (
	"fmt"

	"labctl/topology"
)

// Needs is what a live run takes at most.
type Needs struct {
	Connections int64 // open at once
	PerService  int64 // of these, to one service
	Descriptors int64 // of those connections and the listeners; 0 on a pipe network
	Memory      int64 // bytes
	Hits        int64 // on the tail, in the worst case
}

// perConnection is the memory of one connection: both ends with their buffers,
// the goroutines that serve it, and the request on it. Measured here: 4 000
// clients over TCP grow the process by 46 KB each, over pipes by 40 KB.
const perConnection = 48 << 10

// perHit is the memory of one recorded arrival.
const perHit = 256

// mostPerSecond bounds the hits of a run with an end: well above what a machine
// answers over loopback.
const mostPerSecond = 200_000

// Estimate works out what a run of t takes on a network. Every caller may be in
// a call on every edge at once, so each edge can have a connection per client,
// and more where attempts go on that nobody waits for. To every replica, one stays
// open for the next call.
func Estimate(t topology.Topology, n Network) Needs {
	needs := Needs{Hits: worstHits(&t)}
	callers := callers(&t)
	listeners := int64(0)
	for i, s := range t.Services[:len(t.Services)-1] {
		if c := s.Calls[0]; c.KeepWorking && c.TimesOut() {
			callers = min(topology.SatMul(callers, int64(c.Attempts())), topology.MaxHits)
		}
		replicas := int64(max(t.Services[i+1].Replicas, 1))
		listeners += replicas
		needs.Connections += topology.SatMul(callers, replicas)
		needs.PerService = max(needs.PerService, callers)
	}
	if h := t.Horizon(); h > 0 {
		needs.Hits = min(needs.Hits, int64(h.Seconds()*mostPerSecond)+needs.Connections, topology.MaxHits)
	}
	if n.Name() == "tcp" {
		needs.Descriptors = 2*needs.Connections + needs.Connections/4 + listeners + 1 + spareDescriptors
	}
	needs.Memory = topology.SatMul(needs.Connections, perConnection)
	if needs.Hits <= topology.MaxHits { // more are refused for their number
		needs.Memory += needs.Hits * perHit
	}
	return needs
}

// callers is how many calls of clients are in flight at once, at most. In an open
// loop without a limit of workers that hangs on how long a call takes: it is taken
// to be a second, at the highest rate.
func callers(t *topology.Topology) int64 {
	if !t.Load.Open() {
		return int64(t.Load.Clients())
	}
	all := max(t.Arrivals(), 1)
	if w := t.Load.Rate.Workers; w > 0 {
		return min(all, int64(w))
	}
	highest := all
	if steps := t.Load.Rate.Steps; len(steps) > 0 {
		highest = 1
		for _, s := range steps {
			highest = max(highest, s.Milli/1000)
		}
	}
	return min(all, highest)
}

// worstHits is the most hits that the tail can get.
func worstHits(t *topology.Topology) int64 {
	if !t.Load.Open() {
		return t.WorstHits()
	}
	one := *t
	one.Load = topology.Load{Herd: topology.Herd{Clients: 1}}
	return topology.SatMul(t.Arrivals(), one.WorstHits())
}

// spareDescriptors are for the program itself: streams, poller, output. The
// eighth above two per connection is for those that a transport opens while
// another is on its way back to it.
const spareDescriptors = 32

// Check refuses a run that the machine cannot carry, with the numbers and the
// cure.
func (n Needs) Check(m Machine) error {
	switch {
	case m.Memory > 0 && n.Memory > m.Memory:
		return fmt.Errorf("%d connections and their hits need about %s of memory%s, and %s is free: %s",
			n.Connections, size(n.Memory), n.descriptors(), size(m.Memory), n.cure())
	case m.Descriptors > 0 && n.Descriptors > m.Descriptors:
		return fmt.Errorf("%d connections need %d descriptors (and about %s of memory), and %d are allowed: raise the limit (ulimit -n %d), use fewer clients, or use --net pipe",
			n.Connections, n.Descriptors, size(n.Memory), m.Descriptors, n.Descriptors)
	case n.Descriptors > 0 && m.Ports > 0 && n.PerService > m.Ports:
		return fmt.Errorf("%d connections to one service need more than the %d local ports of this machine: use fewer clients, or use --net pipe", n.PerService, m.Ports)
	}
	return nil
}

func (n Needs) descriptors() string {
	if n.Descriptors == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d descriptors", n.Descriptors)
}

func (n Needs) cure() string {
	if n.Memory > 2*n.Connections*perConnection {
		return "use fewer attempts, or end the run sooner"
	}
	return "use fewer clients"
}

// CheckHits refuses a live run whose worst case is too many hits to record.
func CheckHits(t topology.Topology) error {
	if hits := worstHits(&t); hits > topology.MaxHits && (t.Horizon() == 0 || t.Load.Open()) {
		return fmt.Errorf("up to %d hits on the tail are over the limit of %d of a live run: use fewer attempts, layers, clients or requests, give the run an end, or use --engine sim", hits, topology.MaxHits)
	}
	return nil
}

func size(bytes int64) string {
	switch {
	case bytes >= 1<<40:
		return fmt.Sprintf("%.0f TiB", float64(bytes)/(1<<40))
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%.0f MiB", float64(bytes)/(1<<20))
}
