package file

import (
	"slices"
	"strings"

	"labctl/topology"
)

// Write gives the canonical text of a lab: one order, one notation, and only what
// differs from the defaults. Reading it gives the lab back. It has no comments;
// to tidy a file that has some, use [Format].
func Write(l Lab) []byte { return emit(tree(l)) }

// WriteHeaded is Write with a header, each line of which becomes a comment in front.
func WriteHeaded(header []string, l Lab) []byte {
	root := tree(l)
	root.headed(header)
	return emit(root)
}

// tree is the lab as the nodes of its file.
func tree(l Lab) *node {
	root := &node{kind: aMap, block: true}
	root.add("version", scalar("1"))
	if l.Title != "" {
		root.add("title", prose(l.Title))
	}
	if l.Text != "" {
		root.add("text", prose(l.Text))
	}
	if load := loadNode(l); len(load.kids) > 0 {
		root.add("load", load)
	}
	root.add("services", servicesNode(l.Topology.Services))
	if len(l.Variants) > 0 {
		variants := &node{kind: aMap, block: true}
		root.add("variants", variants)
		for _, v := range l.Variants {
			variantNode(variants, v)
		}
	}
	run := partNode(l.Topology.Run.Part(), usualRun())
	if l.Repeats > 0 {
		run.add("repeats", scalar(itoa(l.Repeats)))
	}
	if len(run.kids) > 0 {
		root.add("run", run)
	}
	expectNode(root, l.Expect)
	root.place("")
	return root
}

func usualRun() topology.Part {
	run := defaults().Run
	return run.Part()
}

// partNode is what a part says differently from another of its kind.
func partNode(p, usual topology.Part) *node {
	n := &node{kind: aMap}
	for _, f := range p.Fields() {
		if text := p.Get(f.Name); text != usual.Get(f.Name) {
			n.add(f.Name, value(text, f.Shape.Many))
		}
	}
	return n
}

func loadNode(l Lab) *node {
	load := &l.Topology.Load
	n := &node{kind: aMap}
	herd := partNode(load.Herd.Part(), (&topology.Herd{Clients: 1}).Part())
	if !load.Open() && load.Herd.Clients == 1 {
		herd.first("clients", scalar("1"))
	}
	if load.Open() && len(l.Variants) == 0 { // the rest does nothing
		herd.keep(func(k *node) bool { return k.key == "route" || k.key == "clients" && k.text == "0" })
	}
	if len(herd.kids) > 0 {
		n.add("herd", herd)
	}
	if len(load.Others) > 0 {
		n.add("others", othersNode(load.Others))
	}
	own := partNode(load.Part(), new(topology.Load).Part())
	rate := &node{kind: aMap}
	for _, k := range own.kids {
		if rest, is := strings.CutPrefix(k.key, "rate."); is {
			rate.add(rest, k)
		} else if k.key == "rate" {
			rate.add("steps", k)
		}
	}
	own.keep(func(k *node) bool { return k.key == "for" || k.key == "method" || k.key == "key" })
	switch {
	case !load.Open() && len(l.Variants) == 0: // there is no rate, whatever is said of it
	case len(rate.kids) == 1 && rate.kids[0].key == "steps":
		n.add("rate", rate.kids[0])
	case len(rate.kids) > 0:
		n.add("rate", rate)
	}
	n.kids = append(n.kids, own.kids...)
	return n
}

// othersNode is a map from routes where each herd has one of its own.
func othersNode(others []topology.Herd) *node {
	n := &node{kind: aList}
	seen := map[string]bool{"": true}
	mapped := true
	for i := range others {
		mapped = mapped && !seen[others[i].Route]
		seen[others[i].Route] = true
	}
	if mapped {
		n.kind = aMap
	}
	for _, h := range others {
		route := h.Route
		if mapped {
			h.Route = ""
		}
		item := partNode(h.Part(), new(topology.Herd).Part())
		if h.Clients == 0 {
			item.first("clients", scalar("0"))
		}
		n.add(route, item)
	}
	return n
}

func variantNode(variants *node, v Variant) {
	n := &node{kind: aMap}
	variants.add(v.Name, n)
	if v.Services != nil {
		n.add("services", servicesNode(v.Services))
	}
	if len(v.Set) > 0 {
		set := &node{kind: aMap, block: true}
		n.add("set", set)
		for i, s := range v.Set {
			again := func(later topology.Setting) bool { return later.Path == s.Path }
			if !slices.ContainsFunc(v.Set[i+1:], again) { // a map says each once, and the last one holds
				set.add(s.Path, scalar(s.Value))
			}
		}
	}
	expectNode(n, v.Expect)
}

func expectNode(n *node, expect []Expectation) {
	if len(expect) == 0 {
		return
	}
	e := &node{kind: aMap, block: true}
	n.add("expect", e)
	for _, x := range expect {
		e.add(x.Field, scalar(x.Condition))
	}
}

func servicesNode(services []topology.Service) *node {
	n := &node{kind: aMap, block: true}
	for i := range services {
		n.add(services[i].Name, serviceNode(&services[i]))
	}
	return n
}

func serviceNode(s *topology.Service) *node {
	n := &node{kind: aMap}
	if len(s.Calls) > 0 {
		calls := &node{kind: aList}
		n.add("calls", calls)
		for i := range s.Calls {
			calls.add(s.Calls[i].To, callNode(&s.Calls[i]))
		}
	}
	n.kids = append(n.kids, partNode(s.Part(), new(topology.Service).Part()).kids...)
	if len(s.Routes) > 0 {
		routes := &node{kind: aMap}
		n.add("routes", routes)
		for i := range s.Routes {
			routes.add(s.Routes[i].Route, partNode(s.Routes[i].Part(), new(topology.RouteOf).Part()))
		}
	}
	replicas := &node{kind: aMap}
	for i := range s.Replica {
		if r := partNode(s.Replica[i].Part(), new(topology.ReplicaOf).Part()); len(r.kids) > 0 {
			replicas.add(itoa(i), r)
		}
	}
	if len(replicas.kids) > 0 {
		n.add("replica", replicas)
	}
	return n
}

func callNode(c *topology.Call) *node {
	n := &node{kind: aMap}
	n.add("to", scalar(c.To))
	if len(c.Policies) > 0 {
		n.add("policies", stackNode(c.Policies))
	}
	n.kids = append(n.kids, partNode(c.Part(), new(topology.Call).Part()).kids...)
	return n
}

func stackNode(policies []topology.Policy) *node {
	n := &node{kind: aList}
	for i := range policies {
		n.add(policies[i].Called(), policyNode(&policies[i]))
	}
	return n
}

// policyNode is one entry of a stack. Its settings are at the path of the policy,
// not of the entry's keys.
func policyNode(p *topology.Policy) *node {
	n := &node{kind: aMap}
	if p.Name != "" {
		n.add("name", scalar(p.Name))
	}
	usual, _ := topology.NewPolicy(p.Kind())
	settings := partNode(p.Part(), usual.Part())
	if p.Timeout != nil && len(settings.kids) == 1 && settings.kids[0].key == "limit" {
		settings = settings.kids[0]
	}
	n.add(p.Kind(), settings)
	if p.Route != "" {
		n.add("route", scalar(p.Route))
	}
	return n
}
