package topology

import "labctl/faultserver/program"

// Timeless names a herd that asks until the load ends although nothing that it
// does takes time: in virtual time it would ask for ever at one instant. Only a
// real machine gives such a closed loop an end.
func (t *Topology) Timeless() (field string, is bool) {
	if t.Load.For == 0 || t.Load.Open() {
		return "", false
	}
	for i, h := range t.Load.Herds() {
		if h.Clients == 0 || h.Requests > 0 || !h.Think.IsZero() || t.takesTime(h.Route) {
			continue
		}
		if i == 0 {
			return "load.herd.think", true
		}
		return "load.others." + h.Route + ".think", true
	}
	return "", false
}

// takesTime reports whether a request of a route takes time on its way down.
func (t *Topology) takesTime(route string) bool {
	reached := map[string]bool{ClientName: true}
	for _, s := range t.Services {
		if !reached[s.Name] {
			continue
		}
		time, fault := s.Time, s.Fault
		for _, r := range s.Routes {
			if r.Route != route {
				continue
			}
			if !r.Time.IsZero() {
				time = r.Time
			}
			if r.Fault != "" {
				fault = r.Fault
			}
		}
		if !time.IsZero() || delays(fault) {
			return true
		}
		for _, c := range s.Calls {
			if !c.Latency.IsZero() {
				return true
			}
			reached[c.To] = reached[c.To] || lets(fault)
		}
	}
	return false
}

// lets reports whether every request gets past a fault program to the service.
func lets(fault string) bool {
	p, err := parseFault(fault)
	for _, s := range p.Steps {
		if s.Kind != program.OK {
			return false
		}
	}
	return err == nil
}

// delays reports whether every step of a fault program takes time.
func delays(fault string) bool {
	p, err := parseFault(fault)
	for _, s := range p.Steps {
		if s.Delay == 0 && s.Drawn.IsZero() && s.Kind.Seen() != program.SeenNothing {
			return false
		}
	}
	return err == nil
}
