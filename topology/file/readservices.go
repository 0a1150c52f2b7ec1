package file

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"labctl/topology"
)

func (r *reader) services(e entry) ([]topology.Service, error) {
	all, err := r.entries(e.of, e.path)
	if err != nil {
		return nil, err
	}
	if len(all) > topology.MaxServices {
		return nil, r.fail(e.of, e.path, "%d are more than the limit of %d", len(all), topology.MaxServices)
	}
	out := make([]topology.Service, len(all))
	targets := map[*topology.Service][]target{}
	for i, s := range all {
		if err := r.goodName(s.name, e.path, s.key); err != nil {
			return nil, err
		}
		r.mark(s.path, s.path, s.name)
		out[i].Name = s.key
		if targets[&out[i]], err = r.service(&out[i], s); err != nil {
			return nil, err
		}
	}
	return r.inOrder(e, out, targets)
}

func (r *reader) service(s *topology.Service, e entry) ([]target, error) {
	if e.of.Tag == "!!null" {
		return nil, r.fail(e.name, e.path, "there is no value: write {} for a service that answers ok")
	}
	part := s.Part()
	fields := part.Fields()
	all, err := r.keys(e.of, e.path, append([]string{"calls", "routes", "replica"}, names(fields)...)...)
	if err != nil {
		return nil, err
	}
	var targets []target
	for _, e := range all {
		switch e.key {
		case "calls":
			targets, err = r.calls(s, e)
		case "routes":
			err = r.routes(s, e)
		case "replica":
			err = r.replicas(s, e)
		default:
			err = r.set(part, fields, e)
		}
		if err != nil {
			return nil, err
		}
	}
	return targets, nil
}

func (r *reader) routes(s *topology.Service, e entry) error {
	all, err := r.entries(e.of, e.path)
	if err != nil {
		return err
	}
	for _, e := range all {
		if e.key != "" { // which is the service as such
			if err := r.goodName(e.name, e.path, e.key); err != nil {
				return err
			}
		}
		r.mark(e.path, e.path, e.name)
		of := topology.RouteOf{Route: e.key}
		if err := r.part(of.Part(), e.of, e.path); err != nil {
			return err
		}
		s.Routes = append(s.Routes, of)
	}
	return nil
}

// replicas reads those that differ, by their numbers from 0.
func (r *reader) replicas(s *topology.Service, e entry) error {
	all, err := r.entries(e.of, e.path)
	if err != nil {
		return err
	}
	for _, e := range all {
		n, err := strconv.Atoi(e.key)
		if err != nil || n < 0 || n >= topology.MaxReplicas || strconv.Itoa(n) != e.key {
			return r.fail(e.name, e.path, "%q is no replica: they are numbered from 0", e.key)
		}
		r.mark(e.path, e.path, e.name)
		for n >= len(s.Replica) {
			s.Replica = append(s.Replica, topology.ReplicaOf{})
		}
		if err := r.part(s.Replica[n].Part(), e.of, e.path); err != nil {
			return err
		}
	}
	for n := len(s.Replica); n > 0 && s.Replica[n-1] == (topology.ReplicaOf{}); n-- {
		s.Replica = s.Replica[:n-1] // it is as the service
	}
	if len(s.Replica) == 0 {
		s.Replica = nil
	}
	return nil
}

// target is where the name of a called service stands.
type target struct {
	to   string
	name *yaml.Node
}

// calls reads a list of calls, or a map from targets.
func (r *reader) calls(s *topology.Service, e entry) ([]target, error) {
	if e.of.Kind == yaml.MappingNode {
		return r.callMap(s, e)
	}
	items, err := r.items(e.of, e.path, "write calls: [{to: NAME, policies: [{retry: {attempts: 3}}]}]")
	if err != nil {
		return nil, err
	}
	var targets []target
	for _, item := range items {
		i := -1
		if item.Kind == yaml.MappingNode {
			i = keyOf(item, "to")
		}
		if i < 0 {
			return nil, r.fail(item, e.path, "a call says whom: write {to: NAME}")
		}
		to := item.Content[i+1]
		name, err := r.value(to, e.path+".to")
		if err != nil {
			return nil, err
		}
		if targets, err = r.addCall(s, targets, target{name, to}, e.path, item); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

func (r *reader) callMap(s *topology.Service, e entry) ([]target, error) {
	all, err := r.entries(e.of, e.path)
	if err != nil {
		return nil, err
	}
	var targets []target
	for _, c := range all {
		if c.of.Kind == yaml.MappingNode {
			if i := keyOf(c.of, "to"); i >= 0 {
				return nil, r.fail(c.of.Content[i], c.path+".to", "the key %s says whom already: leave to out", c.key)
			}
		}
		r.mark(c.path, c.path, c.name)
		if targets, err = r.addCall(s, targets, target{c.key, c.name}, e.path, c.of); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

func (r *reader) addCall(s *topology.Service, targets []target, to target, path string, body *yaml.Node) ([]target, error) {
	if err := r.goodName(to.name, path, to.to); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(targets, func(t target) bool { return t.to == to.to }) {
		return nil, r.fail(to.name, join(path, to.to), "%s is called twice: one call to each service", to.to)
	}
	call := topology.Call{To: to.to}
	if err := r.call(&call, body, join(path, to.to)); err != nil {
		return nil, err
	}
	s.Calls = append(s.Calls, call)
	return append(targets, to), nil
}

// keyOf is the place of a key in a map's content, or −1.
func keyOf(n *yaml.Node, key string) int {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

func itoa(n int) string { return strconv.Itoa(n) }
