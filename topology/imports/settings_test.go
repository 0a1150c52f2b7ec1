package imports_test

import (
	"strings"
	"testing"

	"labctl/topology/file"
	"labctl/topology/imports"
)

// read reads a text that must be good.
func read(t *testing.T, format, text string) imports.File {
	t.Helper()
	f, err := imports.Read(format, "x.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return f
}

// virtualService is one with a rule, to a host called stock.
func virtualService(rule string) string {
	return "kind: VirtualService\nmetadata: {name: v, namespace: shop}\nspec: {hosts: [stock], http: [" +
		"\n{route: [{destination: {host: stock}}], " + rule + "}]}\n"
}

// routes is a route configuration with a route and what its cluster says.
func routes(action, cluster string) string {
	return "virtual_hosts: [{name: h, domains: ['*'], routes: [{match: {prefix: /}, route: {cluster: stock, " + action + "}}]}]\n" +
		"---\nclusters: [{name: stock, " + cluster + "}]\n"
}

// methodConfig is a service config with a policy.
func methodConfig(more string) string {
	return `{"methodConfig": [{"name": [{"service": "shop.stock"}], ` + more + `}]}`
}

// retryPolicy is one of gRPC with some of its fields.
func retryPolicy(attempts, first, most, by string) string {
	return `"retryPolicy": {"maxAttempts": ` + attempts + `, "initialBackoff": "` + first + `", "maxBackoff": "` + most +
		`", "backoffMultiplier": ` + by + `, "retryableStatusCodes": ["UNAVAILABLE"]}`
}

// rule is an HTTPRoute with one.
func rule(more string) string {
	return "kind: HTTPRoute\nspec: {rules: [{backendRefs: [{name: stock}], " + more + "}]}\n"
}

// stack is the kinds of the policies of the call to stock.
func stack(t *testing.T, files ...imports.File) string {
	t.Helper()
	lab, _ := build(t, "client,stock", files...)
	var names []string
	for _, p := range lab.Topology.Services[0].Calls[0].Policies {
		names = append(names, p.Called())
	}
	return strings.Join(names, " ")
}

// policies is the policies of the call to stock as a file has them.
func policies(t *testing.T, f imports.File) string {
	t.Helper()
	lab, _ := build(t, "client,stock", f)
	text := string(file.WritePolicies(nil, lab.Topology.Services[0].Calls[0].Policies))
	_, text, _ = strings.Cut(text, "policies:")
	return strings.Join(strings.Fields(text), " ")
}

// TestSettings: what each setting is in a lab, defaults of its product included.
func TestSettings(t *testing.T) {
	const (
		istioRest = "rest: 25ms backoff: exponential cap: 250ms jitter: full retry_after: ignore"
		overall   = "- {name: overall, timeout: 15s} "
		three     = "- budget: {law: envoy, ratio: none, floor: 3} "
		anything  = "on: [timeout, refused, reset, malformed] "
	)
	for _, tt := range []struct{ sentence, format, text, want string }{
		// Istio.
		{"2 retries where nothing is said", imports.Istio, virtualService(``), "- retry: attempts: 3 on: refused " + istioRest},
		{"an empty retries is none: attempts are 0", imports.Istio, virtualService(`retries: {}`), "[]"},
		{"0 attempts are none", imports.Istio, virtualService(`retries: {attempts: 0, perTryTimeout: 1s}`), "[]"},
		{"attempts are retries", imports.Istio, virtualService(`retries: {attempts: 1, retryOn: reset}`), "- retry: attempts: 2 " + anything + istioRest},
		{"codes among the conditions", imports.Istio, virtualService(`retries: {attempts: 1, retryOn: "503,retriable-4xx, 409"}`),
			"- retry: attempts: 2 on: [409, 503] " + istioRest},
		{"backoff is the base", imports.Istio, virtualService(`retries: {attempts: 1, retryOn: "503", backoff: 2s}`),
			"- retry: attempts: 2 on: 503 rest: 2s backoff: exponential cap: 20s jitter: full retry_after: ignore"},
		{"a rule without a word still counts", imports.Istio, virtualService(`retries: {attempts: 4, retryOn: "unavailable"}`),
			"- retry: attempts: 5 on: rejected " + istioRest},
		{"a destination alone has the default", imports.Istio, "kind: DestinationRule\nspec: {host: stock, trafficPolicy: {connectionPool: {http: {maxRetries: 0}}}}\n",
			"- budget: {law: envoy, ratio: none, floor: none} - retry: attempts: 3 on: refused " + istioRest},

		// Envoy.
		{"a route retries nothing by itself, and has 15s", imports.Envoy, routes(``, `type: EDS`), "- {name: overall, timeout: 15s}"},
		{"0s is no timeout", imports.Envoy, routes(`timeout: 0s`, `type: EDS`), "[]"},
		{"one retry, and three in flight", imports.Envoy, routes(`retry_policy: {retry_on: reset}`, `type: EDS`),
			overall + three + "- retry: attempts: 2 " + anything + istioRest},
		{"without a condition none", imports.Envoy, routes(`retry_policy: {num_retries: 3}`, `type: EDS`), "- {name: overall, timeout: 15s}"},
		{"in camel case", imports.Envoy, routes(`timeout: 0s, retryPolicy: {retryOn: retriable-4xx, numRetries: 4, perTryTimeout: 0.5s}`, `type: EDS`),
			three + "- retry: attempts: 5 on: 409 " + istioRest + " - timeout: 500ms"},
		{"codes only with their condition", imports.Envoy, routes(`timeout: 0s, retry_policy: {retry_on: connect-failure, retriable_status_codes: [503]}`, `type: EDS`),
			three + "- retry: attempts: 2 on: refused " + istioRest},
		{"the largest rest is ten times the first", imports.Envoy, routes(`timeout: 0s, retry_policy: {retry_on: connect-failure, retry_back_off: {base_interval: 1s}}`, `type: EDS`),
			three + "- retry: attempts: 2 on: refused rest: 1s backoff: exponential cap: 10s jitter: full retry_after: ignore"},
		{"Retry-After where it is asked for", imports.Envoy, routes(`timeout: 0s, retry_policy: {retry_on: connect-failure, rate_limited_retry_back_off: {}}`, `type: EDS`),
			three + "- retry: {attempts: 2, on: refused, rest: 25ms, backoff: exponential, cap: 250ms, jitter: full}"},
		{"a budget in place of the three", imports.Envoy, routes(`timeout: 0s, retry_policy: {retry_on: connect-failure}`, `circuit_breakers: {thresholds: [{max_retries: 9, retry_budget: {}}]}`),
			"- budget: {law: envoy, ratio: 20%, floor: 3} - retry: attempts: 2 on: refused " + istioRest},
		{"a per-try timeout that never comes", imports.Envoy, routes(`timeout: 1s, retry_policy: {retry_on: connect-failure, per_try_timeout: 1s}`, `type: EDS`),
			"- {name: overall, timeout: 1s} " + three + "- retry: attempts: 2 on: refused " + istioRest},
		{"another attempt beside the late one", imports.Envoy, routes(`timeout: 0s, hedge_policy: {hedge_on_per_try_timeout: true}, retry_policy: {retry_on: "5xx", num_retries: 2, per_try_timeout: 1s}`, `type: EDS`),
			three + "- hedge: {delay: 1s, max: 3, on: [5xx, timeout, refused, reset, malformed]}"},

		// gRPC.
		{"attempts count the first", imports.GRPC, methodConfig(retryPolicy("4", "0.1s", "1s", "2")),
			"- retry: attempts: 4 on: [503, refused, reset] rest: 100ms backoff: exponential cap: 1s jitter: 20% retry_after: ignore"},
		{"more than 5 are 5", imports.GRPC, methodConfig(retryPolicy("9", "0.1s", "1s", "1")),
			"- retry: attempts: 5 on: [503, refused, reset] rest: 100ms cap: 1s jitter: 20% retry_after: ignore"},
		{"the first rest is cut as well", imports.GRPC, methodConfig(retryPolicy("2", "3s", "1s", "2")),
			"- retry: attempts: 2 on: [503, refused, reset] rest: 1s cap: 1s jitter: 20% retry_after: ignore"},
		{"a timeout is a deadline", imports.GRPC, methodConfig(`"timeout": "1.5s"`), "- deadline: {limit: 1.5s, mode: remaining, enforce: true}"},
		{"hedging, codes by number", imports.GRPC, methodConfig(`"hedgingPolicy": {"maxAttempts": 2, "hedgingDelay": "0.3s", "nonFatalStatusCodes": [13]}`),
			"- hedge: {delay: 300ms, max: 2, on: 500}"},

		// Gateway API.
		{"no retry, no retries", imports.GatewayAPI, rule(`timeouts: {request: 2s}`), "- {name: overall, timeout: 2s}"},
		{"attempts are retries there, too", imports.GatewayAPI, rule(`retry: {attempts: 2, codes: [502], backoff: 1s}`),
			"- retry: {attempts: 3, on: [502, timeout, refused, reset], rest: 1s, retry_after: ignore}"},
		{"one where they are not said", imports.GatewayAPI, rule(`retry: {}`), "- retry: {attempts: 2, on: [timeout, refused, reset], retry_after: ignore}"},
	} {
		equal(t, tt.sentence, policies(t, read(t, tt.format, tt.text)), tt.want)
	}
}
