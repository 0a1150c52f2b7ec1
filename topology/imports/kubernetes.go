package imports

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// resource is an object of Kubernetes.
type resource struct {
	object
	kind, name, namespace string
}

// resources takes a document apart, which may be a list of objects.
func (s *source) resources(v value, each func(resource)) {
	o := v.object()
	o.pass("apiVersion")
	kind := o.get("kind").text()
	if kind == "List" || kind == "" && o.has("items") {
		for _, item := range o.get("items").list() {
			s.resources(item, each)
		}
		o.pass("metadata")
		o.rest()
		return
	}
	if kind == "" && o.there() {
		v.fail("it has no kind: give the resources as kubectl get -o yaml writes them")
		return
	}
	meta := o.get("metadata").object()
	o.pass("status")
	r := resource{o, kind, meta.get("name").text(), meta.get("namespace").text()}
	if r.namespace == "" {
		r.namespace = "default"
	}
	each(r)
}

// unread notes a resource of another kind.
func (r resource) unread() {
	r.s.note(r.n, join(r.path, "kind"), "%s %s: not read", short(r.kind), short(r.name))
}

// clusterDomain is what the name of a service ends in, in full.
const clusterDomain = ".svc.cluster.local"

// service is the host of a service, as Kubernetes and Istio complete its name: one
// without dots is in the namespace of whoever says it.
func service(name, namespace string) Host {
	name = strings.TrimSuffix(name, ".")
	if name == "" {
		return Host{}
	}
	if !strings.Contains(name, ".") {
		name += "." + namespace + clusterDomain
	}
	h := Host{Name: name, Short: name}
	if inside, is := strings.CutSuffix(name, clusterDomain); is {
		h.Short, _, _ = strings.Cut(inside, ".")
	}
	return h
}

// ruleName is what a rule is called in notes.
func ruleName(r resource, rule object) string {
	name := rule.get("name")
	if name.there() && name.n.Kind == yaml.ScalarNode {
		return short(r.name + "/" + name.n.Value)
	}
	return short(r.name)
}
