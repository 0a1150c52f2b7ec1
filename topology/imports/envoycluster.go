package imports

import (
	"strings"

	"labctl/topology"
	"labctl/topology/policy"
)

// envoyRetries is how many retries a cluster lets be in flight where it says nothing
// (config.cluster.v3.CircuitBreakers.Thresholds, max_retries).
const envoyRetries = 3

func (s *source) envoyCluster(o object) {
	c := Cluster{Host: envoyHost(o.get("name").text()), At: o.place(), Budget: mostInFlight(envoyRetries)}
	s.circuitBreakers(o, &c)
	s.envoyBalance(o, &c)
	o.pass("@type", "type", "clusterType", "dnsLookupFamily", "dnsRefreshRate", "respectDnsTtl", "transportSocket", "transportSocketMatches", "edsClusterConfig",
		"httpProtocolOptions", "http2ProtocolOptions", "typedExtensionProtocolOptions", "upstreamConnectionOptions", "altStatName", "metadata")
	o.cannot("left out: a lab's connections are there or refused at once", "connectTimeout")
	o.cannot("left out: say a fault of the lab", "healthChecks")
	o.rest()
	s.cluster(o.get("name"), o.value, c)
}

func (s *source) circuitBreakers(o object, c *Cluster) {
	b := o.get("circuitBreakers").object()
	for _, v := range b.get("thresholds").list() {
		t := v.object()
		if p := t.get("priority"); p.text() != "" && p.text() != "DEFAULT" && p.text() != "0" {
			v.note("left out: a lab has no priorities")
			continue
		}
		c.Budget = mostInFlight(t.get("maxRetries").number(0, maxUint31*2+1, envoyRetries))
		if share := t.get("retryBudget"); share.there() {
			c.Budget = shareInFlight(share)
		}
		if most := t.get("maxRequests"); most.there() {
			n := most.number(0, maxUint31*2+1, 0)
			c.Limit = &policy.Bulkhead{Limit: max(1, n), Queue: policy.NoQueue}
			if n == 0 || n > topology.MaxWorkers {
				c.Limit = nil
				most.note("left out: a lab limits from 1 to %d", topology.MaxWorkers)
			}
		}
		t.pass("trackRemaining")
		t.cannot("left out: say a pool in the lab", "maxConnections", "maxPendingRequests", "maxConnectionPools")
		t.rest()
	}
	b.cannot("left out: a lab has one limit for all hosts", "perHostThresholds")
	b.rest()
}

// envoyBalance reads how hosts are chosen and left out.
func (s *source) envoyBalance(o object, c *Cluster) {
	law := o.get("lbPolicy")
	b := &policy.Balance{}
	switch law.text() {
	case "", "ROUND_ROBIN":
	case "LEAST_REQUEST":
		b.Law = policy.LeastInFlight
	case "RANDOM":
		b.Law = policy.Random
	default:
		law.note("%s: left out: a lab balances round-robin, random or least", short(law.text()))
	}
	o.pass("leastRequestLbConfig", "roundRobinLbConfig", "commonLbConfig")
	c.Replicas = s.endpoints(o.get("loadAssignment").object())
	out := o.get("outlierDetection")
	if out.there() {
		ejection(out.object(), b, "consecutive5xx")
	}
	if law.there() || out.there() {
		c.Balance = b
	}
}

// endpoints counts the hosts of a cluster.
func (s *source) endpoints(o object) int {
	n := 0
	for _, v := range o.get("endpoints").list() {
		locality := v.object()
		n += len(locality.get("lbEndpoints").list())
		locality.pass("locality", "loadBalancingWeight")
		locality.cannot("left out: a lab has no priorities", "priority")
		locality.rest()
	}
	o.pass("clusterName")
	o.rest()
	return min(n, topology.MaxReplicas)
}

// lastField is what stands behind the last bar.
func lastField(name string) string { return name[strings.LastIndexByte(name, '|')+1:] }
