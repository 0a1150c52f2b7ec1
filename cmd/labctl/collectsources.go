package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"labctl/topology"
	"labctl/topology/node"
)

// sources are all services of the lab, and the herds.
func (f *collectFlags) sources(t *topology.Topology, herds []string) ([]node.Source, error) {
	places := map[string]string{}
	for _, text := range f.nodes {
		name, where, ok := strings.Cut(text, "=")
		if !ok || where == "" {
			return nil, fmt.Errorf("--node %q: write it as name=url, such as c=http://10.0.0.3:8080", text)
		}
		if t.Service(name) == nil || name == topology.ClientName {
			return nil, fmt.Errorf("--node %q: %s has no service %s", text, f.lab.file, name)
		}
		if places[name] != "" {
			return nil, fmt.Errorf("--node: %s stands twice: name each service once", name)
		}
		places[name] = where
	}
	var out []node.Source
	for _, s := range t.Services[1:] {
		source, err := sourceOf(s.Name, cmp.Or(places[s.Name], "http://"+s.Name+":"+node.DefaultPort))
		if err != nil {
			return nil, fmt.Errorf("--node %s: %w", s.Name, err)
		}
		out = append(out, source)
	}
	for _, name := range herds {
		source, err := sourceOf(topology.ClientName, name)
		if err == nil && source.Left == nil {
			err = errors.New("give the file that labctl node --herd wrote")
		}
		if err == nil && source.Left.Record.Herd == nil {
			err = errors.New("it is what a service saw: give it as --node NAME=FILE")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, source)
	}
	return out, nil
}

// sourceOf is a node to ask, or what a process left behind.
func sourceOf(service, where string) (node.Source, error) {
	s := node.Source{Service: service}
	if strings.HasPrefix(where, "http://") {
		var err error
		s.Host, err = node.HostOf(where)
		return s, err
	}
	data, err := os.ReadFile(where)
	if err != nil {
		return s, fmt.Errorf("cannot read it: %w", unwrapPath(err))
	}
	r, err := node.ReadResult(data)
	s.Left = &r
	return s, err
}
