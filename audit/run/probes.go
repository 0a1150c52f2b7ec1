package run

import (
	"slices"

	"labctl/audit"
)

// Choice is which probes to put to a subject; an empty list is all that there are.
type Choice struct {
	Faults      []audit.Fault
	Connections []audit.Connection
	Methods     []Method
}

// A Method is that of a probe's requests. The zero Method is the subject's own, which
// nobody can change.
type Method struct {
	Name  string
	Keyed bool // with an Idempotency-Key
}

// Probes lists them, faults in the order of the catalogue. Methods other than the first
// are asked with the faults that tell them apart only: each costs as many runs.
func (c Choice) Probes() []audit.Probe {
	faults, connections, methods := c.Faults, c.Connections, c.Methods
	if len(faults) == 0 {
		faults = audit.Catalogue()
	}
	if len(connections) == 0 {
		connections = []audit.Connection{audit.Fresh, audit.Reused}
	}
	if len(methods) == 0 {
		methods = []Method{{}}
	}
	var probes []audit.Probe
	for _, f := range faults {
		for i, m := range methods {
			if i > 0 && len(c.Faults) == 0 && !slices.Contains(telling, f.Name) {
				continue
			}
			for _, on := range connections {
				if on == audit.Reused && f.NeverConnects() && slices.Contains(connections, audit.Fresh) {
					continue // nothing to reuse: fresh has asked already
				}
				probes = append(probes, audit.Probe{Fault: f, Method: m.Name, Keyed: m.Keyed, Connection: on})
			}
		}
	}
	return probes
}

// telling are the faults that clients treat differently by method: an answer, one that
// asks for a wait, and the ways in which none comes.
var telling = []string{
	"ok", "429", "500", "503", "503 retry-after=1", "refused", "reset", "close", "halfreset", "truncate", "malformed", "hang",
	"503 twice, then ok",
}
