package topology

import (
	"fmt"
	"slices"
	"strings"
)

// checkGraph holds the shape: services stand in calling order, the client first, so
// that no request can come back to where it was and "the tail" is the last one.
func (t *Topology) checkGraph() error {
	if t.Services[0].Name != ClientName {
		return fmt.Errorf("services: the first is %q: start with %s", t.Services[0].Name, ClientName)
	}
	if n := len(t.Edges()); n > MaxCalls {
		return fmt.Errorf("services: %d calls are more than the limit of %d", n, MaxCalls)
	}
	called := map[string]bool{ClientName: true}
	names := t.names()
	for i, s := range t.Services {
		if !called[s.Name] {
			return fmt.Errorf("services.%s: nobody who stands before it calls it: let a service in front of it call it, or leave it out", s.Name)
		}
		if err := s.checkTargets(names[:i+1], names[i+1:]); err != nil {
			return err
		}
		for _, c := range s.Calls {
			called[c.To] = true
		}
	}
	return t.checkWays()
}

// checkTargets refuses calls that go nowhere, back, or twice to one place.
func (s *Service) checkTargets(before, after []string) error {
	if s.Name == ClientName && len(s.Calls) == 0 {
		return fmt.Errorf("services.%s.calls: the client calls nobody: let it call the first service%s", s.Name, orChoose(after))
	}
	seen := map[string]bool{}
	for _, c := range s.Calls {
		switch {
		case slices.Contains(before, c.To):
			return fmt.Errorf("services.%s.calls: %s stands before it, so a request could go round for ever: put services in calling order, and break the cycle", s.Name, c.To)
		case !slices.Contains(after, c.To):
			return fmt.Errorf("services.%s.calls: no service %q stands after it: add it there%s", s.Name, c.To, orChoose(after))
		case seen[c.To]:
			return fmt.Errorf("services.%s.calls: %s is called twice: one call to each service", s.Name, c.To)
		}
		seen[c.To] = true
	}
	return nil
}

// orChoose names some of what there is instead.
func orChoose(names []string) string {
	switch {
	case len(names) == 0:
		return ""
	case len(names) > 5:
		names = append(slices.Clone(names[:5]), "…")
	}
	return ", or choose " + strings.Join(names, ", ")
}

// checkWays bounds the way down to a service: how many layers it has, and how long
// the path header gets that names them, of which the tail keeps only so much.
func (t *Topology) checkWays() error {
	const perHop = len("/>#1000000")
	layers, bytes := map[string]int{ClientName: 1}, map[string]int{ClientName: 2*len(ClientName) + perHop}
	for _, s := range t.Services {
		for _, c := range s.Calls {
			layers[c.To] = max(layers[c.To], layers[s.Name]+1)
			bytes[c.To] = max(bytes[c.To], bytes[s.Name]+2*len(c.To)+perHop)
			switch {
			case layers[c.To] > MaxLayers:
				return fmt.Errorf("services.%s: more than %d layers lie on the way to it: shorten the chain", c.To, MaxLayers)
			case bytes[c.To] > MaxPathBytes:
				return fmt.Errorf("services: the names on the way to %s come to %d bytes, over the limit of %d: shorten them", c.To, bytes[c.To], MaxPathBytes)
			}
		}
	}
	return nil
}

// endless names a service that hangs although not every call to it is stopped by a
// timeout: one is where it, or one above it, has a timeout and each call from there
// down passes cancellation on.
func (t *Topology) endless() string {
	loose := map[string]bool{ClientName: true} // some way to it has no timeout
	for _, s := range t.Services {
		if loose[s.Name] && s.hangs() {
			return s.Name
		}
		for _, c := range s.Calls {
			if c.KeepWorking || loose[s.Name] && !c.TimesOut() {
				loose[c.To] = true
			}
		}
	}
	return ""
}

// WorstHits is the most requests that one service can get: clients × requests ×
// Π attempts, over all ways to it, saturating; math.MaxInt64 when a layer retries
// without a limit.
func (t *Topology) WorstHits() int64 {
	worst := map[string]int64{}
	for _, h := range t.Load.Herds() {
		worst[ClientName] = satAdd(worst[ClientName], SatMul(int64(h.Clients), int64(t.Load.PerClient(h))))
	}
	most := int64(0)
	for _, s := range t.Services {
		if s.Name != ClientName {
			most = max(most, worst[s.Name])
		}
		for _, c := range s.Calls {
			worst[c.To] = satAdd(worst[c.To], SatMul(worst[s.Name], int64(c.Attempts())))
		}
	}
	return most
}

// Edge is one call between two services, by their places in Topology.Services.
type Edge struct {
	From, To int
	*Call
}

// Edges lists all calls, by caller and in the caller's order. In a chain, edge i
// leads from service i to service i+1.
func (t *Topology) Edges() []Edge {
	place := make(map[string]int, len(t.Services))
	for i, s := range t.Services {
		place[s.Name] = i
	}
	var edges []Edge
	for i := range t.Services {
		for j := range t.Services[i].Calls {
			c := &t.Services[i].Calls[j]
			edges = append(edges, Edge{From: i, To: place[c.To], Call: c})
		}
	}
	return edges
}
