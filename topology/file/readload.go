package file

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"labctl/topology"
)

// load reads who asks, and how often. A closed loop is a herd with a think time,
// so loop is another word for herd.
func (r *reader) load(l *topology.Load, e entry) error {
	part := l.Part()
	fields := part.Fields()
	all, err := r.keys(e.of, e.path, append([]string{"herd", "loop", "others"}, names(fields)...)...)
	if err != nil {
		return err
	}
	herd := ""
	for _, e := range all {
		switch e.key {
		case "herd", "loop":
			if herd != "" {
				return r.fail(e.name, e.path, "%s is given as well, which is the same: keep one, and put further clients into others", herd)
			}
			herd = e.key
			err = r.herd(&l.Herd, e.of, e.path)
		case "others":
			l.Others, err = r.others(e)
		case "rate":
			err = r.rate(part, fields, e)
		default:
			err = r.set(part, fields, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) herd(h *topology.Herd, n *yaml.Node, path string) error {
	return r.part(h.Part(), n, path)
}

// others reads the further herds: a map from routes, or a list where two have the
// same route or one has none.
func (r *reader) others(e entry) ([]topology.Herd, error) {
	var out []topology.Herd
	if e.of.Kind == yaml.SequenceNode {
		for _, item := range e.of.Content {
			h := topology.Herd{Clients: 1}
			r.marks = append(r.marks, mark{position{item.Line, item.Column}, e.path + "/" + itoa(len(out))})
			if err := r.herd(&h, item, e.path+"/"+itoa(len(out))); err != nil {
				return nil, err
			}
			out = append(out, h)
		}
		return out, nil
	}
	all, err := r.entries(e.of, e.path)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if err := r.goodName(e.name, "load.others", e.key); err != nil {
			return nil, err
		}
		r.mark(e.path, e.path, e.name)
		h := topology.Herd{Clients: 1}
		if err := r.herd(&h, e.of, e.path); err != nil {
			return nil, err
		}
		if h.Route != "" {
			return nil, r.fail(e.of, e.path+".route", "the key %s is the route already: leave route out", e.key)
		}
		h.Route = e.key
		out = append(out, h)
	}
	return out, nil
}

// rate reads 280/s, or a map of what else there is to say of a rate.
func (r *reader) rate(part topology.Part, fields []topology.Field, e entry) error {
	if e.of.Kind != yaml.MappingNode {
		return r.set(part, fields, e)
	}
	all, err := r.keys(e.of, e.path, "steps", "at", "poisson", "workers", "from_send")
	if err != nil {
		return err
	}
	for _, e := range all {
		i := slices.IndexFunc(fields, func(f topology.Field) bool { return f.Name == "rate."+e.key })
		if err := r.setAs(part, fields[i], e); err != nil {
			return err
		}
	}
	return nil
}
