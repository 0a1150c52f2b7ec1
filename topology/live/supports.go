package live

import (
	"fmt"

	"labctl/topology"
)

// Supports refuses what only virtual time has, with the field and the cure.
func Supports(t topology.Topology) error {
	for _, s := range t.Services {
		for _, r := range s.Routes {
			if faults, err := parseFaults(r.Fault); err == nil && faults.Refuses() {
				return fmt.Errorf("services.%s.routes.%s.fault: a port is closed to all routes or to none: use --engine sim, or reset", s.Name, r.Route)
			}
		}
	}
	return nil
}
