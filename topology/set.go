package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Setting changes one field of a topology, as a variant, a flag or a file
// names it.
type Setting struct {
	Path  string // services.b.calls.c.retry.attempts
	Value string // as it would stand in a file: 3, 50ms, full
}

// Set changes one field. A path names map keys, calls by their target and
// policies by their name or kind; setting a policy that the call lacks adds it in
// its usual place, and the value none takes one out. The error says what the path could have
// been, and nothing is changed then.
func (t *Topology) Set(s Setting) error {
	parts := strings.Split(s.Path, ".")
	var err error
	switch {
	case parts[0] == "load":
		err = t.Load.set(parts[1:], s.Value)
	case parts[0] == "run":
		err = setField(&t.Run, runFields, strings.TrimPrefix(s.Path, "run."), s.Value)
	case parts[0] == "services" && len(parts) >= 2:
		err = t.setService(parts[1], parts[2:], s.Value)
	default:
		err = fmt.Errorf("a path starts with load, run or services.NAME")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	return nil
}

// set changes a field of the load, of its herd, or of the herd of a route:
// load.herd.clients, load.others.slow.clients. A closed loop is a herd, too, and
// may be called loop.
func (l *Load) set(path []string, value string) error {
	switch {
	case len(path) == 2 && (path[0] == "herd" || path[0] == "loop") && path[1] != "":
		return setField(&l.Herd, herdFields, path[1], value)
	case len(path) == 3 && path[0] == "others":
		i := slices.IndexFunc(l.Others, func(h Herd) bool { return h.Route == path[1] })
		if i >= 0 {
			return setField(&l.Others[i], herdFields, path[2], value)
		}
		h := Herd{Clients: 1, Route: path[1]}
		err := setField(&h, herdFields, path[2], value)
		if err == nil {
			l.Others = append(l.Others, h)
		}
		return err
	}
	if name := strings.Join(path, "."); fieldNamed(loadFields, name) {
		return setField(l, loadFields, name, value)
	}
	return fmt.Errorf("no field %q: there are herd.FIELD and others.ROUTE.FIELD (with %s), %s", strings.Join(path, "."), fieldNames(herdFields), fieldNames(loadFields))
}

// setRoute changes how a service treats one route: services.a.routes.slow.time.
func (s *Service) setRoute(path []string, value string) error {
	if len(path) != 2 {
		return fmt.Errorf("a service has routes.ROUTE.FIELD with the fields %s", fieldNames(routeFields))
	}
	i := slices.IndexFunc(s.Routes, func(r RouteOf) bool { return r.Route == path[0] })
	if i >= 0 {
		return setField(&s.Routes[i], routeFields, path[1], value)
	}
	r := RouteOf{Route: path[0]}
	err := setField(&r, routeFields, path[1], value)
	if err == nil {
		s.Routes = append(s.Routes, r)
	}
	return err
}

// setReplica changes one replica, counted from 0: services.a.replica.0.fault.
func (s *Service) setReplica(path []string, value string) error {
	n, err := -1, error(nil)
	if len(path) == 2 {
		n, err = strconv.Atoi(path[0])
	}
	if err != nil || n < 0 || n >= MaxReplicas || path[1] != "fault" {
		return fmt.Errorf("a service has replica.N.fault, with N from 0")
	}
	for n >= len(s.Replica) {
		s.Replica = append(s.Replica, ReplicaOf{})
	}
	s.Replica[n].Fault = value
	return nil
}

func (t *Topology) setService(name string, rest []string, value string) error {
	s := t.Service(name)
	if s == nil {
		return fmt.Errorf("no service %q: there are %s", name, strings.Join(t.names(), ", "))
	}
	switch {
	case len(rest) > 0 && rest[0] == "routes":
		return s.setRoute(rest[1:], value)
	case len(rest) > 0 && rest[0] == "replica":
		return s.setReplica(rest[1:], value)
	case len(rest) > 0 && rest[0] != "calls":
		return setField(s, serviceFields, strings.Join(rest, "."), value)
	}
	if len(rest) < 2 {
		return fmt.Errorf("a service has calls.TARGET, routes.ROUTE, replica.N, %s", fieldNames(serviceFields))
	}
	i := slices.IndexFunc(s.Calls, func(c Call) bool { return c.To == rest[1] })
	if i < 0 {
		return fmt.Errorf("%s does not call %q: %s", name, rest[1], s.targets())
	}
	return setCall(&s.Calls[i], strings.Join(rest[2:], "."), value)
}

func setCall(c *Call, field, value string) error {
	name, rest, _ := strings.Cut(field, ".")
	switch {
	case fieldNamed(callFields, field):
		return setField(c, callFields, field, value)
	case field == "policies":
		return c.setPolicies(value)
	case kindNamed(name) != nil || c.find(name) >= 0:
		return c.setPolicy(name, rest, value)
	}
	return fmt.Errorf("a call has latency, chance, keep_working, policies, and the fields of %s", kindNames())
}

func (t *Topology) names() []string {
	var names []string
	for _, s := range t.Services {
		names = append(names, s.Name)
	}
	return names
}

func (s *Service) targets() string {
	if len(s.Calls) == 0 {
		return "it calls nobody"
	}
	var to []string
	for _, c := range s.Calls {
		to = append(to, c.To)
	}
	return "it calls " + strings.Join(to, ", ")
}
