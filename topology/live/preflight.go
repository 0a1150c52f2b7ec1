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
	Hits        int64 // on the tail; where the run has an end of its own, at most MaxHits
}

// perConnection is the memory of one connection: both ends with their buffers,
// the goroutines that serve it, and the request on it. Measured here: 4 000
// clients over TCP grow the process by 46 KB each, over pipes by 40 KB.
const perConnection = 48 << 10

// perHit is the memory of one recorded arrival.
const perHit = 256

// Estimate works out what a run of t takes on a network. Every caller may be in
// a call on every edge at once, so each edge can have a connection per client.
func Estimate(t topology.Topology, n Network) Needs {
	clients, edges := int64(t.Load.Herd.Clients), int64(len(t.Services)-1)
	needs := Needs{Connections: clients * edges, PerService: clients, Hits: t.WorstHits()}
	if t.Run.Until > 0 {
		needs.Hits = min(needs.Hits, topology.MaxHits)
	}
	if n.Name() == "tcp" {
		needs.Descriptors = 2*needs.Connections + edges + spareDescriptors
	}
	needs.Memory = needs.Connections*perConnection + min(needs.Hits, topology.MaxHits)*perHit
	return needs
}

// spareDescriptors are for the program itself: streams, poller, output.
const spareDescriptors = 32

// Check refuses a run that the machine cannot carry, with the numbers and the
// cure.
func (n Needs) Check(m Machine) error {
	switch {
	case n.Hits > topology.MaxHits:
		return fmt.Errorf("up to %d hits on the tail are over the limit of %d of a live run: use fewer attempts, layers, clients or requests, or give the run an end", n.Hits, topology.MaxHits)
	case m.Memory > 0 && n.Memory > m.Memory:
		return fmt.Errorf("%d connections need about %s of memory and %d descriptors, and %s is free: use fewer clients",
			n.Connections, size(n.Memory), n.Descriptors, size(m.Memory))
	case m.Descriptors > 0 && n.Descriptors > m.Descriptors:
		return fmt.Errorf("%d connections need %d descriptors (and about %s of memory), and %d are allowed: raise the limit (ulimit -n %d), use fewer clients, or use --net pipe",
			n.Connections, n.Descriptors, size(n.Memory), m.Descriptors, n.Descriptors)
	case n.Descriptors > 0 && m.Ports > 0 && n.PerService > m.Ports:
		return fmt.Errorf("%d connections to one service need more than the %d local ports of this machine: use fewer clients, or use --net pipe", n.PerService, m.Ports)
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
