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

// Estimate works out what a run of t takes on a network. To every replica, a
// connection stays open for the next call.
func Estimate(t topology.Topology, n Network) Needs {
	needs := Needs{Hits: worstHits(&t)}
	most, to := connections(&t), make([]int64, len(t.Services))
	for i, e := range t.Edges() {
		needs.Connections += topology.SatMul(most[i], replicas(&t.Services[e.To]))
		to[e.To] += most[i]
		needs.PerService = max(needs.PerService, to[e.To])
	}
	listeners := int64(0)
	for i := range t.Services[1:] {
		listeners += replicas(&t.Services[i+1])
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

// EstimateHerd works out what the clients of one host take that call services elsewhere.
func EstimateHerd(t topology.Topology, clients int) Needs {
	n := Needs{Connections: topology.SatMul(int64(clients), int64(len(t.Services[0].Calls))), PerService: int64(clients)}
	n.Descriptors = n.Connections + n.Connections/4 + spareDescriptors
	n.Memory = topology.SatMul(n.Connections, perConnection)
	return n
}

func replicas(s *topology.Service) int64 { return int64(max(s.Replicas, 1)) }

// connections is how many each edge can have, to one replica: one for each request
// that is at its caller at once, which can be as many as there are clients on every
// way there, and more where attempts go on that nobody waits for.
func connections(t *topology.Topology) []int64 {
	at := make([]int64, len(t.Services)) // requests
	at[0] = callers(t)
	var most []int64
	for _, e := range t.Edges() {
		n := at[e.From]
		if e.KeepWorking && e.TimesOut() {
			n = min(topology.SatMul(n, int64(e.Attempts())), topology.MaxHits)
		}
		most = append(most, n)
		at[e.To] = min(at[e.To]+n, max(n, topology.MaxHits))
	}
	return most
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
		return fmt.Errorf("%d connections need %d descriptors (and about %s of memory), and %d are allowed: use --engine sim, which opens none, or --net pipe, raise the limit (ulimit -n %d), or use fewer clients",
			n.Connections, n.Descriptors, size(n.Memory), m.Descriptors, n.Descriptors)
	case n.Descriptors > 0 && m.Ports > 0 && n.PerService > m.Ports:
		return fmt.Errorf("%d connections to one service need more than the %d local ports of this machine: use --engine sim, which opens none, or --net pipe, or use fewer clients", n.PerService, m.Ports)
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
		return "use fewer attempts, end the run sooner, or use --engine sim"
	}
	return "use --engine sim, which opens none, or fewer clients"
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
