package imports

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"labctl/topology"
	"labctl/topology/policy"
)

// A gRPC service config (grpc.io, Guides, Service Config; the fields of retries are
// those of gRFC A6, "gRPC Retry Design"):
//
//   - maxAttempts counts the first one, and more than 5 are 5;
//   - rests are min(initialBackoff × backoffMultiplierⁿ⁻¹, maxBackoff), ±20 %;
//   - hedgingPolicy stands in place of retryPolicy;
//   - retryThrottling is one bucket for all calls to a server;
//   - timeout is a deadline: it bounds all attempts, and goes along with them.
//
// Its hosts are the services that names say; a config for all services is for one
// that is called as the file is. A lab's answers have HTTP statuses, so codes are put
// into those that google/rpc/code.proto sets beside them, and UNAVAILABLE is also a
// connection that was refused or died. Retries that gRPC makes by itself, of calls
// that no server has seen, do not stand in a config.
func (s *source) grpc(v value) {
	o := v.object()
	bucket := s.throttling(o.get("retryThrottling"))
	seen := map[Host]bool{}
	for _, m := range o.get("methodConfig").list() {
		for _, host := range s.methodConfig(m.object()) {
			if bucket != nil && !seen[host] {
				s.cluster(m, m, Cluster{Host: host, Budget: bucket, At: m.place()})
			}
			seen[host] = true
		}
	}
	if bucket != nil && len(seen) == 0 {
		s.cluster(v, v, Cluster{Host: s.ownHost(), Budget: bucket, At: v.place()})
	}
	o.pass("loadBalancingPolicy", "loadBalancingConfig", "healthCheckConfig")
	o.rest()
}

// ownHost is called as the file is.
func (s *source) ownHost() Host {
	base := filepath.Base(s.name)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	return Host{Name: name, Short: name}
}

// methodConfig reads what holds for some methods, and says of which hosts they are.
func (s *source) methodConfig(o object) []Host {
	if !o.there() {
		return nil
	}
	route := Route{At: o.place(), Timeout: o.get("timeout").duration(0), Carried: true}
	again, copies := o.get("retryPolicy"), o.get("hedgingPolicy")
	switch {
	case again.there() && copies.there():
		copies.fail("retryPolicy is given as well, and gRPC refuses both: keep one")
	case again.there():
		route.Retry = s.retryPolicy(again.object())
	case copies.there():
		route.Hedge = s.hedgingPolicy(copies.object())
	}
	var hosts []Host
	for _, v := range o.get("name").list() {
		n := v.object()
		name, method := n.get("service").text(), n.get("method").text()
		n.rest()
		route.Name, route.Host = short(strings.Trim(name+"/"+method, "/")), grpcHost(name)
		if name == "" {
			route.Host = s.ownHost()
		}
		s.route(v, route)
		hosts = append(hosts, route.Host)
	}
	if len(hosts) == 0 {
		o.note("no method: gRPC uses a methodConfig without a name for none")
	}
	o.pass("maxRequestMessageBytes", "maxResponseMessageBytes")
	o.cannot("left out: a lab's calls fail at once while nobody listens", "waitForReady")
	o.rest()
	return hosts
}

// grpcHost is a service, without the package that it is in.
func grpcHost(name string) Host {
	return Host{Name: name, Short: name[strings.LastIndexByte(name, '.')+1:]}
}

// grpcMost is the largest number of attempts that counts.
const grpcMost = 5

// attempts reads maxAttempts, which must be said and be more than one.
func (s *source) attempts(o object) int {
	v := o.get("maxAttempts")
	if !v.there() {
		o.fail("maxAttempts is missing, without which gRPC refuses the config")
		return grpcMost
	}
	n := v.number(2, math.MaxInt32, grpcMost)
	if n > grpcMost {
		v.note("%d are %d: gRPC makes no more", n, grpcMost)
	}
	return min(n, grpcMost)
}

func (s *source) retryPolicy(o object) *policy.Retry {
	codes := o.get("retryableStatusCodes")
	if len(codes.list()) == 0 {
		o.fail("retryableStatusCodes are missing, without which gRPC refuses the config")
		return nil
	}
	r := retry(codes, s.attempts(o), grpcWords(codes))
	r.Rest = s.grpcRest(o)
	o.rest()
	return r
}

