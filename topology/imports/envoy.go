package imports

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// Envoy: route configurations and clusters (envoyproxy.io, API, config.route.v3 and
// config.cluster.v3), wherever they stand: in a bootstrap, in a file of their own, in
// a discovery response, or in the answer of the admin's /config_dump. Its defaults:
//
//   - num_retries is 1, and without a condition in retry_on there are none;
//   - a route has a timeout of 15 s, and a cluster 3 retries in flight at one time;
//   - Retry-After is not looked at, unless rate_limited_retry_back_off says so.
//
// A retry policy of a route replaces that of its virtual host. What requests ask for
// themselves with x-envoy-retry-on and the like does not stand in a file.
func (s *source) envoy(v value) {
	w := walker{s, map[*yaml.Node]bool{}}
	w.look(v.n, "")
	w.walk(v, "")
}

// walker goes through what holds routes and clusters, without knowing all of it.
type walker struct {
	s     *source
	holds map[*yaml.Node]bool
}

// look remembers which nodes have something inside that is read.
func (w walker) look(n *yaml.Node, in string) bool {
	if n.Kind == yaml.MappingNode {
		if envoyKind(n, in) != "" {
			w.holds[n] = true
			return true
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if w.look(n.Content[i+1], camel(n.Content[i].Value)) {
				w.holds[n] = true
			}
		}
		return w.holds[n]
	}
	for _, c := range n.Content {
		if w.look(c, in) {
			w.holds[n] = true
		}
	}
	return w.holds[n]
}

// clusterKeys tell a cluster from whatever else has a name.
var clusterKeys = []string{"loadAssignment", "edsClusterConfig", "circuitBreakers", "outlierDetection", "connectTimeout", "lbPolicy"}

// envoyKind says what a map is, by its keys and the key that it stands under.
func envoyKind(n *yaml.Node, in string) string {
	has := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		has[camel(n.Content[i].Value)] = n.Content[i+1].Value
	}
	_, hosts := has["virtualHosts"]
	_, routes := has["routes"]
	_, domains := has["domains"]
	_, named := has["name"]
	switch {
	case hosts:
		return "routes"
	case routes && domains:
		return "host"
	case !named:
		return ""
	case in == "clusters" || strings.HasSuffix(has["@type"], ".Cluster"):
		return "cluster"
	}
	for _, k := range clusterKeys {
		if _, is := has[k]; is {
			return "cluster"
		}
	}
	return ""
}

// around is what stands around routes and clusters and has no bearing on them.
var around = []string{"@type", "name", "statPrefix", "codecType", "address", "versionInfo", "lastUpdated", "clientStatus", "node", "typeUrl", "nonce"}

// walk reads what is in a node, and lists what is not read.
func (w walker) walk(v value, in string) {
	if v.n.Kind != yaml.MappingNode {
		for _, item := range v.children() {
			if w.holds[item.n] {
				w.walk(item, in)
			} else {
				item.note("not read")
			}
		}
		return
	}
	o := v.object()
	switch envoyKind(v.n, in) {
	case "routes":
		w.s.routeConfiguration(o)
		return
	case "host":
		w.s.virtualHost(o)
		return
	case "cluster":
		w.s.envoyCluster(o)
		return
	}
	o.pass(around...)
	for _, k := range o.keys {
		if w.holds[k.value.n] {
			*k.taken = true
			w.walk(k.value, k.name)
		}
	}
	o.rest()
}

// children is the items of a list, or none.
func (v value) children() []value {
	if v.n.Kind != yaml.SequenceNode {
		v.fail("%s stands where keys are needed", v.what())
		return nil
	}
	return v.list()
}
