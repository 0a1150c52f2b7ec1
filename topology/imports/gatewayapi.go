package imports

import (
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// Gateway API: HTTPRoute with retry (gateway-api.sigs.k8s.io, GEP-1731) and timeouts
// (GEP-1742), and retry budgets in XBackendTrafficPolicy (GEP-3388). Much of it is
// left to whoever implements it, and here it is read like this:
//
//   - attempts are retries; where the number is not said there is 1, and a note;
//   - besides codes, retries are on connection errors and timeouts, as GEP-1731 asks;
//   - backoff is the least rest; it stands in the lab as it is, without growth;
//   - without retry there are no retries.
func (s *source) gatewayAPI(v value) {
	s.resources(v, func(r resource) {
		switch r.kind {
		case "HTTPRoute":
			s.httpRoute(r)
		case "XBackendTrafficPolicy", "BackendTrafficPolicy":
			s.trafficPolicy(r)
		default:
			r.unread()
			return
		}
		r.rest()
	})
}

func (s *source) httpRoute(r resource) {
	spec := r.get("spec").object()
	spec.pass("parentRefs", "hostnames", "useDefaultGateways")
	for _, v := range spec.get("rules").list() {
		rule := v.object()
		if rule.there() {
			s.gatewayRule(r, rule)
		}
	}
	spec.rest()
}

func (s *source) gatewayRule(r resource, rule object) {
	route := Route{Name: ruleName(r, rule), At: rule.place()}
	t := rule.get("timeouts").object()
	route.Timeout, route.PerTry = t.get("request").duration(0), t.get("backendRequest").duration(0)
	t.rest()
	if v := rule.get("retry"); v.there() {
		route.Retry = s.gatewayRetry(v)
	}
	to := rule.get("backendRefs").list()
	for _, v := range to {
		b := v.object()
		if kind := b.get("kind").text(); kind != "" && kind != "Service" {
			v.note("%s: left out: no Service", short(kind))
			continue
		}
		b.pass("group", "port")
		if len(to) > 1 {
			b.cannot("left out: a lab calls each backend for every request", "weight")
		}
		b.pass("weight")
		route.Host = service(b.get("name").text(), orText(b.get("namespace").text(), r.namespace))
		b.rest()
		s.route(v, route)
	}
	rule.pass("name", "matches", "sessionPersistence")
	rule.rest()
}

// connectionErrors are what GEP-1731 wants retried beside the codes.
var connectionErrors = []string{"refused", "reset", "timeout"}

func (s *source) gatewayRetry(v value) *policy.Retry {
	o := v.object()
	codes, attempts, backoff := o.get("codes"), o.get("attempts"), o.get("backoff")
	words := append(statusWords(codes, codes.words()), connectionErrors...)
	if !attempts.there() {
		v.note("attempts is not said, which leaves it to the implementation: 1 retry in the lab")
	}
	n := attempts.number(0, topology.MaxAttempts-1, 1)
	out := retry(v, n+1, words)
	if rest := backoff.duration(0); rest > 0 {
		out.Rest.Base = max(rest, topology.MinRest)
	} else {
		v.note("backoff is not said, which leaves it to the implementation: no rest in the lab")
	}
	o.rest()
	return out
}

// trafficPolicy reads a retry budget: retries are at most a share of the requests in
// an interval, beside a rate that is always allowed. 20 % of 10 s, and 10 per second,
// where it does not say.
func (s *source) trafficPolicy(r resource) {
	spec := r.get("spec").object()
	constraint := spec.get("retryConstraint")
	o := constraint.object()
	share, rate := o.get("budget").object(), o.get("minRetryRate").object()
	b := policy.Budget{Law: policy.Deposit,
		Ratio:  orElse(share.get("percent").number(0, 100, 20)*10, policy.NoShare),
		Window: share.get("interval").duration(10 * time.Second)}
	count, per := rate.get("count"), rate.get("interval").duration(time.Second)
	b.Floor = orElse(perSecond(count.number(0, topology.MaxAttempts, 10), per), policy.NoFloor)
	if per > 0 && per%time.Second != 0 || per > time.Second {
		rate.note("%d per second in the lab", max(b.Floor, 0))
	}
	share.rest()
	rate.rest()
	o.rest()
	for _, v := range spec.get("targetRefs").list() {
		t := v.object()
		t.pass("group", "kind", "sectionName")
		host := service(t.get("name").text(), r.namespace)
		t.rest()
		if constraint.there() {
			own := b
			s.cluster(v, r.value, Cluster{Host: host, At: r.place(), Budget: &own})
		}
	}
	spec.pass("sessionPersistence")
	spec.rest()
}

// perSecond is a rate in whole retries per second, rounded up.
func perSecond(count int, per time.Duration) int {
	if per <= 0 {
		return count
	}
	seconds := per.Seconds()
	n := int(float64(count)/seconds + 0.999999)
	return min(n, topology.MaxAttempts)
}

func orText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