// grpcJitter is ±20 %.
var grpcJitter = policy.Jitter{Law: policy.Proportional, Share: 200_000}

func (s *source) grpcRest(o object) policy.Rest {
	base, most, by := o.get("initialBackoff"), o.get("maxBackoff"), o.get("backoffMultiplier")
	for _, v := range []value{base, most, by} {
		if !v.there() {
			o.fail("initialBackoff, maxBackoff and backoffMultiplier must all be said, or gRPC refuses the config")
			return policy.Rest{}
		}
	}
	first, limit := s.more(base), s.more(most)
	r := policy.Rest{Base: min(first, limit), Cap: limit, Jitter: grpcJitter}
	factor := by.decimal(0.001, 1000, 1000)
	switch {
	case factor > 1000 && first < limit:
		r.Backoff = policy.Backoff{Growth: policy.Exponential}
		if factor != 2000 { // the lab's own
			r.Backoff.Factor = policy.Factor(factor)
		}
	case factor < 1000:
		by.note("a rest that gets shorter: in the lab it stays as it is")
	}
	return r
}

// more is a duration that must be more than nothing.
func (s *source) more(v value) time.Duration {
	d := v.duration(topology.MinRest)
	if d == 0 {
		v.fail("it must be more than 0, or gRPC refuses the config")
	}
	return max(d, topology.MinRest)
}

func (s *source) hedgingPolicy(o object) *policy.Hedge {
	h := &policy.Hedge{Max: s.attempts(o), Delay: o.get("hedgingDelay").duration(0)}
	if h.Delay == 0 {
		h.Delay = topology.MinRest
		o.note("without a hedgingDelay all attempts are sent at once: in a lab %v apart", h.Delay)
	}
	codes := o.get("nonFatalStatusCodes")
	h.Filter = filter(grpcWords(codes))
	o.rest()
	return h
}

// throttling reads the bucket of tokens.
func (s *source) throttling(v value) *policy.Budget {
	if !v.there() {
		return nil
	}
	o := v.object()
	for _, k := range []string{"maxTokens", "tokenRatio"} {
		if !o.has(k) {
			v.fail("%s is missing, without which gRPC refuses the config", k)
		}
	}
	b := &policy.Budget{Law: policy.HalfFull, Tokens: o.get("maxTokens").number(1, 1000, 10), Ratio: o.get("tokenRatio").decimal(0.001, 1000, 100)}
	o.rest()
	return b
}

// grpcCodes are the codes of gRPC by number, with the words of a lab.
var grpcCodes = []struct {
	name  string
	words []string
}{
	{"OK", nil}, {"CANCELLED", []string{"499"}}, {"UNKNOWN", []string{"500"}}, {"INVALID_ARGUMENT", []string{"400"}},
	{"DEADLINE_EXCEEDED", []string{"504"}}, {"NOT_FOUND", []string{"404"}}, {"ALREADY_EXISTS", []string{"409"}}, {"PERMISSION_DENIED", []string{"403"}},
	{"RESOURCE_EXHAUSTED", []string{"429"}}, {"FAILED_PRECONDITION", []string{"400"}}, {"ABORTED", []string{"409"}}, {"OUT_OF_RANGE", []string{"400"}},
	{"UNIMPLEMENTED", []string{"501"}}, {"INTERNAL", []string{"500"}}, {"UNAVAILABLE", []string{"503", "refused", "reset"}}, {"DATA_LOSS", []string{"500"}},
	{"UNAUTHENTICATED", []string{"401"}},
}

// grpcWords puts codes, by name or number, into the words of a lab.
func grpcWords(v value) []string {
	var words []string
	for _, c := range v.list() {
		text := c.text()
		known := false
		for n, code := range grpcCodes {
			if strings.EqualFold(text, code.name) || text == fmt.Sprint(n) {
				known, words = true, append(words, code.words...)
			}
		}
		if !known {
			c.note("%q: no code of gRPC: left out", short(text))
		}
	}
	return words
}
