package imports

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"labctl/topology"
)

// hop is a host as a service of the lab, with all that was read of it.
type hop struct {
	name   string
	known  []string // by which a chain may call it
	layers []layer  // one for each format, in the order in which they were given
}

// gather sorts what was read by host.
func (b *builder) gather(files []File) {
	names := namesOf(files)
	for i := range files {
		f := &files[i]
		for j := range f.Routes {
			r := &f.Routes[j]
			b.add(names, f.Format, r.Host, r, nil)
		}
	}
	for i := range files {
		f := &files[i]
		for j := range f.Clusters {
			c := &f.Clusters[j]
			b.add(names, f.Format, c.Host, nil, c)
		}
	}
}

// add puts what one format says of a host to what others say of it.
func (b *builder) add(names map[named]string, format string, host Host, r *Route, c *Cluster) {
	name := names[named{format, host.Name}]
	h := b.byName[name]
	if h == nil {
		if format != Istio && r == nil {
			b.note(c.At, short(host.Name), "left out: nothing that was read sends requests to it")
			return
		}
		h = &hop{name: name}
		b.byName[name] = h
		b.hops = append(b.hops, h)
	}
	if !slices.Contains(h.known, host.Name) {
		h.known = append(h.known, host.Name, host.Short)
	}
	i := slices.IndexFunc(h.layers, func(l layer) bool { return l.format == format })
	if i < 0 {
		h.layers = append(h.layers, layer{format: format})
		i = len(h.layers) - 1
	}
	l := &h.layers[i]
	switch {
	case c != nil && l.cluster == nil:
		l.cluster = c
	case c != nil:
		b.note(c.At, short(host.Name), "left out: %v says it already", l.cluster.At)
	default:
		b.choose(l, r)
	}
}

// choose keeps, of several routes to a host, the one that makes the most attempts: a
// bound must hold for all of them.
func (b *builder) choose(l *layer, r *Route) {
	if l.route == nil {
		l.route = r
		return
	}
	less := r
	if r.attempts() > l.route.attempts() {
		less, l.route = l.route, r
	}
	if alike(less, l.route) {
		return
	}
	b.note(less.At, short(less.Name), "its call of %s, %d at most, is left out: a lab has one call to a service, and that of %v makes %d",
		short(less.Host.Name), less.attempts(), l.route.At, l.route.attempts())
}

// alike reports whether two routes do the same, so that nothing is lost.
func alike(a, b *Route) bool {
	return reflect.DeepEqual(layer{route: a}.stack(), layer{route: b}.stack())
}

// named is a host of a format.
type named struct{ format, host string }

// namesOf gives each host its name in the lab: the short one, unless two hosts of a
// format share it. Hosts of two formats with one name are one: what a client library
// does stands around what the mesh does.
func namesOf(files []File) map[named]string {
	first, shared := map[named]string{}, map[named]bool{} // by short name
	each(files, func(format string, h Host) {
		k := named{format, tidy(h.Short)}
		if other, known := first[k]; known && other != h.Name {
			shared[k] = true
		}
		first[k] = h.Name
	})
	out := map[named]string{}
	taken := map[named]bool{}
	each(files, func(format string, h Host) {
		k := named{format, h.Name}
		if out[k] != "" {
			return
		}
		name := tidy(h.Short)
		if shared[named{format, name}] {
			name = tidy(strings.TrimSuffix(h.Name, clusterDomain))
		}
		long := name
		for n := 2; taken[named{format, name}]; n++ {
			name = fmt.Sprintf("%s-%d", long[:min(len(long), topology.MaxNameBytes-8)], n)
		}
		out[k], taken[named{format, name}] = name, true
	})
	return out
}

// each calls for each host, in the order of the files.
func each(files []File, do func(format string, h Host)) {
	for _, f := range files {
		for _, r := range f.Routes {
			do(f.Format, r.Host)
		}
		for _, c := range f.Clusters {
			do(f.Format, c.Host)
		}
	}
}

// tidy makes a name that a lab takes.
func tidy(name string) string {
	out := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name), "-")
	out = out[:min(len(out), topology.MaxNameBytes)]
	switch out {
	case "":
		return "host"
	case topology.ClientName:
		return "client-host" // the client is who calls
	}
	return out
}
