package imports

import (
	"net/http"
	"strconv"

	"labctl/topology"
	"labctl/topology/policy"
)

// Istio: VirtualService and DestinationRule (istio.io, Reference, Configuration,
// Traffic Management). Its sidecars are Envoy, with other defaults:
//
//   - attempts are retries; where retries is not said there are 2, also for hosts
//     without a VirtualService, and 0 are none (pilot/pkg/networking/core/route/retry);
//   - they are on connect-failure, refused-stream, unavailable and cancelled, since
//     release 1.24 without 503 (its change notes: EXCLUDE_UNSAFE_503_FROM_DEFAULT_RETRY);
//   - each goes to a host that was not tried yet, unless it is told otherwise;
//   - a route has no timeout, and a destination no limit on retries in flight.
//
// What a mesh sets for all its hosts (meshConfig.defaultHttpRetryPolicy) does not
// stand in these resources.

// istioRetries is how many retries Istio makes where nothing is said.
const istioRetries = 2

// istioRetryOn is on what, as far as a lab has words for it.
var istioRetryOn = []string{"refused"}

// istioOn says so.
const istioOn = "on connect-failure; refused streams and gRPC statuses have no word in a lab"

func (s *source) istio(v value) {
	s.resources(v, func(r resource) {
		switch r.kind {
		case "VirtualService":
			s.virtualService(r)
		case "DestinationRule":
			s.destinationRule(r)
		default:
			r.unread()
			return
		}
		r.rest()
	})
}

func (s *source) virtualService(r resource) {
	spec := r.get("spec").object()
	spec.pass("hosts", "gateways", "exportTo")
	for _, v := range spec.get("http").list() {
		s.istioRoute(r, v.object())
	}
	spec.cannot("not read: a lab's requests are HTTP", "tcp", "tls")
	spec.rest()
}

// istioRoute reads one rule. Its destinations get the same settings: a lab's client
// calls each of them.
func (s *source) istioRoute(r resource, rule object) {
	if !rule.there() {
		return
	}
	route := Route{Name: ruleName(r, rule), At: rule.place(), Timeout: rule.get("timeout").duration(0)}
	s.istioRetries(rule, &route)
	to := rule.get("route").list()
	for _, v := range to {
		d := v.object()
		destination := d.get("destination").object()
		route.Host = service(destination.get("host").text(), r.namespace)
		destination.pass("port")
		destination.cannot("left out: a lab has one service for all subsets", "subset")
		if len(to) > 1 {
			d.cannot("left out: a lab calls each destination for every request", "weight")
		}
		d.pass("weight", "headers")
		destination.rest()
		d.rest()
		s.route(destination.value, route)
	}
	rule.pass("match", "headers", "rewrite", "redirect", "directResponse", "corsPolicy")
	rule.cannot("left out: give the service a fault of the lab", "fault")
	rule.cannot("left out: a lab has no copies of requests that nobody waits for", "mirror", "mirrors", "mirrorPercentage")
	rule.rest()
}

// istioRetries reads retries of a rule; what is not said is Istio's default.
func (s *source) istioRetries(rule object, route *Route) {
	route.Retry, route.Elsewhere = istioDefault(), true
	v := rule.get("retries")
	if !v.there() {
		rule.note("retries: not said: Istio's default of %d stands here, %s", istioRetries, istioOn)
		return
	}
	o := v.object()
	n := o.get("attempts").number(0, topology.MaxAttempts-1, 0)
	on, perTry := o.get("retryOn"), o.get("perTryTimeout").duration(0)
	base := o.get("backoff").duration(envoyBase)
	route.Elsewhere = o.get("retryIgnorePreviousHosts").truth(true)
	o.cannot("left out: a lab has no localities", "retryRemoteLocalities")
	o.rest()
	if n == 0 {
		route.Retry = nil
		return
	}
	words := istioRetryOn
	if on.text() == "" {
		v.note("retryOn: not said: Istio's default stands here, %s", istioOn)
	} else {
		words = istioWords(on)
	}
	route.PerTry = perTry
	route.Retry = retry(v, n+1, words)
	route.Retry.Rest = envoyRest(base, envoyFactor*min(base, topology.MaxDuration/envoyFactor))
}

// istioWords are conditions of Envoy and statuses, mixed.
func istioWords(on value) []string {
	var conditions, codes []string
	for _, w := range on.words() {
		if n, err := strconv.Atoi(w); err == nil && http.StatusText(n) != "" {
			codes = append(codes, w)
		} else {
			conditions = append(conditions, w)
		}
	}
	return append(envoyWords(on, conditions), statusWords(on, codes)...)
}

// istioDefault is the retry of a host of which nothing is said.
func istioDefault() *policy.Retry {
	return &policy.Retry{Attempts: istioRetries + 1, Filter: filter(istioRetryOn), RetryAfter: policy.Ignore,
		Rest: envoyRest(envoyBase, envoyFactor*envoyBase)}
}

func (s *source) destinationRule(r resource) {
	spec := r.get("spec").object()
	c := Cluster{Host: service(spec.get("host").text(), r.namespace), At: r.place()}
	t := spec.get("trafficPolicy").object()
	pool := t.get("connectionPool").object()
	c.Budget = s.istioBudget(t, pool)
	pool.cannot("left out: a lab has no TCP connections to limit here", "tcp")
	pool.rest()
	c.Balance = s.istioBalance(t)
	t.pass("tls", "proxyProtocol")
	t.cannot("left out: a lab has one policy for all ports", "portLevelSettings")
	t.rest()
	spec.pass("exportTo", "workloadSelector")
	spec.cannot("left out: a lab has one service for all subsets", "subsets")
	spec.rest()
	s.cluster(spec.get("host"), r.value, c)
}

// istioBudget is connectionPool.http.maxRetries, in flight at one time, or since
// release 1.27 retryBudget.
func (s *source) istioBudget(t, pool object) *policy.Budget {
	h := pool.get("http").object()
	most := h.get("maxRetries").number(0, maxUint31, maxUint31)
	h.pass("h2UpgradePolicy", "useClientProtocol")
	h.cannot("left out: say a bulkhead or a pool in the lab",
		"http1MaxPendingRequests", "http2MaxRequests", "maxRequestsPerConnection", "maxConcurrentStreams", "idleTimeout")
	h.rest()
	if share := t.get("retryBudget"); share.there() {
		return shareInFlight(share)
	}
	return mostInFlight(most)
}

func (s *source) istioBalance(t object) *policy.Balance {
	b := &policy.Balance{Law: policy.LeastInFlight} // LEAST_REQUEST is its default
	lb := t.get("loadBalancer").object()
	simple := lb.get("simple")
	switch simple.text() {
	case "", "UNSPECIFIED", "LEAST_REQUEST", "LEAST_CONN":
	case "ROUND_ROBIN":
		b.Law = policy.RoundRobin
	case "RANDOM":
		b.Law = policy.Random
	default:
		simple.note("%s: left out: a lab balances round-robin, random or least", short(simple.text()))
	}
	lb.rest()
	o := t.get("outlierDetection")
	if !lb.there() && !o.there() {
		return nil
	}
	if o.there() {
		ejection(o.object(), b, "consecutive5xxErrors")
	}
	return b
}
