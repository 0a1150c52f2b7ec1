package export

import "labctl/topology"

// policies say who may talk to whom: nobody, but for the calls of the lab, the herds'
// look at the tail's clock, and who collects.
func (l *lab) policies() []object {
	part := object{{"app.kubernetes.io/part-of", l.label}}
	both := []string{"Ingress", "Egress"}
	docs := []object{l.object("networking.k8s.io/v1", "NetworkPolicy", l.label+"-default-deny", part, field{"spec", object{
		{"podSelector", object{{"matchLabels", part}}}, {"policyTypes", both},
	}})}
	if len(l.Sweep.Cells) > 0 {
		return docs // cells talk to nobody
	}
	for _, s := range l.services() {
		docs = append(docs, l.policy(l.hosts[s.Name], l.labels(ofService, l.hosts[s.Name]), l.ingress(s), l.egress(s.Calls)))
	}
	called := l.Topology.Services[0].Calls
	egress := l.egress(append(append([]topology.Call{}, called...), topology.Call{To: l.tail()}))
	docs = append(docs, l.policy(l.label+"-herd", l.labels(ofHerd, ""), nil, egress))
	var all []topology.Call
	for _, s := range l.services() {
		all = append(all, topology.Call{To: s.Name})
	}
	return append(docs, l.policy(l.label+"-collect", l.labels(ofCollector, ""), nil, l.egress(all)))
}

func (l *lab) policy(name string, who object, ingress, egress list) object {
	spec := object{{"podSelector", object{{"matchLabels", who}}}, {"policyTypes", []string{"Ingress", "Egress"}}}
	if ingress != nil {
		spec = append(spec, field{"ingress", ingress})
	}
	if egress != nil {
		spec = append(spec, field{"egress", egress})
	}
	return l.object("networking.k8s.io/v1", "NetworkPolicy", name, who, field{"spec", spec})
}

func peer(labels object) object {
	return object{{"podSelector", object{{"matchLabels", labels}}}}
}

func ports(number int, protocols ...string) list {
	var out list
	for _, p := range protocols {
		out = append(out, object{{"protocol", p}, {"port", number}})
	}
	return out
}

// ingress lists the callers of a service.
func (l *lab) ingress(s topology.Service) list {
	var from list
	herd := s.Name == l.tail()
	for _, e := range l.Topology.Edges() {
		switch {
		case e.Call.To != s.Name:
		case e.From == 0:
			herd = true
		default:
			caller := l.hosts[l.Topology.Services[e.From].Name]
			from = append(from, peer(l.labels(ofService, caller)))
		}
	}
	if herd {
		from = append(from, peer(l.labels(ofHerd, "")))
	}
	from = append(from, peer(l.labels(ofCollector, "")))
	return list{object{{"from", from}, {"ports", ports(port, "TCP")}}}
}

// egress lists the services that are called, each once, and who knows their addresses.
func (l *lab) egress(calls []topology.Call) list {
	if len(calls) == 0 {
		return nil
	}
	var to list
	seen := map[string]bool{}
	for _, c := range calls {
		if !seen[c.To] {
			to = append(to, peer(l.labels(ofService, l.hosts[c.To])))
		}
		seen[c.To] = true
	}
	dns := object{
		{"namespaceSelector", object{{"matchLabels", object{{"kubernetes.io/metadata.name", "kube-system"}}}}},
		{"podSelector", object{{"matchLabels", object{{"k8s-app", "kube-dns"}}}}},
	}
	return list{
		object{{"to", to}, {"ports", ports(port, "TCP")}},
		object{{"to", list{dns}}, {"ports", ports(53, "UDP", "TCP")}},
	}
}
