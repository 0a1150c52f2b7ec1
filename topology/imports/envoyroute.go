package imports

import (
	"slices"
	"strings"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

func (s *source) routeConfiguration(o object) {
	for _, v := range o.get("virtualHosts").list() {
		s.virtualHost(v.object())
	}
	o.pass("@type", "name", "internalOnlyHeaders", "requestHeadersToAdd", "requestHeadersToRemove", "responseHeadersToAdd",
		"responseHeadersToRemove", "validateClusters", "ignorePortInHostMatching", "maxDirectResponseBodySizeBytes", "mostSpecificHeaderMutationsWins")
	o.rest()
}

// virtualHost reads its routes, which have its retries and hedges unless they have
// their own.
func (s *source) virtualHost(o object) {
	own := envoyPolicies{retry: o.get("retryPolicy"), hedge: o.get("hedgePolicy")}
	host := o.get("name").text()
	for _, v := range o.get("routes").list() {
		r := v.object()
		if action := r.get("route"); action.there() {
			s.envoyRoute(host, r, action.object(), own)
		}
		r.pass("name", "match", "redirect", "directResponse", "nonForwardingAction", "metadata", "decorator", "requestHeadersToAdd",
			"requestHeadersToRemove", "responseHeadersToAdd", "responseHeadersToRemove", "tracing", "statPrefix")
		r.rest()
	}
	o.pass("domains", "requireTls", "virtualClusters", "requestHeadersToAdd", "requestHeadersToRemove", "responseHeadersToAdd",
		"responseHeadersToRemove", "cors", "metadata", "includeRequestAttemptCount", "includeAttemptCountInResponse")
	o.rest()
}

// envoyPolicies are what a virtual host lends to its routes.
type envoyPolicies struct{ retry, hedge value }

// envoyTimeout is the timeout of a route that says none (config.route.v3.RouteAction).
const envoyTimeout = 15 * time.Second

func (s *source) envoyRoute(host string, r, action object, own envoyPolicies) {
	route := Route{Name: envoyRouteName(host, r), At: r.place(), Timeout: action.get("timeout").duration(envoyTimeout)}
	if v := action.get("retryPolicy"); v.there() {
		own.retry = v
	}
	if v := action.get("hedgePolicy"); v.there() {
		own.hedge = v
	}
	s.envoyRetry(&route, own)
	action.pass("prefixRewrite", "regexRewrite", "pathRewritePolicy", "hostRewriteLiteral", "autoHostRewrite", "hostRewriteHeader", "appendXForwardedHost",
		"hashPolicy", "metadataMatch", "cors", "upgradeConfigs", "clusterNotFoundResponseCode")
	action.cannot("left out: a lab's requests have no streams to bound", "idleTimeout", "maxStreamDuration", "maxGrpcTimeout", "grpcTimeoutOffset", "flushTimeout")
	action.cannot("left out: a lab has no copies of requests that nobody waits for", "requestMirrorPolicies")
	action.cannot("the cluster stands in a header of the request: no service in the lab", "clusterHeader")
	s.envoyDestinations(action, route)
	action.rest()
}

// envoyDestinations adds the route for each cluster that it leads to.
func (s *source) envoyDestinations(action object, route Route) {
	if v := action.get("cluster"); v.there() {
		route.Host = envoyHost(v.text())
		s.route(v, route)
	}
	weighted := action.get("weightedClusters").object()
	for _, v := range weighted.get("clusters").list() {
		c := v.object()
		c.cannot("left out: a lab calls each cluster for every request", "weight")
		c.pass("requestHeadersToAdd", "requestHeadersToRemove", "responseHeadersToAdd", "responseHeadersToRemove", "metadataMatch")
		name := c.get("name")
		c.rest()
		route.Host = envoyHost(name.text())
		s.route(name, route)
	}
	weighted.pass("totalWeight", "runtimeKeyPrefix")
	weighted.rest()
}

func envoyRouteName(host string, r object) string {
	name := r.get("name").text()
	m := r.get("match").object()
	for _, k := range []string{"prefix", "path", "pathSeparatedPrefix"} {
		if name == "" && m.has(k) {
			name = m.get(k).text()
		}
	}
	return short(host + " " + name)
}

// envoyRetry reads RetryPolicy (config.route.v3.RetryPolicy).
func (s *source) envoyRetry(route *Route, p envoyPolicies) {
	o := p.retry.object()
	if !o.there() {
		return
	}
	on := o.get("retryOn")
	conditions := on.words()
	codes := o.get("retriableStatusCodes")
	words := envoyWords(on, conditions)
	switch listed := slices.Contains(conditions, "retriable-status-codes"); {
	case listed:
		words = append(words, statusWords(codes, codes.words())...)
	case codes.there():
		codes.note("left out: without retriable-status-codes in retry_on Envoy does not look at them")
	}
	n := o.get("numRetries").number(0, topology.MaxAttempts-1, 1)
	route.PerTry = o.get("perTryTimeout").duration(0)
	rest := s.envoyBackOff(o)
	after := s.envoyRateLimited(o)
	for _, v := range o.get("retryHostPredicate").list() {
		p := v.object()
		route.Elsewhere = route.Elsewhere || strings.HasSuffix(p.get("name").text(), "previous_hosts")
	}
	o.pass("hostSelectionRetryMaxAttempts")
	o.cannot("left out: a lab has no priorities", "retryPriority")
	o.cannot("left out: a lab's answers come whole", "perTryIdleTimeout")
	o.cannot("left out: a lab's messages have no headers to look at", "retriableHeaders", "retriableRequestHeaders")
	o.rest()
	if len(conditions) == 0 {
		o.note("without a condition in retry_on Envoy retries nothing")
		return
	}
	route.Retry = retry(on, n+1, words)
	route.Retry.Rest, route.Retry.RetryAfter = rest, after
	s.envoyHedge(route, p.hedge)
}

func (s *source) envoyBackOff(o object) policy.Rest {
	b := o.get("retryBackOff").object()
	base := b.get("baseInterval").duration(envoyBase)
	most := b.get("maxInterval")
	limit := most.duration(envoyFactor * min(base, topology.MaxDuration/envoyFactor))
	if limit < base {
		most.fail("%v is less than base_interval, %v, which Envoy refuses", limit, base)
	}
	b.rest()
	return envoyRest(base, limit)
}

// envoyRateLimited is whether the retries wait for as long as an answer asks.
func (s *source) envoyRateLimited(o object) policy.RetryAfterRule {
	v := o.get("rateLimitedRetryBackOff")
	if !v.there() {
		return policy.Ignore
	}
	v.note("in a lab Retry-After counts where it is longer than the rest, without a largest one, and no other header does")
	return policy.Obey
}

// envoyHedge turns a retry into a hedge where the next attempt is sent beside the
// one that is late, and not instead of it (config.route.v3.HedgePolicy). Such a
// retry is made whatever retry_on says, as long as there are some left.
func (s *source) envoyHedge(route *Route, v value) {
	o := v.object()
	o.cannot("left out: Envoy has not built it", "initialRequests", "additionalRequestChance")
	on := o.get("hedgeOnPerTryTimeout").truth(false)
	o.rest()
	if !on || route.PerTry == 0 || route.Retry.Attempts < 2 {
		return
	}
	v.note("a hedge in the lab: copies after per_try_timeout, and at once after a failure, where Envoy rests")
	route.Hedge = &policy.Hedge{Delay: route.PerTry, Max: route.Retry.Attempts, Filter: route.Retry.Filter}
	route.Retry, route.PerTry = nil, 0
}

// envoyHost is a cluster. The clusters of Istio are named outbound|8080|v1|HOST.
func envoyHost(name string) Host {
	if n := lastField(name); n != name {
		return Host{Name: name, Short: service(n, "").Short}
	}
	return Host{Name: name, Short: name}
}
